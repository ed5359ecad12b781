"""An excerpt of the graph, as pages read it: things, and what is said of each by property."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

import pyoxigraph as ox

from kg.namespaces import RDF_TYPE

Term: TypeAlias = ox.NamedNode | ox.Literal
Row: TypeAlias = dict[str, Term]
"""A solution of a query: its variables that are bound."""


class Facts:
    """What an excerpt says of the thing *iri*; properties are asked for by CURIE."""

    def __init__(self, iri: str, said: Mapping[str, list[Term]], excerpt: Excerpt) -> None:
        self.iri = iri
        self._said = said
        self._excerpt = excerpt

    def __bool__(self) -> bool:
        return bool(self._said)

    @property
    def classes(self) -> list[str]:
        """The IRIs of its classes."""
        return [term.value for term in self._said.get(RDF_TYPE, ())]

    @property
    def properties(self) -> list[str]:
        """The IRIs of the properties that it has, in order."""
        return list(self._said)

    def expand(self, property_: str) -> str:
        """Return the IRI of a property by its CURIE."""
        return self._excerpt.expand(property_)

    def values(self, iri: str) -> list[Term]:
        """Return the values of a property by its IRI."""
        return self._said.get(iri, [])

    def terms(self, property_: str) -> list[Term]:
        """Return the values of a property."""
        return self.values(self.expand(property_))

    def texts(self, property_: str) -> list[str]:
        """Return the literals among the values of a property."""
        return [term.value for term in self.terms(property_) if isinstance(term, ox.Literal)]

    def text(self, property_: str) -> str | None:
        """Return the first literal among the values of a property."""
        return next(iter(self.texts(property_)), None)

    def iris(self, property_: str) -> list[str]:
        """Return the IRIs among the values of a property."""
        return [term.value for term in self.terms(property_) if isinstance(term, ox.NamedNode)]

    def iri_of(self, property_: str) -> str | None:
        """Return the first IRI among the values of a property."""
        return next(iter(self.iris(property_)), None)

    def number(self, property_: str) -> int | None:
        """Return the first value of a property as an integer, where it reads as one."""
        text = self.text(property_)
        try:
            return int(text) if text is not None else None
        except ValueError:
            return None

    def flag(self, property_: str) -> bool | None:
        """Return the first value of a property as a boolean; None where nothing is said."""
        return {"true": True, "false": False}.get(self.text(property_) or "")

    def parts(self, property_: str) -> list[Facts]:
        """Return what the excerpt says of the things that a property names."""
        return [self._excerpt.of(iri) for iri in self.iris(property_)]

    def pointing(self, property_: str) -> list[Facts]:
        """Return what the excerpt says of the things that have this one as a value."""
        return self._excerpt.having(property_, self.iri)

    def part(self, property_: str) -> Facts:
        """Return what the excerpt says of the first thing that a property names, if any."""
        iri = self.iri_of(property_)
        return self._excerpt.of(iri) if iri is not None else Facts("", {}, self._excerpt)


class Excerpt:
    """Some *triples* by their subjects, in their order; *prefixes* expand CURIEs."""

    def __init__(self, triples: Iterable[ox.Triple], prefixes: Mapping[str, str]) -> None:
        self._prefixes = prefixes
        self._said: dict[str, dict[str, list[Term]]] = {}
        self.mentioned: set[str] = set()
        """The IRIs that stand as objects."""
        self.add(triples)

    def add(self, triples: Iterable[ox.Triple]) -> None:
        """Take in more triples."""
        for triple in triples:
            subject, target = triple.subject, triple.object
            if isinstance(subject, ox.NamedNode) and isinstance(target, ox.NamedNode | ox.Literal):
                said = self._said.setdefault(subject.value, {})
                values = said.setdefault(triple.predicate.value, [])
                if target not in values:
                    values.append(target)
                if isinstance(target, ox.NamedNode):
                    self.mentioned.add(target.value)

    def of(self, iri: str) -> Facts:
        """Return what is said of *iri*, which may be nothing."""
        return Facts(iri, self._said.get(iri, {}), self)

    def having(self, property_: str, iri: str) -> list[Facts]:
        """Return the things that have *iri* as a value of a property."""
        name = self.expand(property_)
        wanted = ox.NamedNode(iri)
        return [
            self.of(subject) for subject, said in self._said.items() if wanted in said.get(name, ())
        ]

    def expand(self, curie: str) -> str:
        """Return the IRI of a property by its CURIE."""
        prefix, _, local = curie.partition(":")
        return self._prefixes[prefix] + local
