"""Input files → sorted lines of triples: what a build and ``kg map`` have in common."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO

from kg import metadata
from kg.catalogue import rdf
from kg.conflicts import Conflicts
from kg.contexts import Contexts
from kg.errors import EmptyBuildError, RecordError, SourceError, StoreError, UsageError
from kg.exclusions import Exclusions
from kg.index import Index
from kg.iris import DEFAULT_BASE, Minter
from kg.mapper import Mapped, Mapper
from kg.origins import Origins
from kg.passes import Passes, RecordCount
from kg.processes.sorter import Sorter
from kg.report import EXCLUDED, UNREADABLE, Entry, Place, Report, Severity
from kg.sorting import SortedLines
from kg.sources import Sources
from kg.stages import Progress, Stage, Stages
from kg.statements import Statements


def silent(_stage: str, _done: int, _total: int | None) -> None:
    """Tell nobody what is being done."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be mapped, and how.

    *inputs* are what :class:`~kg.sources.Sources` takes, IRIs are minted below *base*. With
    *strict*, the first record refused or file unreadable is raised. *exclude* is a file of things
    to leave out (:mod:`kg.exclusions`). Raises :class:`~kg.errors.UsageError` for a base that is
    none.
    """

    inputs: Sequence[str | Path]
    base: str = DEFAULT_BASE
    strict: bool = False
    exclude: Path | None = None
    progress: Progress = silent

    def __post_init__(self) -> None:
        Minter(self.base)  # it knows what a base is, and nothing has been made yet


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How it went.

    *records* counts by kind of record, *statements* a user's own by RDF file, *kinds* the entries
    of the report by their kind; *first* holds the first few of each kind that differ, *joins*
    counts the papers that records point to by what they were found by.
    """

    records: dict[str, RecordCount]
    statements: dict[str, int]
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


@dataclass(frozen=True, slots=True)
class MappedInputs:
    """Input that was mapped: its *lines*, a user's own *statements*, and how it went.

    *origins* knows which records gave which lines, but where other lines were made of them.
    """

    lines: SortedLines
    statements: Statements
    passes: Passes
    stages: Stages
    origins: Origins

    @property
    def sources(self) -> Sources:
        """The files."""
        return self.passes.sources

    @property
    def report(self) -> Report:
        """What was refused or noticed."""
        return self.passes.report

    def trace(self, conflicts: Conflicts) -> None:
        """Learn which records gave the values of *conflicts*, and report them."""
        self.passes.trace(conflicts, self.origins)

    def outcome(self) -> Outcome:
        """Return how it went."""
        files = self.sources.files
        return Outcome(
            records=self.passes.counts,
            statements={f.name: f.statements for f in files if f.statements is not None},
            kinds=dict(sorted(self.report.kinds.items())),
            first=self.report.first,
            joins=dict(sorted(self.passes.joins.items())),
            stages=self.stages.by_name,
        )


@contextmanager
def mapped(
    task: Task,
    work: Path,
    report_file: IO[bytes],
    *,
    leave_out: Path | None = None,
    outputs: Sequence[Path] = (),
    lines_of: Callable[[list[bytes], str], list[bytes]] | None = None,
) -> Iterator[MappedInputs]:
    """Map what *task* says, in the folder *work*; the folder *leave_out* is not looked into.

    None of the *outputs*, files that are yet to be written, may be among the input. *lines_of*
    makes other lines, for sorting, of a record's triples and the IRI of its source; without it,
    what records have in common is written once. Raises what :func:`kg.builder.build` does for its
    input.
    """
    minter = Minter(task.base)
    exclusions = Exclusions.read(task.exclude, task.base) if task.exclude else Exclusions()
    contexts = Contexts.load()
    stages = Stages()
    with (
        Sources(task.inputs, leave_out=leave_out) as sources,
        _index(work / "index.sqlite") as index,
    ):
        _check_apart(sources, outputs)
        statements = Statements(
            work / "statements",
            task.base,
            leave_out={rdf.graph_iri(task.base), metadata.graph_iri(task.base)},
            keeps=exclusions.keeps if exclusions else None,
        )
        passes = Passes(sources, Report(report_file), statements, task.progress, task.strict)
        origins = Origins(work)
        with stages.stage("reading"):
            passes.learn(index)
        with stages.stage("mapping"), Sorter(work / "sorting") as sorter:

            def take(place: Place, found: Mapped) -> None:
                lines = exclusions.kept(found.lines)
                if lines_of is not None:
                    sorter.update(lines_of(lines, found.source))
                else:
                    sorter.update(lines)
                    origins.add(place, chain(map(hash, found.lines), found.left_out))

            repeat = lines_of is not None
            # What a mapper holds is let go of when it has done its work.
            passes.map(Mapper(minter=minter, index=index, contexts=contexts, repeat=repeat), take)
            lines = sorter.sorted()
        _check_for_anything(passes)
        yield MappedInputs(lines, statements, passes, stages, origins)
        for entry in _excluded(exclusions):
            passes.report.add(entry)


@contextmanager
def _index(path: Path) -> Iterator[Index]:
    """Open an index in the file *path*; what SQLite refuses is a StoreError."""
    try:
        with closing(Index(path)) as index:
            yield index
    except sqlite3.Error as error:
        raise StoreError(f"{path}: {error}") from error


def _check_apart(sources: Sources, outputs: Sequence[Path]) -> None:
    """Raise :class:`~kg.errors.UsageError` where an output of before would be taken for input."""
    written = {path.resolve() for path in outputs}
    for file in sources.files:
        if file.path is not None and file.path.resolve() in written:
            raise UsageError(f"{file.name}: it is among the input; write to another folder")


def _check_for_anything(passes: Passes) -> None:
    """Raise :class:`~kg.errors.EmptyBuildError` if all there was is what could not be read.

    Nothing would take the place of a good snapshot for the sake of a mistyped name.
    """
    errors = passes.report.errors
    taken = any(count.mapped for count in passes.counts.values())
    if errors and not taken and not any(file.statements for file in passes.sources.files):
        unreadable = UNREADABLE in passes.report.kinds
        code = (SourceError if unreadable else RecordError).exit_code
        raise EmptyBuildError([str(entry) for entry in errors], code)


def _excluded(exclusions: Exclusions) -> Iterator[Entry]:
    """Yield for each thing that was to be left out how many statements were."""
    for iri, count in exclusions.left_out.items():
        said = f"<{iri}>: {count:,} statements were left out"
        severity = Severity.NOTE if count else Severity.WARNING
        yield Entry(severity, EXCLUDED, Place(None), said)
