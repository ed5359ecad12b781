"""Nodes that many records have in common: tasks, methods, concepts, repositories, metrics.

A corpus names a few thousand of them some ten times a record, each time in the same words. They
are made once, and a mapper that is asked to writes their lines once.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable
from typing import Final

from kg.findings import Finding

HELD: Final = 20_000
"""Nodes that are held at once, some 500 bytes each and a method's copy with all its texts; then all
are forgotten, and made anew."""


class SharedNode(dict[str, object]):
    """A node that is never changed.

    *findings* are what was odd about it when it was made. *term* is its N-Triples term once its
    lines are written, and *hashes* are those of the lines, with those of the nodes in it.
    """

    __slots__ = ("findings", "hashes", "term")

    def __init__(self, node: dict[str, object], findings: list[Finding]) -> None:
        super().__init__(node)
        self.findings = findings
        self.term: bytes | None = None
        self.hashes = array("q")


class SharedNodes:
    """The shared nodes of records of one kind, by what they are made of."""

    def __init__(self) -> None:
        self._known: dict[tuple[Hashable, ...], SharedNode] = {}

    def node(
        self, make: Callable[[], dict[str, object]], findings: list[Finding], *key: Hashable
    ) -> SharedNode:
        """Return the node of *key*; *make* makes it where it is not known.

        *findings* are those of a record, to which *make* adds; what is odd about a node that is
        known is added again, for each record that has it.
        """
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= HELD:
                self._known.clear()
            before = len(findings)
            node = make()
            known = self._known[key] = SharedNode(node, findings[before:])
        else:
            findings += known.findings
        return known
