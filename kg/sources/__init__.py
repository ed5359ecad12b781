"""Input files → raw records, one at a time, as often as they are asked for.

JSON (one object, an array, objects one after another) and JSON Lines, in UTF-8, and Parquet; which
of them a file is, its content tells. An RDF file is one element, whose statements are read by
whoever wants them. Text may be compressed. A problem is an element of the sequence like a record,
so that what stands behind it is still read; only a file that changed between two readings is
raised.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self, TypeAlias

import pyoxigraph as ox

from kg.errors import RecordError, SourceError
from kg.sources import json_lines, json_values, parquet, paths, rdf
from kg.sources.compression import Decompressed, UnreadableError, compression_of
from kg.sources.content import JSON_LINES, Records, content_of, ending
from kg.sources.json_values import JsonError, Object

__all__ = ["STANDARD_INPUT", "Found", "Object", "RawRecord", "RdfFile", "SourceFile", "Sources"]

STANDARD_INPUT: Final = "-"
BLOCK: Final = 256 * 1024

_WHOLE: Final = "whole records read before it"
_NOTHING_TAKEN: Final = "nothing of the file is taken in; statements read before it"

_UTF8_BOM: Final = b"\xef\xbb\xbf"
# What begins like this is no text in UTF-8 (RFC 8259, section 8.1), and the reader is told what.
_OTHER_BEGINNINGS: Final = (
    (b"\xff\xfe", "it is UTF-16 or UTF-32, not UTF-8; convert it first"),
    (b"\xfe\xff", "it is UTF-16, not UTF-8; convert it first"),
    (b"\x00", "it is UTF-16, UTF-32 or no text at all, not UTF-8"),
    (b"{\x00", "it is UTF-16, not UTF-8; convert it first"),
    (b"[\x00", "it is UTF-16, not UTF-8; convert it first"),
    (b"<\x00", "it is UTF-16, not UTF-8; convert it first"),
)


@dataclass(frozen=True, slots=True)
class RawRecord:
    """One JSON value of a source: its *file*, its *position* in it (``line 3``, ``record 0``).

    The value of a record is a dict, an :class:`Object` where it repeats a key; numbers in it are
    :class:`~kg.values.Number`. A value of another type is passed on for the reader to refuse.
    """

    file: str
    position: str
    value: object


@dataclass(slots=True)
class SourceFile:
    """An input file: its *name* for people, its *path*; the rest is known after one reading.

    *sha256* (hex, None where the file could not be read to its end) and *size* are those of the
    bytes of the file, compressed or not. *records* counts its records, refused lines included;
    *statements* those of an RDF file that was read whole, and is None for any other.
    """

    name: str
    path: Path
    sha256: str | None = None
    size: int = 0
    records: int = 0
    statements: int | None = None
    was_read: bool = False


@dataclass(frozen=True, slots=True)
class RdfFile:
    """An RDF file among the input, and its language."""

    file: SourceFile
    format: ox.RdfFormat

    def quads(self, base: str) -> Iterator[ox.Quad]:
        """Yield its quads; relative IRIs are resolved against *base*.

        Raises :class:`~kg.errors.SourceError` where it cannot be read to its end; what came
        before is not to be used.
        """
        count = 0
        fault = None
        try:
            with self.file.path.open("rb") as opened:
                reading = _Reading(opened)
                content = Decompressed(reading)
                try:
                    for quad in rdf.quads(_without_mark(iter(content)), self.format, base):
                        count += 1
                        yield quad
                except rdf.RdfError as error:
                    fault = str(error)
                fault = content.fault or fault
                reading.rest()
                self.file.sha256, self.file.size = reading.sha256, reading.size
        except OSError as error:
            raise _unreadable(self.file.path, error) from error
        if fault:
            raise SourceError(self.file.name, f"{fault}; {_NOTHING_TAKEN}: {count}")
        self.file.statements = count


Found: TypeAlias = RawRecord | RecordError | SourceError | RdfFile
"""What an iteration over sources yields."""


class _Reading:
    """One reading of a file: its bytes in blocks, and the digest of those read so far."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._digest = hashlib.sha256()
        self.size = 0

    def __iter__(self) -> Iterator[bytes]:
        while block := self._file.read(BLOCK):
            self._digest.update(block)
            self.size += len(block)
            yield block

    def rest(self) -> None:
        """Read to the end: what stands behind a fault belongs to the digest too."""
        for _ in self:
            pass

    @property
    def sha256(self) -> str:
        return self._digest.hexdigest()


