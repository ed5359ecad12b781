"""Lines sorted beside the work that makes them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from kg.processes import Process
from kg.sorting import SortedLines


class Sorter:
    """Takes lines, and gives them back sorted; the runs stand in *folder*, which it makes.

    Use it in a ``with`` block. What it does raises :class:`~kg.errors.StoreError` where a file
    cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True)
        self._process = Process("sorting", str(folder))

    def update(self, lines: Sequence[bytes]) -> None:
        """Take in lines, none of which is empty or has an end."""
        if lines:
            self._process.write(b"\n".join(lines) + b"\n")

    def sorted(self) -> SortedLines:
        """Return the lines, once all are taken in."""
        self._process.finish()
        return SortedLines.of(self._folder)

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
