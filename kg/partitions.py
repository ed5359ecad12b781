"""What a graph has how much of, counted while its sorted triples go by.

These are the statistics of VoID (https://www.w3.org/TR/void/, section 4): entities, distinct
subjects, and partitions by property, by class, and by property within a class. They are kept with
a snapshot, because to ask a store of millions of triples for them takes minutes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Self

from kg.namespaces import RDF_TYPE

_TYPE: Final = f"<{RDF_TYPE}>".encode()


@dataclass(frozen=True, slots=True)
class ClassCounts:
    """Of one class: its *entities* and, by property IRI, the triples of which they are subjects."""

    entities: int
    properties: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Counts:
    """What was counted; None or nothing where it was not.

    *entities* are subjects that have an IRI of the graph's own, *subjects* are all. *properties*
    has the triples of each property, *classes* the counts of each class, by IRI.
    """

    entities: int | None = None
    subjects: int | None = None
    properties: Mapping[str, int] = field(default_factory=dict)
    classes: Mapping[str, ClassCounts] = field(default_factory=dict)

    @classmethod
    def of(cls, manifest: Mapping[str, object]) -> Self:
        """Read them from the manifest of a snapshot, as far as it has them.

        >>> Counts.of({"classes": {"http://e/C": 3}}).classes["http://e/C"].entities
        3
        """
        told = manifest.get("partitions")
        if isinstance(told, dict):
            classes = {
                iri: ClassCounts(one["entities"], one["properties"])
                for iri, one in told["classes"].items()
            }
            return cls(told["entities"], told["subjects"], told["properties"], classes)
        entities = manifest.get("classes")
        if isinstance(entities, dict):
            return cls(classes={iri: ClassCounts(count) for iri, count in entities.items()})
        return cls()

    def as_json(self) -> dict[str, object]:
        """Return them in values that JSON has, for :meth:`of` to read under ``partitions``."""
        return {
            "entities": self.entities,
            "subjects": self.subjects,
            "properties": dict(self.properties),
            "classes": {
                iri: {"entities": one.entities, "properties": dict(one.properties)}
                for iri, one in self.classes.items()
            },
        }


class Partitions:
    """Counts the triples of a graph whose own things have IRIs below *base*."""

    def __init__(self, base: str) -> None:
        self._own = f"<{base}".encode()
        self._subject = b""
        self._predicates: dict[bytes, int] = {}
        self._types: list[bytes] = []
        self._entities = 0
        self._subjects = 0
        # Subjects of the same classes, together: how many they are, and their predicates.
        self._numbers: dict[tuple[bytes, ...], int] = {}
        self._tables: dict[tuple[bytes, ...], dict[bytes, int]] = {}

    def scan(self, parts: Iterable[Sequence[bytes]]) -> None:
        """Count triples: subject, predicate and the rest of the line of each, sorted."""
        for subject, predicate, rest in parts:
            if subject != self._subject:
                self._end()
                self._subject = subject
            self._predicates[predicate] = self._predicates.get(predicate, 0) + 1
            if predicate == _TYPE:
                self._types.append(rest)

    def counts(self) -> Counts:
        """Return what was counted so far; the triples of a subject must all have gone by."""
        self._end()
        self._subject = b""
        properties: dict[str, int] = {}
        entities: dict[str, int] = {}
        tables: dict[str, dict[str, int]] = {}
        for types, table in self._tables.items():
            named = {_iri(predicate): number for predicate, number in table.items()}
            _add(properties, named)
            for type_ in types:
                if type_.startswith(b"<"):
                    iri = _iri(type_.removesuffix(b" ."))
                    _add(entities, {iri: self._numbers[types]})
                    _add(tables.setdefault(iri, {}), named)
        return Counts(
            self._entities,
            self._subjects,
            dict(sorted(properties.items())),
            {
                iri: ClassCounts(entities[iri], dict(sorted(table.items())))
                for iri, table in sorted(tables.items())
            },
        )

    def _end(self) -> None:
        """Take in the subject that went by."""
        if not self._predicates:
            return
        types = tuple(self._types)
        self._subjects += 1
        self._entities += self._subject.startswith(self._own)
        self._numbers[types] = self._numbers.get(types, 0) + 1
        table = self._tables.setdefault(types, {})
        for predicate, number in self._predicates.items():
            table[predicate] = table.get(predicate, 0) + number
        self._predicates = {}
        self._types = []


def _add(numbers: dict[str, int], more: Mapping[str, int]) -> None:
    for name, number in more.items():
        numbers[name] = numbers.get(name, 0) + number


def _iri(term: bytes) -> str:
    return term.decode("utf-8").strip("<>")
