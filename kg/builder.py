"""The build: sources → index → mapper → sorted triples and a store, and the build's report.

The triples of the records stand in the default graph; the canned queries, as RDF, stand in a named
graph of their own, so that plain queries and counts see the records alone.

The input is read twice: the first pass fills the index of names, the second maps. What is refused
is reported and the rest goes on. All is made in a draft beside the snapshots; until the draft is
committed, the store that readers see is the old one.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Final

from kg import __version__, records, resources
from kg.catalogue import Catalogue, rdf
from kg.collisions import Collisions
from kg.conflicts import Conflicts, single_valued
from kg.contexts import Contexts
from kg.errors import EmptyBuildError, KgError, RecordError, SourceError, StoreError
from kg.index import Index
from kg.iris import DEFAULT_BASE, Minter
from kg.mapper import Mapper
from kg.namespaces import RDF_TYPE
from kg.records import Record
from kg.report import EMPTY, UNREADABLE, Entry, Place, Report, Severity
from kg.snapshot import Snapshot, SnapshotFolder
from kg.sorting import SortedLines
from kg.sources import RawRecord, Sources
from kg.store import Store, pieces, reason

Progress = Callable[[str, int, int | None], None]
"""Told what is being done, how much of it is done, and of how much (None where unknown)."""

UNKNOWN_KIND: Final = "unknown"
"""The kind of a refused value that is not recognised as any kind of record."""

_TYPE: Final = f" <{RDF_TYPE}> ".encode()
_TELL_EVERY: Final = 100


@dataclass(slots=True)
class RecordCount:
    """How many records of a kind were read, and what became of them."""

    read: int = 0
    mapped: int = 0
    refused: int = 0


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build did.

    *records* counts by kind of record, *triples* those of the default graph, *graphs* those of
    each named graph by its IRI, *classes* the nodes of the default graph by class IRI, *kinds* the
    entries of the report by their kind; *first* holds the first few of each kind that differ.
    """

    snapshot: Snapshot
    records: dict[str, RecordCount]
    triples: int
    graphs: dict[str, int]
    classes: dict[str, int]
    kinds: dict[str, int]
    first: dict[str, list[Entry]]

    @property
    def exit_code(self) -> int:
        """0 where all went in, 3 where a file could not be read, else 1 for refused records."""
        if self.kinds.get(UNREADABLE):
            return SourceError.exit_code
        return RecordError.exit_code if any(c.refused for c in self.records.values()) else 0


def build(
    inputs: Sequence[str | Path],
    store_dir: str | Path,
    *,
    base: str = DEFAULT_BASE,
    strict: bool = False,
    progress: Progress | None = None,
) -> BuildReport:
    """Build a snapshot of the records of *inputs* in *store_dir* and make it the current one.

    *inputs* are what :class:`~kg.sources.Sources` takes, IRIs are minted below *base*. With
    *strict*, the first record refused or file unreadable is raised
    (:class:`~kg.errors.RecordError`, :class:`~kg.errors.SourceError`). Whatever is raised, the
    snapshot that was current stays so. Also raises :class:`~kg.errors.StoreError` if the store
    cannot be written, :class:`~kg.errors.CollisionError` if two things have one IRI,
    :class:`~kg.errors.EmptyBuildError` if nothing at all could be taken in,
    :class:`~kg.errors.SourceError` if an input changes meanwhile, and
    :class:`~kg.errors.UsageError` for a base that is none.
    """
    minter = Minter(base)
    contexts = Contexts.load()
    conflicts = Conflicts(single_valued(resources.ontology() / "shapes.ttl"))
    folder = SnapshotFolder(store_dir)
    try:
        with folder.new() as draft, Sources(inputs, leave_out=folder.path) as sources:
            made = draft.snapshot
            with made.report.open("wb") as report_file:
                run = _Run(sources, Report(report_file), strict, progress or _silent)
                index = run.learn()
                mapper = Mapper(minter=minter, index=index, contexts=contexts)
                work = made.path / "sorting"
                lines = SortedLines(work)
                run.map(mapper, lines)
                run.check_for_anything()
                written = _write(lines, made, conflicts, run.progress, base)
                _remove(work)
                if conflicts.found:
                    run.trace(mapper, conflicts)
            manifest = _manifest(made, base, run, written)
            made.manifest_file.write_bytes(manifest)
            run.progress("finishing", 0, None)
            snapshot = draft.commit()
    except OSError as error:
        raise StoreError(f"{error.filename or store_dir}: {reason(error)}") from error
    return BuildReport(
        snapshot,
        run.counts,
        written.triples,
        written.graphs,
        written.classes,
        dict(sorted(run.report.kinds.items())),
        run.report.first,
    )


