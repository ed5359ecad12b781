"""How a snapshot's store comes about: loaded as a whole, or made of the one before it.

Either is done by a process of its own, which can be killed while the engine works.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from kg.difference import Stretch, difference
from kg.processes import Process
from kg.snapshot import Snapshot
from kg.sorting import Block


@dataclass(slots=True)
class Changes:
    """What an update changed: how many triples of the default graph it *added* and *removed*."""

    added: int = 0
    removed: int = 0


class Filling(Protocol):
    """Fills a store while the product is written.

    It takes all of the new snapshot in stretches, beside what the *old* one has in their place.
    *changes* are those that were made to the old one's store, where it is the beginning.
    """

    old: Snapshot | None
    changes: Changes | None

    def triples(self, stretch: Stretch) -> None:
        """Take a stretch of the default graph."""
        ...

    def quads(self, stretch: Stretch) -> None:
        """Take a stretch of the named graphs."""
        ...

    def finish(self) -> None:
        """Wait until all is in the store; raises :class:`~kg.errors.StoreError`."""
        ...


class Loading:
    """Loads all into a new store, which *process* makes."""

    def __init__(self, process: Process) -> None:
        self.old: Snapshot | None = None
        self.changes: Changes | None = None
        self._process = process

    def triples(self, stretch: Stretch) -> None:
        """Load a stretch of the default graph."""
        self._load(stretch[1])

    def quads(self, stretch: Stretch) -> None:
        """Load a stretch of the named graphs."""
        self._load(stretch[1])

    def _load(self, lines: Block) -> None:
        if lines:
            self._process.write(b"\n".join(lines) + b"\n")

    def finish(self) -> None:
        """Wait until all is loaded."""
        self._process.finish()


class Updating:
    """Changes what differs in a copy of the *old* store, which *process* has made."""

    def __init__(self, process: Process, old: Snapshot) -> None:
        self.old: Snapshot | None = old
        self.changes: Changes | None
        self.changes = self._changes = Changes()
        self._process = process

    def triples(self, stretch: Stretch) -> None:
        """Change a stretch of the default graph, and count what is changed."""
        removed, added = self._change(stretch)
        self._changes.removed += removed
        self._changes.added += added

    def quads(self, stretch: Stretch) -> None:
        """Change a stretch of the named graphs."""
        self._change(stretch)

    def _change(self, stretch: Stretch) -> tuple[int, int]:
        """Remove the lines that only the old side of *stretch* has, add those of the new side.

        Returns how many were removed, and how many added.
        """
        removed, added = difference(stretch)
        self._say(b"-", removed)
        self._say(b"+", added)
        for line in removed:
            if b'"^^<' in line:
                self._say(b"+", _values(stretch[1], line))
        return len(removed), len(added)

    def finish(self) -> None:
        """Wait until all is changed."""
        self._process.finish()

    def _say(self, sign: bytes, lines: Iterable[bytes]) -> None:
        said = b"".join(b"%b%b\n" % (sign, line) for line in lines)
        if said:
            self._process.write(said)


@contextmanager
def loading(made: Snapshot) -> Iterator[Filling]:
    """Fill the store of *made*, which is new."""
    with Process("loading", str(made.store)) as process:
        yield Loading(process)


@contextmanager
def updating(old: Snapshot, made: Snapshot) -> Iterator[Filling]:
    """Make the store of *made* of that of *old*."""
    with Process("updating", str(old.store), str(made.store)) as process:
        yield Updating(process, old)


def _values(lines: Block, line: bytes) -> Block:
    """Return those of sorted *lines* that have the subject and the predicate of *line*.

    The store keeps 1 and 01 as one number: with the one removed, the other is to be said again.
    """
    subject, predicate, _ = line.split(b" ", 2)
    said = b"%b %b" % (subject, predicate)
    return lines[bisect_left(lines, said + b" ") : bisect_left(lines, said + b"!")]
