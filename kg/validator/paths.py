"""Property paths of SHACL (section 2.3.1): read from a graph, written as text and as triples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import pyoxigraph as ox
from rdflib import Graph, URIRef
from rdflib.collection import Collection
from rdflib.term import Node

from kg.namespaces import RDF, SH

# The kinds of path that hold one other path, with the mark that SPARQL 1.1 writes before or after.
_INVERSE: Final = "inversePath"
_AFTER: Final = {"zeroOrMorePath": "*", "oneOrMorePath": "+", "zeroOrOnePath": "?"}
_ALTERNATIVE: Final = "alternativePath"
_SEQUENCE: Final = "sequence"
_PREDICATE: Final = "predicate"


@dataclass(frozen=True, slots=True)
class PropertyPath:
    """A path: of *kind* ``predicate`` with its *iri*, or of another kind with its *parts*."""

    kind: str
    iri: str = ""
    parts: tuple[PropertyPath, ...] = ()

    @classmethod
    def read(cls, graph: Graph, node: Node) -> PropertyPath:
        """Return the path that *node* is in *graph*, which holds well-formed paths only."""
        if isinstance(node, URIRef):
            return cls(_PREDICATE, str(node))
        for kind in (_INVERSE, *_AFTER):
            inner = graph.value(node, URIRef(SH + kind))
            if inner is not None:
                return cls(kind, parts=(cls.read(graph, inner),))
        members = graph.value(node, URIRef(SH + _ALTERNATIVE))
        kind, head = (_SEQUENCE, node) if members is None else (_ALTERNATIVE, members)
        return cls(kind, parts=tuple(cls.read(graph, part) for part in Collection(graph, head)))

    def text(self, name: Callable[[str], str]) -> str:
        """Return the path in the syntax of SPARQL, each predicate as *name* writes its IRI."""
        if self.kind == _PREDICATE:
            return name(self.iri)
        texts = [
            f"({part.text(name)})" if part.kind != _PREDICATE else part.text(name)
            for part in self.parts
        ]
        if self.kind == _INVERSE:
            return f"^{texts[0]}"
        if self.kind in _AFTER:
            return texts[0] + _AFTER[self.kind]
        return ("|" if self.kind == _ALTERNATIVE else "/").join(texts)

    def triples(
        self, node: Callable[[], ox.BlankNode]
    ) -> tuple[ox.NamedNode | ox.BlankNode, list[ox.Triple]]:
        """Return the path's node and the triples that describe it; *node* makes blank nodes."""
        if self.kind == _PREDICATE:
            return ox.NamedNode(self.iri), []
        if self.kind == _SEQUENCE:
            return self._members(node)
        this = node()
        if self.kind == _ALTERNATIVE:
            inner, triples = self._members(node)
        else:
            inner, triples = self.parts[0].triples(node)
        return this, [ox.Triple(this, ox.NamedNode(SH + self.kind), inner), *triples]

    def _members(
        self, node: Callable[[], ox.BlankNode]
    ) -> tuple[ox.NamedNode | ox.BlankNode, list[ox.Triple]]:
        cells = [node() for _ in self.parts]
        triples = []
        rests: list[ox.NamedNode | ox.BlankNode] = [*cells[1:], ox.NamedNode(RDF + "nil")]
        for cell, rest, part in zip(cells, rests, self.parts, strict=True):
            member, described = part.triples(node)
            triples += [
                ox.Triple(cell, ox.NamedNode(RDF + "first"), member),
                ox.Triple(cell, ox.NamedNode(RDF + "rest"), rest),
                *described,
            ]
        return cells[0], triples
