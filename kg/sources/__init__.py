"""Input files → raw records, one at a time, as often as they are asked for.

JSON (one object, an array, objects one after another) and JSON Lines, in UTF-8, and Parquet; which
of them a file is, its content tells. An RDF file is one element, whose statements are read by
whoever wants them. Text may be compressed. A problem is an element of the sequence like a record,
so that what stands behind it is still read; only a file that changed between two readings is
raised.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

from kg.errors import SourceError
from kg.sources import paths
from kg.sources.files import Found, RawRecord, RdfFile, SourceFile
from kg.sources.json_values import Object
from kg.sources.labels import told_apart
from kg.sources.left_out import LeftOut, full_path, shown
from kg.sources.paths import InputFile
from kg.sources.reading import read
from kg.sources.spool import Copy

__all__ = [
    "STANDARD_INPUT",
    "Found",
    "LeftOut",
    "Object",
    "RawRecord",
    "RdfFile",
    "SourceFile",
    "Sources",
]

STANDARD_INPUT: Final = "-"
_STANDARD_INPUT_NAME: Final = "standard input"


class Sources:
    """The raw records of *inputs*, in their order; each iteration reads the files again.

    An input is a file, a folder, a glob pattern, a ``file:`` URL (:func:`kg.sources.paths.files`)
    or ``-`` for standard input. Of standard input, and of whatever else can be read only once (a
    named pipe), a copy is made at once (:mod:`kg.sources.spool`); :meth:`close`, or the end of a
    ``with`` block, gives its room back. A file that is named twice is read once. The folder
    *leave_out* is not looked into, and neither is a store of paperkg; what else below a folder is
    passed over says :attr:`left_out`.

    Iteration yields a :class:`RawRecord`, a :class:`~kg.errors.RecordError` for a line or an
    element that is no JSON, a :class:`~kg.errors.SourceError` for a file that cannot be read (to
    its end), and an :class:`RdfFile`, which it does not read. It raises
    :class:`~kg.errors.SourceError` where a file is not what it was when first read.
    """

    def __init__(self, inputs: Sequence[str | Path], *, leave_out: Path | None = None) -> None:
        self._copies: list[Copy] = []
        self._found: list[SourceFile | SourceError] = []
        self._left_out: dict[LeftOut, None] = {}
        seen: set[str] = set()  # real paths of files, and errors
        try:
            for given in inputs:
                if given == STANDARD_INPUT:
                    if STANDARD_INPUT not in seen:
                        self._found.append(self._standard_input())
                    seen.add(STANDARD_INPUT)
                    continue
                for meant in paths.files(given, leave_out):
                    if isinstance(meant, LeftOut):
                        self._left_out[meant] = None
                    elif isinstance(meant, SourceError):
                        if str(meant) not in seen:
                            self._found.append(meant)
                        seen.add(str(meant))
                    elif (real := os.path.normcase(os.path.realpath(meant.path))) not in seen:
                        seen.add(real)
                        self._found.append(self._file(meant))
        except BaseException:
            self.close()
            raise
        self._label()

    def close(self) -> None:
        """Give back the room of the copies of what could be read only once."""
        for copy in self._copies:
            copy.close()

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

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """What stands below the folders given and was not looked into, each once."""
        return tuple(self._left_out)

    def _file(self, meant: InputFile) -> SourceFile | SourceError:
        name = shown(meant.path)
        if not meant.once:
            return SourceFile(name, meant.label, meant.path, meant.path)
        try:
            with meant.path.open("rb") as stream:
                return self._copied(name, meant.label, meant.path, stream)
        except OSError as error:
            return paths.unreadable(meant.path, error)

    def _standard_input(self) -> SourceFile | SourceError:
        stream: IO[bytes] | None = getattr(sys.stdin, "buffer", None)
        if stream is None:  # a notebook has none
            return SourceError(_STANDARD_INPUT_NAME, "there is none here; name a file")
        return self._copied(_STANDARD_INPUT_NAME, _STANDARD_INPUT_NAME, None, stream)

    def _copied(
        self, name: str, label: str, path: Path | None, stream: IO[bytes]
    ) -> SourceFile | SourceError:
        try:
            copy = Copy(stream)
        except OSError as error:
            return SourceError(name, f"it could not be copied: {error.strerror or error}")
        self._copies.append(copy)
        return SourceFile(name, label, path, copy)

    def _label(self) -> None:
        """Make the labels of the files tell them apart."""
        files = self.files
        given = [
            (file.label, Path(full_path(file.path)).as_posix() if file.path else file.label)
            for file in files
        ]
        for file, label in zip(files, told_apart(given), strict=True):
            file.label = label

    def __iter__(self) -> Iterator[Found]:
        for found in self._found:
            if isinstance(found, SourceError):
                yield found
            else:
                yield from read(found)
