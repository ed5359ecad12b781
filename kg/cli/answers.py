"""Answers of the store in the format that was asked for, to standard output or a file."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO, Final, cast

import pyoxigraph as ox

from kg.answers.turtle_names import serialize
from kg.answers.xml_guard import XmlGuard
from kg.cli.output import data, data_stream, silence_stdout
from kg.curies import Curies
from kg.errors import StoreError, UsageError
from kg.formats import GRAPHS, SOLUTIONS
from kg.namespaces import XSD
from kg.opened import Answer
from kg.replacing import check, replaced
from kg.sparql import QueryForm
from kg.tables import solutions_table

TABLE: Final = "table"
_SOLUTIONS: Final = {one.name: one for one in SOLUTIONS}
_GRAPHS: Final = {one.name: one for one in GRAPHS}
_ANSWERS: Final = {QueryForm.SELECT: "a table of solutions", QueryForm.ASK: "a yes or no"}
FORMATS: Final = (TABLE, *_SOLUTIONS, *_GRAPHS)

_LOOKED_AT: Final = 10_000
"""Triples at the beginning of an answer whose namespaces get a prefix in Turtle."""


@dataclass(frozen=True, slots=True)
class Destination:
    """Where an answer goes: the file *path*, or standard output if None."""

    path: Path | None

    @property
    def table_width(self) -> int | None:
        """The width of the terminal, or None where a table is to be written whole."""
        if self.path is None and sys.stdout.isatty():
            return shutil.get_terminal_size().columns
        return None

    def check(self) -> None:
        """Raise :class:`~kg.errors.UsageError` where it is known that it cannot be written."""
        if self.path is not None:
            try:
                check(self.path)
            except OSError as error:
                raise self._unwritable(error) from error

    def _unwritable(self, error: OSError) -> UsageError:
        place = self.path or "standard output"
        return UsageError(f"{place}: it cannot be written: {error.strerror or error}")

    def write(self, produce: Callable[[BinaryIO], object]) -> None:
        """Let *produce* write its UTF-8 bytes.

        A file is written beside its place and moved there when it is whole. On a terminal the
        text goes out in the terminal's encoding, with replacements for what it cannot show.

        Raises :class:`~kg.errors.UsageError` where it cannot be written, and
        :class:`~kg.errors.StoreError` where what it is made of cannot be read.
        """
        try:
            if self.path is not None:
                with replaced(self.path) as stream:
                    _pour(produce, stream)
            elif sys.stdout.isatty():
                buffer = io.BytesIO()
                _pour(produce, buffer)
                data(buffer.getvalue().decode("utf-8"))
            else:
                stream = data_stream()
                _pour(produce, stream)
                stream.flush()
        except BrokenPipeError:  # the reader (head, less) has what it wanted
            silence_stdout()
        except OSError as error:
            raise self._unwritable(error) from error


class _Outgoing:
    """A stream, as far as a producer needs one, that knows whether it was what failed."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.failed = False

    def write(self, piece: bytes) -> int:
        try:
            return self._stream.write(piece)
        except OSError:
            self.failed = True
            raise

    def flush(self) -> None:
        try:
            self._stream.flush()
        except OSError:
            self.failed = True
            raise


def _pour(produce: Callable[[BinaryIO], object], stream: BinaryIO) -> None:
    """Let *produce* write to *stream*; an OSError that is not the stream's is a read error."""
    outgoing = _Outgoing(stream)
    try:
        produce(cast("BinaryIO", outgoing))
    except OSError as error:
        if outgoing.failed:
            raise
        raise StoreError(f"the store cannot be read: {error.strerror or error}") from error


def format_for(form: QueryForm, asked: str | None, path: Path | None) -> str:
    """Return the format of an answer: the one *asked* for, or by the file's ending, or by form.

    Raises :class:`~kg.errors.UsageError` for a format that does not fit the form.
    """
    fitting = tuple(_GRAPHS) if form.is_graph else (TABLE, *_SOLUTIONS)
    chosen = asked or _by_ending(path, form) or fitting[0]
    if chosen not in fitting:
        raise UsageError(
            f"the answer to {form} is {_ANSWERS.get(form, 'a graph')},"
            f" which has no format {chosen}; take one of {', '.join(fitting)}"
        )
    return chosen


def _by_ending(path: Path | None, form: QueryForm) -> str | None:
    """Return the format that a file's ending means for a form, or else for the other ones."""
    ending = path.suffix.removeprefix(".") if path else ""
    tables = (GRAPHS, SOLUTIONS) if form.is_graph else (SOLUTIONS, GRAPHS)
    found = (one.name for table in tables for one in table if one.answers_to(ending))
    return next(found, None)


