"""The build: sources → index → mapper → sorted triples and a store, and the build's report.

The triples of the records stand in the default graph, beside a user's own statements, which stand
in named graphs too (:mod:`kg.statements`); the canned queries, as RDF, stand in a named graph of
their own, so that plain queries and counts see the records and the statements alone.

The input is read twice: the first pass fills the index of names, the second maps. What is refused
is reported and the rest goes on. All is made in a draft beside the snapshots; until the draft is
committed, the store that readers see is the old one.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from kg import __version__, records, resources
from kg.catalogue import rdf
from kg.conflicts import Conflicts, single_valued
from kg.contexts import Contexts
from kg.errors import EmptyBuildError, KgError, RecordError, SourceError, StoreError
from kg.exclusions import Exclusions
from kg.index import Index
from kg.iris import DEFAULT_BASE, Minter
from kg.mapper import Mapper
from kg.product import Progress, Written, write_product
from kg.records import Record
from kg.report import EMPTY, EXCLUDED, OWN_GRAPH, UNREADABLE, Entry, Place, Report, Severity
from kg.snapshot import Snapshot, SnapshotFolder
from kg.sorting import SortedLines
from kg.sources import RawRecord, RdfFile, Sources
from kg.stages import Stage, Stages
from kg.statements import Statements
from kg.store import reason

UNKNOWN_KIND: Final = "unknown"
"""The kind of a refused value that is not recognised as any kind of record."""

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

    *records* counts by kind of record, *statements* by RDF file, *triples* those of the default
    graph, *graphs* those of each named graph by its IRI, *classes* the nodes of the default graph
    by class IRI, *kinds* the entries of the report by their kind; *first* holds the first few of
    each kind that differ, *joins* counts the papers that records point to by what they were found
    by.
    """

    snapshot: Snapshot
    records: dict[str, RecordCount]
    statements: dict[str, int]
    triples: int
    graphs: dict[str, int]
    classes: dict[str, int]
    kinds: dict[str, int]
    first: dict[str, list[Entry]]
    joins: dict[str, int]
    stages: dict[str, Stage]

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
    exclude: Path | None = None,
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
    :class:`~kg.errors.UsageError` for a base that is none. *exclude* is a file of things to leave
    out (:mod:`kg.exclusions`).
    """
    minter = Minter(base)
    exclusions = Exclusions.read(exclude, base) if exclude else Exclusions()
    contexts = Contexts.load()
    conflicts = Conflicts(single_valued(resources.ontology() / "shapes.ttl"))
    folder = SnapshotFolder(store_dir)
    try:
        with ExitStack() as open_things:
            draft = open_things.enter_context(folder.new())
            made = draft.snapshot
            sources = open_things.enter_context(Sources(inputs, leave_out=folder.path))
            work = made.path / "work"
            work.mkdir()
            index = open_things.enter_context(closing(Index(work / "index.sqlite")))
            mapper = Mapper(minter=minter, index=index, contexts=contexts)
            statements = Statements(
                work / "statements",
                base,
                leave_out={rdf.graph_iri(base)},
                keeps=exclusions.keeps if exclusions else None,
            )
            with made.report.open("wb") as report_file:
                run = _Run(
                    sources,
                    Report(report_file),
                    strict,
                    progress or _silent,
                    exclusions,
                    statements,
                )
                with run.stages.stage("reading"):
                    run.learn(index)
                lines = SortedLines(work / "sorting")
                with run.stages.stage("mapping"):
                    run.map(mapper, lines)
                run.check_for_anything()
                with run.stages.stage("sorting and loading"):
                    written = write_product(
                        lines, statements, made, conflicts, progress=run.progress, base=base
                    )
                if conflicts.found:
                    with run.stages.stage("tracing conflicts"):
                        run.trace(mapper, conflicts)
                run.report_exclusions()
            index.close()
            shutil.rmtree(work)
            made.manifest_file.write_bytes(_manifest(made, base, run, written))
            run.progress("finishing", 0, None)
            snapshot = draft.commit()
    except OSError as error:
        raise StoreError(f"{error.filename or store_dir}: {reason(error)}") from error
    return BuildReport(
        snapshot,
        run.counts,
        {file.name: file.statements for file in sources.files if file.statements is not None},
        written.triples,
        written.graphs,
        written.classes,
        dict(sorted(run.report.kinds.items())),
        run.report.first,
        dict(run.joins),
        run.stages.by_name,
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
    exclusions: Exclusions
    statements: Statements
    unreadable: set[str] = field(default_factory=set)
    counts: dict[str, RecordCount] = field(default_factory=dict)
    joins: Counter[str] = field(default_factory=Counter)
    stages: Stages = field(default_factory=Stages)

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

    def _pass_over(self, error: SourceError) -> None:
        if self.strict:
            raise error
        self.report.add(Entry.unreadable(error))
        self.unreadable.add(error.file)

    def _take(self, file: RdfFile) -> None:
        """Take in a user's own statements."""
        try:
            left_out = self.statements.take(
                file, lambda done: self.progress("reading statements", done, None)
            )
        except SourceError as error:
            self._pass_over(error)
            return
        if left_out:
            said = f"{left_out:,} statements of the canned queries' graph, which every build makes"
            self.report.add(Entry(Severity.NOTE, OWN_GRAPH, Place(file.file.name), said))

    def learn(self, index: Index) -> None:
        """Read everything once: count, report what is refused, fill the index."""
        done = 0
        for done, found in enumerate(self.sources, start=1):
            if isinstance(found, SourceError):
                self._pass_over(found)
                continue
            if isinstance(found, RdfFile):
                self._take(found)
                continue
            if done % _TELL_EVERY == 0:
                self.progress("reading", done, None)
            if isinstance(found, RecordError):
                self._count(UNKNOWN_KIND).read += 1
                self._refuse(found, UNKNOWN_KIND)
                continue
            kind = records.kind_of(found.value) or UNKNOWN_KIND
            self._count(kind).read += 1
            try:
                index.learn(_record(found))
            except RecordError as error:
                self._refuse(error, kind)
        self.progress("reading", done, done)
        for file in self.sources.files:
            holds = file.records if file.statements is None else file.statements
            if file.sha256 is not None and not holds and file.name not in self.unreadable:
                what = "record" if file.statements is None else "statement"
                note = f"the file holds no {what}"
                self.report.add(Entry(Severity.NOTE, EMPTY, Place(file.name), note))

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
                if not self.exclusions or self.exclusions.keeps(line):
                    lines.add(line)
            self.joins += mapped.joins
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
        taken = any(count.mapped for count in self.counts.values())
        if errors and not taken and not any(file.statements for file in self.sources.files):
            unreadable = UNREADABLE in self.report.kinds
            code = (SourceError if unreadable else RecordError).exit_code
            raise EmptyBuildError([str(entry) for entry in errors], code)

    def report_exclusions(self) -> None:
        """Report of each thing that was to be left out how many statements were."""
        for iri, count in self.exclusions.left_out.items():
            said = f"<{iri}>: {count:,} statements were left out"
            severity = Severity.NOTE if count else Severity.WARNING
            self.report.add(Entry(severity, EXCLUDED, Place(None), said))

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
        for name, lines in self.statements.by_file():
            conflicts.trace(lines, Place(name))
        for entry in conflicts.entries():
            self.report.add(entry)


def _record(raw: RawRecord) -> Record:
    try:
        return records.read(raw.value)
    except RecordError as error:
        raise _placed(error, raw) from None


def _placed(error: RecordError, raw: RawRecord) -> RecordError:
    error.file, error.position = raw.file, raw.position
    return error


def _manifest(made: Snapshot, base: str, run: _Run, written: Written) -> bytes:
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
            }
            | (
                {"records": file.records}
                if file.statements is None
                else {"statements": file.statements}
            )
            for file in run.sources.files
        ],
        "records": {
            kind: {"read": count.read, "mapped": count.mapped, "refused": count.refused}
            for kind, count in sorted(run.counts.items())
        },
        "triples": written.triples,
        "graphs": written.graphs,
        "classes": written.classes,
        "joins": dict(sorted(run.joins.items())),
        "report": dict(sorted(run.report.kinds.items())),
        "stages": {
            name: {"seconds": round(stage.seconds, 3), "peak_memory": stage.peak_memory}
            for name, stage in run.stages.by_name.items()
        },
    }
    return json.dumps(manifest, ensure_ascii=False, indent=2).encode("utf-8") + b"\n"
