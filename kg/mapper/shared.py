"""Nodes that many records have in common: tasks, methods, concepts, repositories, metrics.

A corpus names a few thousand of them some ten times a record, each time in the same words. They
are made once, and a mapper that is asked to writes their lines once.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Final

HELD: Final = 20_000
"""Nodes that are held at once, some 500 bytes each; then all are forgotten, and made anew."""


class SharedNode(dict[str, object]):
    """A node that is never changed.

    *term* is its N-Triples term once its lines are written, and *hashes* are those of the lines.
    """

    __slots__ = ("hashes", "term")

    def __init__(self, node: dict[str, object]) -> None:
        super().__init__(node)
        self.term: bytes | None = None
        self.hashes = array("q")


class SharedNodes:
    """The shared nodes of records of one kind, by what they are made of."""

    def __init__(self) -> None:
        self._known: dict[tuple[str | None, ...], SharedNode] = {}

    def node(self, make: Callable[[], dict[str, object]], *key: str | None) -> SharedNode:
        """Return the node of *key*; *make* makes it where it is not known."""
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= HELD:
                self._known.clear()
            known = self._known[key] = SharedNode(make())
        return known
