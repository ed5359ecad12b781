"""Triples: what CONSTRUCT and DESCRIBE answer, and what a thing's description is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Self, TypeAlias, cast

import pyoxigraph as ox
import rdflib

from kg.exporter.product import by_subject
from kg.exporter.turtle import short_turtle
from kg.graph.results import Results
from kg.rdflib_terms import to_rdflib

COLUMNS: Final = ("subject", "predicate", "object")

_Iris: TypeAlias = tuple[ox.NamedNode, ox.NamedNode, ox.NamedNode]


class Triples(Results):
    """A set of triples, those of one subject together; ``print`` shows it as Turtle.

    Otherwise as :class:`~kg.graph.Results`, with the columns subject, predicate and object.
    """

    @classmethod
    def of(cls, triples: Iterable[ox.Triple], prefixes: Mapping[str, str]) -> Self:
        """Return *triples*, in which no one stands twice and a subject's stand together."""
        return cls(COLUMNS, [tuple(triple) for triple in triples], prefixes)

    def triples(self) -> list[ox.Triple]:
        """Return the triples as the engine's."""
        # What was a triple makes one again; the type of a cell is wider than that of its parts.
        return [ox.Triple(*cast("_Iris", terms)) for terms in self.terms]

    def turtle(self) -> str:
        """Return the triples as Turtle."""
        triples = self.triples()
        if any(isinstance(t, ox.BlankNode | ox.Triple) for terms in self.terms for t in terms):
            return (ox.serialize(triples, format=ox.RdfFormat.TURTLE) or b"").decode("utf-8")
        return short_turtle(by_subject(triples), self.prefixes)

    def to_rdflib(self) -> rdflib.Graph:
        """Return the triples as a graph of rdflib."""
        return rdflib_graph(self.triples(), self.prefixes)

    def __str__(self) -> str:
        return self.turtle().removesuffix("\n")


def rdflib_graph(triples: Iterable[ox.Triple], prefixes: Mapping[str, str]) -> rdflib.Graph:
    """Return an rdflib graph of *triples*, every lexical form kept, that knows *prefixes*."""
    graph = rdflib.Graph(bind_namespaces="none")
    for prefix, namespace in prefixes.items():
        graph.bind(prefix, namespace)
    for triple in triples:
        graph.add(
            (to_rdflib(triple.subject), to_rdflib(triple.predicate), to_rdflib(triple.object))
        )
    return graph