def _silent(_stage: str, _done: int, _total: int | None) -> None:
    pass


@dataclass(slots=True)
class _Run:
    """The passes over the sources of one build, and the counts that they share."""

    sources: Sources
    report: Report
    strict: bool
    progress: Progress
    counts: dict[str, RecordCount] = field(default_factory=dict)

    def _count(self, kind: str) -> RecordCount:
        return self.counts.setdefault(kind, RecordCount())

    @property
    def _read(self) -> int:
        return sum(count.read for count in self.counts.values())

    def _refuse(self, error: RecordError, kind: str) -> None:
        if self.strict:
            raise error
        self._count(kind).refused += 1
        self.report.add(Entry.refused(error))

    def learn(self) -> Index:
        """Read everything once: count, report what is refused, fill the index of names."""
        index = Index()
        unreadable: set[str] = set()
        done = 0
        for done, found in enumerate(self.sources, start=1):
            if isinstance(found, SourceError):
                if self.strict:
                    raise found
                self.report.add(Entry.unreadable(found))
                unreadable.add(found.file)
                continue
            if done % _TELL_EVERY == 0:
                self.progress("reading", done, None)
            if isinstance(found, RecordError):
                self._count(UNKNOWN_KIND).read += 1
                self._refuse(found, UNKNOWN_KIND)
                continue
            kind = _kind(found.value)
            self._count(kind).read += 1
            try:
                index.learn(_record(found))
            except RecordError as error:
                self._refuse(error, kind)
        self.progress("reading", done, done)
        for file in self.sources.files:
            if file.sha256 is not None and not file.records and file.name not in unreadable:
                note = "the file holds no record"
                self.report.add(Entry(Severity.NOTE, EMPTY, Place(file.name), note))
        return index

    def _records(self) -> Iterator[tuple[Record, RawRecord]]:
        """Read again what :meth:`learn` took in."""
        for found in self.sources:
            if isinstance(found, RawRecord):
                try:
                    yield _record(found), found
                except RecordError:  # refused, counted and reported in the first pass
                    continue

    def map(self, mapper: Mapper, lines: SortedLines) -> None:
        """Map every record; raises :class:`~kg.errors.KgError` if one has gone astray."""
        total = self._read
        self.progress("mapping", 0, total)
        for done, (record, raw) in enumerate(self._records(), start=1):
            if done % _TELL_EVERY == 0:
                self.progress("mapping", done, total)
            try:
                mapped = mapper.map(record)
            except RecordError as error:
                self._refuse(_placed(error, raw), record.kind)
                continue
            except Exception as error:
                error.add_note(f"at {Place(raw.file, raw.position, record.id)}")
                raise
            for line in mapped.lines:
                lines.add(line)
            place = Place(raw.file, raw.position, record.id)
            for finding in (*record.findings, *mapped.findings):
                self.report.add(Entry.of(finding, place))
            self._count(record.kind).mapped += 1
        self.progress("mapping", total, total)
        for kind, count in self.counts.items():
            if count.read != count.mapped + count.refused:
                raise KgError(
                    f"a fault in paperkg: of {count.read} {kind} records {count.mapped} were mapped"
                    f" and {count.refused} refused"
                )

    def check_for_anything(self) -> None:
        """Raise :class:`~kg.errors.EmptyBuildError` if all there was is what could not be read.

        A snapshot of nothing would take the place of a good one for the sake of a mistyped name.
        """
        errors = self.report.errors
        if errors and not any(count.mapped for count in self.counts.values()):
            unreadable = UNREADABLE in self.report.kinds
            code = (SourceError if unreadable else RecordError).exit_code
            raise EmptyBuildError([str(entry) for entry in errors], code)

    def trace(self, mapper: Mapper, conflicts: Conflicts) -> None:
        """Map every record once more, to learn which of them disagree; report the conflicts."""
        total = self._read
        self.progress("tracing conflicts", 0, total)
        for done, (record, raw) in enumerate(self._records(), start=1):
            if done % _TELL_EVERY == 0:
                self.progress("tracing conflicts", done, total)
            try:
                mapped = mapper.map(record)
            except RecordError:  # refused, counted and reported in the second pass
                continue
            conflicts.trace(mapped.lines, Place(raw.file, raw.position, record.id))
        for entry in conflicts.entries():
            self.report.add(entry)


