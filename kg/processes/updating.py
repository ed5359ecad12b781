"""The child that makes a store of another one: ``python -m kg.processes.updating OLD NEW``.

Its lines are N-Quads after a sign: ``-`` for those to be removed, ``+`` for those to be added.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from io import BufferedIOBase
from pathlib import Path
from typing import IO, cast

from kg.processes import work
from kg.store import Store


def update(old: Path, new: Path, lines: BufferedIOBase) -> None:
    """Make a store in the folder *new* that has what *old* has, but for what *lines* say.

    The files of the old store are linked, not copied, and none of them is written again. All is
    removed before anything is added: two lines may be one triple to the store, which keeps the
    values of numbers and not how they are written.
    """
    Store.open(old).back_up(new)
    made = Store.create(new)
    with tempfile.TemporaryFile(dir=new.parent) as added:
        made.remove(_removed(lines, added))
        added.seek(0)
        made.load(cast("BufferedIOBase", added))
    made.forget_empty_graphs()
    made.flush()


def _removed(lines: BufferedIOBase, added: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines to be removed; those to be added are written to *added*."""
    for line in lines:
        if line.startswith(b"-"):
            yield line[1:-1]
        else:
            added.write(line[1:])


if __name__ == "__main__":
    work(partial(update, Path(sys.argv[1]), Path(sys.argv[2])), Path(sys.argv[2]))
