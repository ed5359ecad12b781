"""The child that sorts lines into runs: ``python -m kg.processes.sorting DIR``, the folder."""

from __future__ import annotations

import sys
from functools import partial
from io import BufferedIOBase
from pathlib import Path
from typing import Final

from kg.processes import work
from kg.sorting import SortedLines

_AT_ONCE: Final = 1 << 20


def sort(folder: Path, lines: BufferedIOBase) -> None:
    """Sort *lines* into runs in *folder*."""
    sorted_lines = SortedLines(folder)
    while text := lines.read(_AT_ONCE):
        if not text.endswith(b"\n"):
            text += lines.readline()
        sorted_lines.update(text[:-1].split(b"\n"))
    sorted_lines.settle()


if __name__ == "__main__":
    work(partial(sort, Path(sys.argv[1])), Path(sys.argv[1]))
