"""The files of the input, what they hold, and one reading of one of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import IO, Final, TypeAlias

import pyoxigraph as ox

from kg.errors import RecordError, SourceError
from kg.sources import paths, rdf
from kg.sources.compression import Decompressed
from kg.sources.spool import Copy

BLOCK: Final = 256 * 1024
UTF8_BOM: Final = b"\xef\xbb\xbf"

_NOTHING_TAKEN: Final = "nothing of the file is taken in; statements read before it"


@dataclass(frozen=True, slots=True)
class RawRecord:
    """One JSON value of a source: its *file*, its *position* in it (``line 3``, ``record 0``).

    The value of a record is a dict, an :class:`~kg.sources.json_values.Object` where it repeats a
    key; numbers in it are :class:`~kg.values.Number`. A value of another type is passed on for the
    reader to refuse.
    """

    file: str
    position: str
    value: object


@dataclass(slots=True)
class SourceFile:
    """An input file: its *name* for people and its *label*; the rest is known after one reading.

    The label tells it from the other files of a build (:mod:`kg.sources.labels`). *path* is None
    for standard input; *content* is what is opened, a copy of what can be read only once. *sha256*
    (hex, None where the file could not be read to its end) and *size* are those of the bytes of
    the file, compressed or not. *records* counts its records, refused ones included; *statements*
    those of an RDF file that was read whole, and is None for any other.
    """

    name: str
    label: str
    path: Path | None
    content: Path | Copy = field(repr=False)
    sha256: str | None = None
    size: int = 0
    records: int = 0
    statements: int | None = None
    was_read: bool = False

    def open(self) -> IO[bytes]:
        """Open it for a reading from its beginning; raises OSError."""
        if isinstance(self.content, Copy):
            return self.content.open()
        return self.content.open("rb")

    def unreadable(self, error: OSError) -> SourceError:
        """Return the error for a file that cannot be opened, or not be read on."""
        if self.path is None:
            return SourceError(self.name, f"it cannot be read: {error.strerror or error}")
        return paths.unreadable(self.path, error)


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
            with self.file.open() as opened:
                reading = Reading(opened)
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
            raise self.file.unreadable(error) from error
        if fault:
            raise SourceError(self.file.name, f"{fault}; {_NOTHING_TAKEN}: {count}")
        self.file.statements = count


Found: TypeAlias = RawRecord | RecordError | SourceError | RdfFile
"""What an iteration over sources yields."""


class Reading:
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
        """The digest of the bytes read so far, in hexadecimal."""
        return self._digest.hexdigest()


def _without_mark(blocks: Iterator[bytes]) -> Iterator[bytes]:
    start = next(blocks, b"")
    return chain((start.removeprefix(UTF8_BOM),), blocks)
