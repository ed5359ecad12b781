"""The passes over the sources of a build: the first learns names, the second maps.

What is refused is reported and the rest goes on; every record that is read is mapped or refused,
and counted as the one or the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from kg import records
from kg.conflicts import Conflicts
from kg.errors import KgError, RecordError, SourceError
from kg.findings import FindingKind
from kg.index import Index
from kg.mapper import Mapped, Mapper
from kg.origins import Origins
from kg.records import Record
from kg.report import EMPTY, LEFT_OUT, OWN_GRAPH, Entry, Place, Report, Severity
from kg.sources import RawRecord, RdfFile, Sources
from kg.stages import Progress
from kg.statements import Statements

UNKNOWN_KIND: Final = "unknown"
"""The kind of a refused value that is not recognised as any kind of record."""

_TELL_EVERY: Final = 100


@dataclass(slots=True)
class RecordCount:
    """How many records of a kind were read, and what became of them.

    *expanded* of the mapped ones went through PyLD (:mod:`kg.mapper`).
    """

    read: int = 0
    mapped: int = 0
    refused: int = 0
    expanded: int = 0


@dataclass(slots=True)
class Passes:
    """The passes over *sources*, and the counts that they share.

    With *strict*, the first problem is raised. *statements* takes in those of RDF files.
    """

    sources: Sources
    report: Report
    statements: Statements
    progress: Progress
    strict: bool = False
    unreadable: set[str] = field(default_factory=set)
    counts: dict[str, RecordCount] = field(default_factory=dict)
    refused: Counter[str] = field(default_factory=Counter)
    """How many records were refused, by file."""
    joins: Counter[str] = field(default_factory=Counter)

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
        for left_out in self.sources.left_out:
            self.report.add(Entry(Severity.NOTE, LEFT_OUT, Place(left_out.place), left_out.reason))

    def map(self, mapper: Mapper, take: Callable[[Place, Mapped], None]) -> None:
        """Map every record, and pass on its place and what it became.

        Raises :class:`~kg.errors.KgError` if one has gone astray.
        """
        codes: set[str] = set()
        for record, raw, mapped in self._mapped(mapper):
            if isinstance(mapped, RecordError):
                self._refuse(_placed(mapped, raw), record.kind)
                continue
            place = Place(raw.file, raw.position, record.id)
            take(place, mapped)
            self.joins.update(mapped.joins)
            for finding in (*record.findings, *mapped.findings):
                if finding.kind is FindingKind.UNKNOWN_CODE:
                    # A code is new once, however many records use it; the lists are open.
                    if finding.message in codes:
                        continue
                    codes.add(finding.message)
                self.report.add(Entry.of(finding, place))
            count = self._count(record.kind)
            count.mapped += 1
            count.expanded += not mapped.is_compiled
        for kind, count in self.counts.items():
            if count.read != count.mapped + count.refused:
                raise KgError(
                    f"a fault in paperkg: of {count.read} {kind} records {count.mapped} were mapped"
                    f" and {count.refused} refused"
                )

    def trace(self, conflicts: Conflicts, origins: Origins) -> None:
        """Learn from *origins* which records gave the values of *conflicts*, and report them."""
        self.progress("tracing conflicts", 0, None)
        for place, hashes in origins.of(conflicts.hashes):
            conflicts.trace(hashes, place)
        for name, lines in self.statements.by_file():
            conflicts.trace(map(hash, lines), Place(name))
        for entry in conflicts.entries():
            self.report.add(entry)

    def _mapped(self, mapper: Mapper) -> Iterator[tuple[Record, RawRecord, Mapped | RecordError]]:
        """Read again what :meth:`learn` took in, and map it."""
        total = sum(count.read for count in self.counts.values())
        self.progress("mapping", 0, total)
        raw_records = (found for found in self.sources if isinstance(found, RawRecord))
        for number, found in enumerate(raw_records):
            if number % _TELL_EVERY == 0:
                self.progress("mapping", number, total)
            try:
                record = _record(found)
            except RecordError:  # refused, counted and reported in the first pass
                continue
            try:
                yield record, found, mapper.map(record)
            except RecordError as error:
                yield record, found, error
            except Exception as error:
                error.add_note(f"at {Place(found.file, found.position, record.id)}")
                raise
        self.progress("mapping", total, total)

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

    def _count(self, kind: str) -> RecordCount:
        return self.counts.setdefault(kind, RecordCount())

    def _refuse(self, error: RecordError, kind: str) -> None:
        if self.strict:
            raise error
        self._count(kind).refused += 1
        self.refused[error.file or ""] += 1
        self.report.add(Entry.refused(error))

    def _pass_over(self, error: SourceError) -> None:
        if self.strict:
            raise error
        self.report.add(Entry.unreadable(error))
        self.unreadable.add(error.file)


def _record(raw: RawRecord) -> Record:
    try:
        return records.read(raw.value)
    except RecordError as error:
        raise _placed(error, raw) from None


def _placed(error: RecordError, raw: RawRecord) -> RecordError:
    error.file, error.position = raw.file, raw.position
    return error
