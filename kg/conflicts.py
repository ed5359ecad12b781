"""Conflicts: a thing that got two values of a property it can have only one of.

Which properties those are, the shapes say (``sh:maxCount 1`` of a class's shape). Two records may
disagree about one paper; both statements stand, and the report names the records.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pyoxigraph as ox

from kg.errors import ResourceError
from kg.namespaces import RDF_TYPE, SH
from kg.report import CONFLICT, Entry, Place, Severity

_TYPE: Final = f"<{RDF_TYPE}>".encode()
_SINGLE_VALUED: Final = f"""
PREFIX sh: <{SH}>
SELECT ?class ?property {{
  ?shape sh:targetClass ?class ; sh:property [ sh:path ?property ; sh:maxCount 1 ] .
  FILTER (isIRI(?property))
}}"""
NAMED_AT_MOST: Final = 5
"""How many records a conflict names for each value; the rest is counted."""


def single_valued(shapes: Path) -> dict[bytes, frozenset[bytes]]:
    """Return class → its single-valued properties (N-Triples terms) by the file *shapes*."""
    store = ox.Store()
    try:
        store.load(path=str(shapes), format=ox.RdfFormat.TURTLE)
    except (OSError, SyntaxError) as error:
        raise ResourceError(f"{shapes}: no shapes can be read from it: {error}") from error
    found: dict[bytes, set[bytes]] = {}
    solutions = store.query(_SINGLE_VALUED)
    if isinstance(solutions, ox.QuerySolutions):
        for solution in solutions:
            found.setdefault(_bytes(solution["class"]), set()).add(_bytes(solution["property"]))
    return {class_: frozenset(properties) for class_, properties in found.items()}


def _bytes(term: object) -> bytes:
    return str(term).encode()


@dataclass(slots=True)
class _Value:
    """Which records gave a value: the first few, and how many."""

    places: list[Place] = field(default_factory=list)
    count: int = 0


class Conflicts:
    """Finds conflicts in sorted triples, then learns which records they came from.

    Give it all of the sorted triples by :meth:`scan` and then call :meth:`end`. Where
    :attr:`found` is true, give it the hashes of each record's lines by :meth:`trace`, then take
    :meth:`entries`. It holds one subject's doubtful lines, and the conflicts.
    """

    def __init__(self, properties: Mapping[bytes, frozenset[bytes]]) -> None:
        self._properties = properties
        self._any = frozenset[bytes]().union(*properties.values())
        self._subject = b""
        self._classes: list[bytes] = []
        self._predicate = b""
        self._rest = b""
        self._repeated: dict[bytes, list[bytes]] = {}
        self._values: dict[int, _Value] = {}
        self._conflicts: list[list[bytes]] = []

    @property
    def found(self) -> bool:
        """Whether there is any conflict."""
        return bool(self._conflicts)

    @property
    def hashes(self) -> AbstractSet[int]:
        """The hashes of the lines that are in conflict."""
        return self._values.keys()

    def scan(self, parts: Iterable[list[bytes]]) -> None:
        """Look at the next triples: subject, predicate and the rest of the line of each."""
        for subject, predicate, rest in parts:
            if subject != self._subject:
                if self._repeated:
                    self.end()
                self._classes.clear()
                self._subject, self._predicate = subject, b""
            if predicate == _TYPE:
                self._classes.append(rest[:-2])
            elif predicate in self._any:
                if predicate == self._predicate:
                    first = b" ".join((subject, predicate, self._rest))
                    repeated = self._repeated.setdefault(predicate, [first])
                    repeated.append(b" ".join((subject, predicate, rest)))
                self._rest = rest
            self._predicate = predicate

    def end(self) -> None:
        """Take the subject that was being looked at as complete."""
        for predicate, lines in self._repeated.items():
            if any(predicate in self._properties.get(class_, ()) for class_ in self._classes):
                self._conflicts.append(lines)
                self._values.update((hash(line), _Value()) for line in lines)
        self._repeated.clear()
        self._classes.clear()
        self._predicate = b""

    def trace(self, hashes: Iterable[int], place: Place) -> None:
        """Note which of the conflicting values a record gave, by the hashes of its lines."""
        for found in self._values.keys() & hashes:
            value = self._values[found]
            value.count += 1
            if len(value.places) < NAMED_AT_MOST:
                value.places.append(place)

    def entries(self) -> Iterator[Entry]:
        """Yield one entry a conflict; each value with the records that gave it."""
        for lines in self._conflicts:
            subject, predicate, _ = lines[0].decode().split(" ", 2)
            values = [self._values[hash(line)] for line in lines]
            first = values[0].places[0] if values[0].places else Place(None)
            yield Entry(
                Severity.WARNING,
                CONFLICT,
                first,
                f"{subject} has {len(lines)} values of a property that has one: "
                + "; ".join(
                    f"{_short(_term(line))} from {_named(value)}"
                    for line, value in zip(lines, values, strict=True)
                ),
                predicate.strip("<>"),
                tuple(
                    {
                        "value": _term(line),
                        "records": [place.as_json() for place in value.places],
                        "count": value.count,
                    }
                    for line, value in zip(lines, values, strict=True)
                ),
            )


def _term(line: bytes) -> str:
    return line.decode().split(" ", 2)[2].removesuffix(" .")


def _short(term: str) -> str:
    return term if len(term) <= 60 else f"{term[:58]}…"


def _named(value: _Value) -> str:
    """Return the first record that gave a value, and how many more did."""
    first = f"({value.places[0]})" if value.places else "an unknown record"
    more = value.count - 1
    return f"{first} and {more} more" if more > 0 else first