def write_answer(
    answer: Answer, format_: str, destination: Destination, prefixes: Mapping[str, str]
) -> int | None:
    """Write *answer*; return how many solutions or triples it holds.

    It is None where that is not known: for a yes or no, and for JSON and XML that are not empty.
    Raises :class:`~kg.errors.AnswerError` for what XML cannot carry.
    """
    if isinstance(answer, ox.QueryTriples):
        return _write_graph(answer, _GRAPHS[format_].engine, destination, prefixes)
    if isinstance(answer, ox.QueryBoolean):
        if format_ == TABLE:
            destination.write(lambda stream: stream.write(b"true\n" if answer else b"false\n"))
        else:
            destination.write(lambda s: answer.serialize(s, format=_SOLUTIONS[format_].engine))
        return None
    if format_ == TABLE:
        columns = [variable.value for variable in answer.variables]
        rows = ([solution[name] for name in columns] for solution in answer)
        text, count = solutions_table(
            columns, rows, Curies(prefixes), width=destination.table_width
        )
        destination.write(lambda stream: stream.write(text.encode("utf-8")))
        return count
    return _write_solutions(answer, _SOLUTIONS[format_].engine, destination)


def _write_solutions(
    answer: ox.QuerySolutions, format_: ox.QueryResultsFormat, destination: Destination
) -> int | None:
    # The engine serialises a result by itself and tells no count. In CSV and TSV the line ends tell
    # it; in JSON and XML only that there were no rows shows, in the length of the head alone.
    names = " ".join(map(str, answer.variables))
    head = ox.Store().query(f"SELECT {names or '*'} {{ FILTER(false) }}")
    empty = len(head.serialize(format=format_) or b"") if isinstance(head, ox.QuerySolutions) else 0
    counting = _Counting(quoting=format_ == ox.QueryResultsFormat.CSV)

    def produce(stream: BinaryIO) -> None:
        is_xml = format_ == ox.QueryResultsFormat.XML
        counting.stream = _guarded(stream, "json, csv or tsv") if is_xml else stream
        answer.serialize(cast("BinaryIO", counting), format=format_)

    destination.write(produce)
    if format_ in (ox.QueryResultsFormat.JSON, ox.QueryResultsFormat.XML):
        return None if counting.bytes > empty else 0
    return counting.lines - 1


class _Counting:
    """A stream, as far as the engine needs one, that passes bytes on and counts them.

    *lines* are line ends, outside of quotes where there is *quoting*: in CSV a quoted value may
    hold some, in TSV none does.
    """

    def __init__(self, *, quoting: bool) -> None:
        self.stream: BinaryIO = io.BytesIO()
        self._quoting = quoting
        self.bytes = 0
        self.lines = 0
        self._quoted = False

    def write(self, piece: bytes) -> int:
        self.bytes += len(piece)
        parts = bytes(piece).split(b'"') if self._quoting else [bytes(piece)]
        for n, part in enumerate(parts):
            self._quoted ^= n > 0
            if not self._quoted:
                self.lines += part.count(b"\n")
        return self.stream.write(piece)

    def flush(self) -> None:
        self.stream.flush()


def _write_graph(
    answer: ox.QueryTriples,
    format_: ox.RdfFormat,
    destination: Destination,
    prefixes: Mapping[str, str],
) -> int:
    first = list(islice(answer, _LOOKED_AT))
    curies = Curies(prefixes)
    used = {curies.namespace(iri) for triple in first for iri in _iris(triple)}
    declared = {prefix: iri for prefix, iri in prefixes.items() if iri in used}
    count = 0

    def counted() -> Iterator[ox.Triple]:
        nonlocal count
        for triple in chain(first, answer):
            count += 1
            yield triple

    def produce(stream: BinaryIO) -> None:
        if format_ == ox.RdfFormat.RDF_XML:
            stream = _guarded(stream, "ttl or nt")
        serialize(counted(), stream, format_, declared)

    destination.write(produce)
    return count


class _Guarded:
    """A stream, as far as the engine needs one, that passes on what XML can carry."""

    def __init__(self, stream: BinaryIO, guard: XmlGuard) -> None:
        self._stream = stream
        self._guard = guard

    def write(self, piece: bytes) -> int:
        self._stream.write(self._guard(bytes(piece)))
        return len(piece)

    def flush(self) -> None:
        self._stream.flush()


def _guarded(stream: BinaryIO, others: str) -> BinaryIO:
    return cast("BinaryIO", _Guarded(stream, XmlGuard(others)))


def _iris(triple: ox.Triple) -> Iterator[str]:
    for term in triple:
        if isinstance(term, ox.NamedNode):
            yield term.value
        elif isinstance(term, ox.Literal) and term.datatype.value != XSD + "string":
            yield term.datatype.value