def _kind(value: object) -> str:
    """Return the kind of record that a value is, whether or not it can be read as one."""
    if isinstance(value, dict):
        for name, kind in records.KINDS.items():
            if kind.recognises(value):
                return name
    return UNKNOWN_KIND


def _record(raw: RawRecord) -> Record:
    try:
        return records.read(raw.value)
    except RecordError as error:
        raise _placed(error, raw) from None


def _placed(error: RecordError, raw: RawRecord) -> RecordError:
    error.file, error.position = raw.file, raw.position
    return error


@dataclass(slots=True)
class _Written:
    """What the product of a build holds."""

    triples: int = 0
    graphs: dict[str, int] = field(default_factory=dict)
    classes: dict[str, int] = field(default_factory=dict)


def _write(
    lines: SortedLines, made: Snapshot, conflicts: Conflicts, progress: Progress, base: str
) -> _Written:
    """Write the sorted lines and the named graphs as the product and load them.

    The lines are scanned on the way, for collisions, conflicts and classes.
    """
    written = _Written()
    collisions = Collisions()
    classes: Counter[bytes] = Counter()
    store = Store.create(made.store)
    with made.triples.open("wb") as raw, _gzip(raw) as product:
        for piece in pieces(lines):
            product.write(b"\n".join(piece) + b"\n")
            store.load(piece)
            for line in piece:
                collisions.scan(line)
                conflicts.scan(line)
                if _TYPE in line and line.split(b" ", 2)[1] == _TYPE.strip():
                    classes[line.split(b" ", 2)[2]] += 1
            written.triples += len(piece)
            progress("writing triples", written.triples, None)
    conflicts.end()
    catalogue = rdf.quads(Catalogue.load(), base)
    _write_quads(catalogue, made, store)
    written.graphs = {rdf.graph_iri(base): len(catalogue)}
    store.flush()
    written.classes = {
        class_.decode().removesuffix(" .").strip("<>"): count
        for class_, count in sorted(classes.items())
    }
    return written


def _write_quads(lines: Iterable[bytes], made: Snapshot, store: Store) -> None:
    with made.quads.open("wb") as raw, _gzip(raw) as product:
        for piece in pieces(lines):
            product.write(b"\n".join(piece) + b"\n")
            store.load(piece)


def _gzip(file: IO[bytes]) -> gzip.GzipFile:
    # Without a name and a time, so that the same triples are the same bytes.
    return gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0)


def _remove(folder: Path) -> None:
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()


def _manifest(made: Snapshot, base: str, run: _Run, written: _Written) -> bytes:
    manifest = {
        "paperkg": __version__,
        "snapshot": made.id,
        "base": base,
        "created": datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        "inputs": [
            {
                "name": file.name,
                "sha256": file.sha256,
                "size": file.size,
                "records": file.records,
            }
            for file in run.sources.files
        ],
        "records": {
            kind: {"read": count.read, "mapped": count.mapped, "refused": count.refused}
            for kind, count in sorted(run.counts.items())
        },
        "triples": written.triples,
        "graphs": written.graphs,
        "classes": written.classes,
        "report": dict(sorted(run.report.kinds.items())),
    }
    return json.dumps(manifest, ensure_ascii=False, indent=2).encode("utf-8") + b"\n"
