"""The engine's terms as rdflib's, and back, each literal with its lexical form as it stands.

rdflib rewrites a lexical form to the canonical one of its datatype (``85.50`` → ``85.5``) unless it
is told not to, term by term.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import pyoxigraph as ox
from rdflib import Graph
from rdflib.term import BNode, IdentifiedNode, Literal, Node, URIRef

from kg.namespaces import XSD

Term: TypeAlias = ox.NamedNode | ox.BlankNode | ox.Literal
AnyTerm: TypeAlias = Term | ox.Triple


def to_rdflib(term: AnyTerm) -> IdentifiedNode | Literal:
    """Return *term* as a term of rdflib.

    Raises ValueError for a triple term (RDF 1.2), which rdflib does not have.

    >>> to_rdflib(ox.Literal("85.50", datatype=ox.NamedNode("http://www.w3.org/2001/XMLSchema#decimal")))
    rdflib.term.Literal('85.50', datatype=rdflib.term.URIRef('http://www.w3.org/2001/XMLSchema#decimal'))
    """
    if isinstance(term, ox.NamedNode):
        return URIRef(term.value)
    if isinstance(term, ox.BlankNode):
        return BNode(term.value)
    if isinstance(term, ox.Triple):
        raise ValueError(f"{term} is a triple term, which RDF 1.1 does not have")
    if term.language is not None:
        return Literal(term.value, lang=term.language)
    datatype = term.datatype.value
    if (
        datatype == XSD + "string"
    ):  # to rdflib, "a" and "a"^^xsd:string differ; parsers make the first
        return Literal(term.value)
    return Literal(term.value, datatype=URIRef(datatype), normalize=False)


def from_rdflib(node: Node) -> Term:
    """Return a term of rdflib as the engine's.

    >>> print(from_rdflib(Literal("Größe", lang="de")))
    "Größe"@de
    """
    if isinstance(node, BNode):
        return ox.BlankNode(str(node))
    if isinstance(node, Literal):
        if node.language is not None:
            return ox.Literal(str(node), language=node.language)
        datatype = ox.NamedNode(str(node.datatype)) if node.datatype is not None else None
        return ox.Literal(str(node), datatype=datatype)
    return ox.NamedNode(str(node))


def graph_of(triples: Iterable[ox.Triple | ox.Quad]) -> Graph:
    """Return *triples* as a graph of rdflib without any prefix; of quads the graph is left out.

    Raises ValueError as :func:`to_rdflib` does.
    """
    graph = Graph(bind_namespaces="none")
    for triple in triples:
        graph.add(
            (to_rdflib(triple.subject), to_rdflib(triple.predicate), to_rdflib(triple.object))
        )
    return graph
