"""An external sort of lines: sorted by bytes, each once, in memory that does not grow with them.

Lines are collected up to a number of bytes, sorted, and written as a run; the runs are merged.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

CHUNK_BYTES: Final = 64 * 1024 * 1024
FAN_IN: Final = 64
"""How many runs are merged at once; systems allow as few as 256 open files."""

_OBJECT_BYTES: Final = 100  # what Python needs for a line besides its bytes, the set included


class SortedLines:
    """Lines to be sorted, with their runs in *folder* (made if missing, left to its owner).

    Add lines, then iterate, as often as needed: each different line once, in the order of their
    bytes. *chunk_bytes* bounds the memory, *fan_in* the open files.
    """

    def __init__(
        self, folder: Path, *, chunk_bytes: int = CHUNK_BYTES, fan_in: int = FAN_IN
    ) -> None:
        self._folder = folder
        self._chunk_bytes = chunk_bytes
        self._fan_in = fan_in
        self._lines: set[bytes] = set()
        self._bytes = 0
        self._runs: list[Path] = []
        self._written = 0
        folder.mkdir(parents=True, exist_ok=True)

    def add(self, line: bytes) -> None:
        """Take in a line, without its end; raises ValueError if it holds one."""
        if b"\n" in line:
            raise ValueError(f"not one line: {line!r}")
        if line in self._lines:
            return
        self._lines.add(line)
        self._bytes += len(line) + _OBJECT_BYTES
        if self._bytes >= self._chunk_bytes:
            self._runs.append(self._run(sorted(self._lines)))
            self._lines.clear()
            self._bytes = 0
            if len(self._runs) >= self._fan_in:
                merged = self._run(_merged(self._runs))
                for run in self._runs:
                    run.unlink()
                self._runs = [merged]

    def _run(self, lines: Iterable[bytes]) -> Path:
        path = self._folder / f"run-{self._written}"
        self._written += 1
        with path.open("wb") as file:
            for line in lines:
                file.write(line + b"\n")
        return path

    def __iter__(self) -> Iterator[bytes]:
        return _merged(self._runs, sorted(self._lines))


def _merged(runs: Iterable[Path], held: Iterable[bytes] = ()) -> Iterator[bytes]:
    with ExitStack() as opened:
        # Lines are compared without their ends: "a" stands before "a\t", "a\n" does not.
        parts = [(line[:-1] for line in opened.enter_context(path.open("rb"))) for path in runs]
        yield from merged(*parts, held)


def merged(*parts: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the lines of *parts*, each of which is sorted, in order, each different one once."""
    previous: bytes | None = None
    for line in heapq.merge(*parts):
        if line != previous:
            yield line
        previous = line
