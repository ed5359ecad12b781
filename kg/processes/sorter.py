"""Lines sorted, and loaded, beside the work that makes them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from kg.processes import Process
from kg.processes.sorting import SORTED
from kg.sorting import Block, SortedLines


class Sorter:
    """Takes lines, and gives them back sorted; the runs stand in *folder*, which it makes.

    With a *store* they are loaded into it too, each run as it comes, so that both go on together: a
    line that stands in several runs is loaded several times, and is one in the store. Use it in a
    ``with`` block. What it does raises :class:`~kg.errors.StoreError` where a file or the store
    cannot be written.
    """

    def __init__(self, folder: Path, store: Path | None = None) -> None:
        self._folder = folder
        folder.mkdir(parents=True)
        self._process = Process("sorting", str(folder), *([str(store)] if store else []))

    def update(self, lines: Sequence[bytes]) -> None:
        """Take in lines, none of which is empty or has an end."""
        if lines:
            self._process.write(b"\n".join(lines) + b"\n")

    def sorted(self) -> SortedLines:
        """Return the lines, once all are taken in."""
        self._process.write(b"\n")
        self._process.hear(SORTED)
        return SortedLines.of(self._folder)

    def load(self, block: Block) -> None:
        """Load lines of N-Quads too, which are not among those sorted."""
        self._process.write(b"\n".join(block) + b"\n")

    def finish(self) -> None:
        """Wait until all is loaded."""
        self._process.finish()

    def __enter__(self) -> Self:
        self._process.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.__exit__(kind, error, trace)