class Sources:
    """The raw records of *inputs*, in their order; each iteration reads the files again.

    An input is a file, a folder, a glob pattern, a ``file:`` URL (:func:`kg.sources.paths.files`)
    or ``-`` for standard input. Standard input, and whatever else can be read only once (a named
    pipe), is copied to a temporary file at once; :meth:`close`, or the end of a ``with`` block,
    removes it. A file that is named twice is read once. The folder *leave_out* is not looked into.

    Iteration yields a :class:`RawRecord`, a :class:`~kg.errors.RecordError` for a line that is no
    JSON, a :class:`~kg.errors.SourceError` for a file that cannot be read (to its end), and an
    :class:`RdfFile`, which it does not read. It raises :class:`~kg.errors.SourceError` where a
    file is not what it was when first read.
    """

    def __init__(self, inputs: Sequence[str | Path], *, leave_out: Path | None = None) -> None:
        self._spool = tempfile.TemporaryDirectory(prefix="paperkg-")
        self._found: list[SourceFile | SourceError] = []
        seen: set[str] = set()
        try:
            for given in inputs:
                if given == STANDARD_INPUT:
                    if STANDARD_INPUT not in seen:
                        self._found.append(self._spooled("standard input", None))
                    seen.add(STANDARD_INPUT)
                    continue
                for found in paths.files(given, leave_out):
                    if isinstance(found, SourceError):
                        self._found.append(found)
                        continue
                    real = os.path.normcase(found.resolve())
                    if real not in seen:
                        seen.add(real)
                        self._found.append(self._file(found))
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Remove the copies of what could be read only once."""
        self._spool.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def files(self) -> tuple[SourceFile, ...]:
        """The files that the inputs mean, those that cannot be opened included."""
        return tuple(found for found in self._found if isinstance(found, SourceFile))

    def _file(self, path: Path) -> SourceFile | SourceError:
        # A file name need not be UTF-8; what people and reports get to see is.
        name = os.fsencode(path).decode("utf-8", "replace")
        try:
            regular = stat.S_ISREG(path.stat().st_mode)
        except OSError as error:
            return _unreadable(path, error)
        return SourceFile(name, path) if regular else self._spooled(name, path)

    def _spooled(self, name: str, path: Path | None) -> SourceFile | SourceError:
        """Copy standard input, or the stream at *path*, to where it can be read again."""
        copy = Path(self._spool.name) / str(len(self._found))
        try:
            with copy.open("wb") as target:
                if path is None:
                    shutil.copyfileobj(sys.stdin.buffer, target)
                else:
                    with path.open("rb") as stream:
                        shutil.copyfileobj(stream, target)
        except OSError as error:
            return SourceError(name, f"it could not be copied: {error.strerror or error}")
        return SourceFile(name, copy)

    def __iter__(self) -> Iterator[Found]:
        for found in self._found:
            if isinstance(found, SourceError):
                yield found
            else:
                yield from _read(found)


def _without_mark(blocks: Iterator[bytes]) -> Iterator[bytes]:
    start = next(blocks, b"")
    return chain((start.removeprefix(_UTF8_BOM),), blocks)


def _unreadable(path: Path, error: OSError) -> SourceError:
    return SourceError(os.path.abspath(path), f"it cannot be read: {error.strerror or error}")  # noqa: PTH100  Path.resolve would follow links


def _read(file: SourceFile) -> Iterator[Found]:
    """Yield what *file* holds, and learn or compare its digest at the end."""
    records = size = 0
    sha256 = None
    try:
        with file.path.open("rb") as opened:
            reading = _Reading(opened)
            for found in _content(file, opened, reading):
                if isinstance(found, RdfFile):
                    yield found
                    return
                records += not isinstance(found, SourceError)
                yield found
            reading.rest()
            size, sha256 = reading.size, reading.sha256
    except OSError as error:
        yield _unreadable(file.path, error)
    if not file.was_read:
        file.sha256, file.size, file.records, file.was_read = sha256, size, records, True
    elif (file.sha256, file.size, file.records) != (sha256, size, records):
        raise SourceError(file.name, "the file changed while it was being read")


def _content(file: SourceFile, opened: IO[bytes], reading: _Reading) -> Iterator[Found]:
    """Yield what *opened* holds, read through *reading* as far as it is read in order."""
    content = Decompressed(reading)
    try:
        blocks = iter(content)
        start = next(blocks, b"")
        for beginning, reason in _OTHER_BEGINNINGS:
            if start.startswith(beginning):
                raise UnreadableError(reason)
        if compression_of(start):
            raise UnreadableError("it is compressed twice; decompress it once")
        form = content_of(start.removeprefix(_UTF8_BOM), file.name)
        if isinstance(form, ox.RdfFormat):
            yield RdfFile(file, form)
        elif form is Records.PARQUET:
            if content.compression:
                raise UnreadableError(f"it is Parquet inside {content.compression}; decompress it")
            yield from _rows(file.name, opened)
            opened.seek(reading.size)
        else:
            yield from _json(file.name, start, blocks, content)
    except UnreadableError as error:
        yield SourceError(file.name, str(error))


def _rows(name: str, opened: IO[bytes]) -> Iterator[RawRecord | RecordError | SourceError]:
    count = 0
    try:
        for row in parquet.rows(opened):
            position = f"record {count}"
            count += 1
            if isinstance(row, UnicodeDecodeError):
                yield RecordError("it holds text that is no UTF-8", file=name, position=position)
            else:
                yield RawRecord(name, position, row)
    except parquet.ParquetError as error:
        yield SourceError(name, f"{error}; {_WHOLE}: {count}")


def _json(
    name: str, start: bytes, blocks: Iterator[bytes], content: Decompressed
) -> Iterator[RawRecord | RecordError | SourceError]:
    offset = len(_UTF8_BOM) if start.startswith(_UTF8_BOM) else 0
    start, is_lines = _first_line(start[offset:], blocks, ending(name))
    blocks = chain((start,), blocks)
    count = 0
    fault = None
    if is_lines:
        for line in json_lines.lines(blocks, offset):
            position = f"line {line.number}"
            try:
                value = json_lines.value(line)
            except JsonError as error:
                if content.fault:  # the last line: what follows it is missing
                    break
                reason = f"column {error.column}: {error.reason}"
                yield RecordError(reason, file=name, position=position)
                continue
            count += 1
            yield RawRecord(name, position, value)
    else:
        try:
            for value in json_values.stream(blocks, offset):
                count += 1
                yield RawRecord(name, f"record {count - 1}", value)
        except JsonError as error:
            fault = f"truncated: {error}" if error.is_cut else str(error)
    if fault := content.fault or fault:
        yield SourceError(name, f"{fault}; {_WHOLE}: {count}")


def _first_line(start: bytes, blocks: Iterator[bytes], suffix: str) -> tuple[bytes, bool]:
    """Return *start* with its first line whole, and whether the file is JSON Lines.

    It is where that line is one whole JSON value other than an array, whose elements are the
    records; a line that is none is left to the file's name.
    """
    pieces = [start]
    length = len(start)
    while not start.lstrip() and (start := next(blocks, b"")):
        pieces.append(start)
        length += len(start)
    content = start.lstrip()
    if content.startswith(b"["):
        return b"".join(pieces), False
    line = [content]
    while b"\n" not in line[-1] and length <= json_values.LONGEST and (more := next(blocks, b"")):
        pieces.append(more)
        line.append(more)
        length += len(more)
    first = b"".join(line).split(b"\n", 1)[0]
    try:
        if first and length <= json_values.LONGEST:
            json_lines.value(json_lines.Line(1, 0, first))
            return b"".join(pieces), True
    except JsonError:
        pass
    return b"".join(pieces), suffix in JSON_LINES
