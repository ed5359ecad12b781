"""The child that sorts lines into runs, and loads them: ``python -m kg.processes.sorting DIR``.

``DIR [STORE]``: the runs are written to the folder DIR, and each is loaded into a store that is
made in the folder STORE while the next is sorted. A blank line ends the lines to be sorted; it is
answered with the line ``sorted``. What follows is loaded only.
"""

from __future__ import annotations

import os
import shutil
import sys
import threading
from collections.abc import Iterator
from contextlib import nullcontext
from functools import partial
from io import BufferedIOBase
from pathlib import Path
from queue import Queue
from typing import Final

from kg.processes import answer, end_with, work
from kg.sorting import SortedLines
from kg.store import Store

SORTED: Final = b"sorted\n"
_AT_ONCE: Final = 1 << 20
_LOOKED: Final = 0.5
"""Seconds between two looks at whether the parent is still there."""


def sort(folder: Path, store: Path | None, lines: BufferedIOBase) -> None:
    """Sort *lines* into runs in *folder*, and load them into *store*."""
    given = _Input(lines)
    with _Loader(store) if store else nullcontext() as loader:
        sorted_lines = SortedLines(folder, settled=loader.load if loader else None)
        for block in given.blocks():
            sorted_lines.update(block)
        sorted_lines.settle()
        answer(SORTED)
        if loader:
            loader.load_rest(given)


class _Input:
    """Lines up to a blank one, and those after it."""

    def __init__(self, lines: BufferedIOBase) -> None:
        self._lines = lines
        self._rest = b""

    def blocks(self) -> Iterator[list[bytes]]:
        """Yield the lines up to a blank one, without their ends."""
        while text := self._read():
            end = 0 if text.startswith(b"\n") else text.find(b"\n\n") + 1
            if end or text.startswith(b"\n"):
                self._rest = text[end + 1 :]
                if end:
                    yield text[: end - 1].split(b"\n")
                return
            yield text[:-1].split(b"\n")

    def texts(self) -> Iterator[bytes]:
        """Yield what follows, in whole lines."""
        yield self._rest
        while text := self._read():
            yield text

    def _read(self) -> bytes:
        """Return whole lines, as soon as there are any: who wrote them may wait for an answer."""
        text = self._lines.read1(_AT_ONCE)
        return text if text.endswith(b"\n") or not text else text + self._lines.readline()


class _Loader:
    """Loads files into a new *store*, in a thread: the engine lets others work meanwhile."""

    def __init__(self, store: Path) -> None:
        self._folder = store.with_name("loading")
        self._folder.mkdir()
        self._store = Store.create(store)
        self._files: Queue[Path | None] = Queue()
        self._taken = 0
        self._error: Exception | None = None
        self._parent = os.getppid()
        self._thread = threading.Thread(target=self._load, name="loading", daemon=True)
        self._thread.start()

    def load(self, run: Path) -> None:
        """Have a file loaded, which may be gone before it comes to that."""
        link = self._next()
        try:
            os.link(run, link)
        except OSError:  # no links on this file system
            shutil.copyfile(run, link)
        self._files.put(link)

    def load_rest(self, given: _Input) -> None:
        """Have all that is left of *given* loaded."""
        path = self._next()
        with path.open("wb") as file:
            file.writelines(given.texts())
        self._files.put(path)

    def _next(self) -> Path:
        if self._error:
            raise self._error
        self._taken += 1
        return self._folder / str(self._taken)

    def _load(self) -> None:
        try:
            while (path := self._files.get()) is not None:
                self._store.load(path)
                path.unlink()
            self._store.flush()
        except Exception as error:  # raised again where it is noticed
            self._error = error

    def __enter__(self) -> _Loader:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._files.put(None)
        if kind is None:
            while self._thread.is_alive():
                self._thread.join(_LOOKED)
                end_with(self._parent)
            if self._error:
                raise self._error
            self._folder.rmdir()


if __name__ == "__main__":
    into = Path(sys.argv[2]) if len(sys.argv) > 2 else None
    work(partial(sort, Path(sys.argv[1]), into), Path(sys.argv[1]))
