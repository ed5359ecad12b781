"""Collisions: two different things that got one IRI.

A key that holds ``~`` carries a hash of 32 bits, so among very many names two can meet. What a key
was made of stands in the graph beside it: the slug of a thing, the label of one known by name
only, the model of a result, the metric of a measurement. Two of those on one subject are two
things, and no graph can be right that has merged them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final

import pyoxigraph as ox

from kg.errors import CollisionError
from kg.namespaces import KG, RDFS
from kg.sorting import Block

_SLUG: Final = f"<{KG}slug>".encode()
_LABEL: Final = f"<{RDFS}label>".encode()
_MODEL: Final = f"<{KG}modelName>".encode()
_METRIC: Final = f"<{KG}metric>".encode()
_NAMES: Final = (
    # a part of the path of an IRI below any base → the property that holds what its key is of
    (re.compile(rb"/(?:dataset|task|method)/name/[^/#]*~[0-9a-f]{8}>"), _LABEL),
    (re.compile(rb"/metric/[^/#]*~[0-9a-f]{8}>"), _LABEL),
    (re.compile(rb"/(?:paper|dataset|task|method|leaderboard)/[^/#]*~[0-9a-f]{8}>"), _SLUG),
    (re.compile(rb"/result/[^#]*~[0-9a-f]{8}(?:/extra)?(?:~[0-9a-f]{8})?>"), _MODEL),
    (re.compile(rb"/result/[^#]*#[^#]*~[0-9a-f]{8}>"), _METRIC),
)


class Collisions:
    """Finds collisions in sorted N-Triples, or with *graphs* in N-Quads; it holds one line.

    Lines without ``~`` can be left out.
    """

    def __init__(self, *, graphs: bool = False) -> None:
        self._graphs = graphs
        self._subject = b""
        self._property: bytes | None = None
        self._first: bytes | None = None

    def scanned(self, blocks: Iterable[Block]) -> Iterator[Block]:
        """Pass on *blocks*, each after a look at it."""
        for block in blocks:
            for line in block:
                if b"~" in line:
                    self.scan(line)
            yield block

    def scan(self, line: bytes) -> None:
        """Look at the next line; raises :class:`~kg.errors.CollisionError` at a second name."""
        subject, predicate, rest = line.split(b" ", 2)
        if subject != self._subject:
            self._subject, self._first = subject, None
            self._property = _property(subject) if b"~" in subject else None
        if predicate != self._property:
            return
        if self._graphs:
            rest = rest.rsplit(b" ", 2)[0] + b" ."
        if self._first is None:
            self._first = rest
        elif _text(rest) != _text(self._first):
            # Sorted lines stand next to one another, so the first and this one are enough.
            raise CollisionError(subject.decode().strip("<>"), _text(self._first), _text(rest))


def _property(subject: bytes) -> bytes | None:
    for pattern, property_ in _NAMES:
        if pattern.search(subject):
            return property_
    return None


def _text(rest: bytes) -> str:
    """Return what a key is of, in the form in which it is hashed (NFC)."""
    (quad,) = ox.parse(b"<a:a> <a:a> " + rest, format=ox.RdfFormat.N_TRIPLES)
    value = quad.object.value if not isinstance(quad.object, ox.Triple) else ""
    return ascii(unicodedata.normalize("NFC", value))
