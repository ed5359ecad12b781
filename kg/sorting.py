"""An external sort of lines: sorted by bytes, each once, in memory that does not grow with them.

Lines are collected up to a number of bytes, sorted, and written as a run; the runs are merged
block by block. Lists of lines are passed around, not lines: per line, Python does nothing.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator
from io import BufferedIOBase
from itertools import chain, groupby, islice
from pathlib import Path
from typing import Final, Self, TypeAlias

Block: TypeAlias = list[bytes]
"""Lines without their ends, sorted, each once."""

CHUNK_BYTES: Final = 64 * 1024 * 1024
FAN_IN: Final = 64
"""How many runs are merged at once; systems allow as few as 256 open files."""

LINES_OF_A_BLOCK: Final = 10_000
_MERGE_BYTES: Final = 32 * 1024 * 1024
"""What is read of all runs together while they are merged."""
_LEAST_READ: Final = 64 * 1024

_END: Final[Block] = []

_OBJECT_BYTES: Final = 100  # what Python needs for a line besides its bytes, the set included


class SortedLines:
    """Lines to be sorted, with their runs in *folder* (made if missing, left to its owner).

    Add lines, then iterate, as often as needed: each different line once, in the order of their
    bytes. *chunk_bytes* bounds the memory, *fan_in* the open files.
    """

    def __init__(
        self,
        folder: Path,
        *,
        chunk_bytes: int = CHUNK_BYTES,
        fan_in: int = FAN_IN,
    ) -> None:
        self._folder = folder
        self._chunk_bytes = chunk_bytes
        self._fan_in = fan_in
        self._lines: set[bytes] = set()
        self._bytes = 0
        self._runs: list[Path] = []
        self._written = 0
        # Not the folder above it: where that is gone, so is whoever wanted the lines.
        folder.mkdir(exist_ok=True)

    @classmethod
    def of(cls, folder: Path) -> Self:
        """Return the lines that stand in *folder*, where others that settled have left them."""
        lines = cls(folder)
        lines._runs = list(folder.iterdir())
        lines._written = 1 + max((int(run.suffix[1:]) for run in lines._runs), default=-1)
        return lines

    def add(self, line: bytes) -> None:
        """Take in a line, without its end; raises ValueError if it holds one."""
        self.update((line,))

    def update(self, lines: Collection[bytes]) -> None:
        """Take in lines, without their ends; raises ValueError if one holds an end."""
        if b"\n" in b"".join(lines):
            ended = next(line for line in lines if b"\n" in line)
            raise ValueError(f"not one line: {ended!r}")
        before = len(self._lines)
        self._lines.update(lines)
        new = len(self._lines) - before
        if lines:
            self._bytes += new * (sum(map(len, lines)) // len(lines) + _OBJECT_BYTES)
        if self._bytes >= self._chunk_bytes:
            self._settle()
            if len(self._runs) >= self._fan_in:
                merged = self._run(self._merged([]))
                for run in self._runs:
                    run.unlink()
                self._runs = [merged]

    def settle(self) -> None:
        """Write what is held in memory, so that the folder has all (:meth:`of`)."""
        if self._lines:
            self._settle()

    def _settle(self) -> None:
        run = self._run([sorted(self._lines)])
        self._runs.append(run)
        self._lines.clear()
        self._bytes = 0

    def _run(self, blocks: Iterable[Block]) -> Path:
        path = self._folder / f"run.{self._written}"
        self._written += 1
        with path.open("wb") as file:
            for block in blocks:
                file.write(b"\n".join(block) + b"\n")
        return path

    def blocks(self) -> Iterator[Block]:
        """Yield the lines in blocks."""
        return self._merged(sorted(self._lines))

    def _merged(self, held: Block) -> Iterator[Block]:
        size = max(_LEAST_READ, _MERGE_BYTES // max(1, len(self._runs)))
        return merged_blocks(*(_read(run, size) for run in self._runs), in_blocks(held))

    def __iter__(self) -> Iterator[bytes]:
        return chain.from_iterable(self.blocks())


def _read(run: Path, size: int) -> Iterator[Block]:
    with run.open("rb") as file:
        yield from blocks_of(file, size)


def blocks_of(file: BufferedIOBase, size: int = _LEAST_READ) -> Iterator[Block]:
    """Yield the sorted lines of an open file in blocks of about *size* bytes."""
    while piece := file.read(size):
        if not piece.endswith(b"\n"):
            piece += file.readline()
        yield piece.removesuffix(b"\n").split(b"\n")


def in_blocks(lines: Iterable[bytes]) -> Iterator[Block]:
    """Yield sorted *lines* in blocks."""
    rest = iter(lines)
    while block := list(islice(rest, LINES_OF_A_BLOCK)):
        yield block


def merged_blocks(*parts: Iterator[Block]) -> Iterator[Block]:
    """Yield the lines of *parts*, each of which is sorted, in order, each different one once.

    What stands up to the least of the blocks' last lines is complete: nothing that is yet to be
    read can come before it. Sorting finds the runs in it again and merges them.
    """
    waiting = [(block, part) for part in parts if (block := next(part, _END))]
    while len(waiting) > 1:
        bound = min(block[-1] for block, _ in waiting)
        ready: list[Block] = []
        left: list[tuple[Block, Iterator[Block]]] = []
        for block, part in waiting:
            end = bisect_right(block, bound)
            if end:
                ready.append(block[:end])
            rest = block[end:] or next(part, _END)
            if rest:
                left.append((rest, part))
        waiting = left
        if len(ready) == 1:
            yield ready[0]
        else:
            yield list(dict.fromkeys(sorted(chain.from_iterable(ready))))
    for block, part in waiting:
        yield block
        yield from part


def merged(*parts: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the lines of *parts*, each of which is sorted, in order, each different one once."""
    return chain.from_iterable(merged_blocks(*(in_blocks(_once(part)) for part in parts)))


def _once(lines: Iterable[bytes]) -> Iterator[bytes]:
    return (line for line, _ in groupby(lines))
