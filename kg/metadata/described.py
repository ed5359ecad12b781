"""The description of a store's default graph, as a named graph of the store.

It is VoID, as :mod:`kg.void` says it, with what lies at the other end of each property, as the
shapes of the ontology have it; and the ontology's labels and comments of the terms that it names.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, cast

import pyoxigraph as ox

from kg import resources, void
from kg.iris import DEFAULT_BASE
from kg.namespaces import RDF, RDFS, SH, VOID
from kg.partitions import Counts

# Partitions by the datatype of values: VoID has none, and tools read those of this vocabulary.
VOID_EXT: Final = "http://ldf.fi/void-ext#"

# How VoID says what lies at the other end of a property, and where a shape says it.
_ENDS: Final = (
    (f"{VOID}classPartition", f"{VOID}class", "sh:class"),
    (
        f"{VOID_EXT}datatypePartition",
        f"{VOID_EXT}datatype",
        "(sh:or/rdf:rest*/rdf:first)?/sh:datatype",
    ),
)
_WORDS: Final = (f"{RDFS}label", f"{RDFS}comment")


def graph_iri(base: str = DEFAULT_BASE) -> str:
    """Return the IRI of the named graph in which the description stands."""
    return f"{base}void"


def quads(base: str, triples: int, counts: Counts) -> list[bytes]:
    """Return the description as N-Quads lines without their ends, sorted, each once.

    The default graph of the store has so many *triples*, of which *counts* tells more; its things
    have IRIs below *base*. The addresses of an endpoint and its files are not known here.
    """
    graph = ox.NamedNode(graph_iri(base))
    store = ox.Store()
    store.extend(
        ox.Quad(triple.subject, triple.predicate, triple.object)
        for triple in void.description(
            f"{graph.value}#dataset", base=base, triples=triples, counts=counts
        )
    )
    described = [quad.triple for quad in store]
    ends = list(_ends(store))
    terms = {*counts.classes, *counts.properties}
    lines = {f"{triple} {graph} .".encode() for triple in (*described, *ends, *_words(terms))}
    return sorted(lines)


def _ends(store: ox.Store) -> Iterator[ox.Triple]:
    """Yield what the shapes say of the values of each property of each class in *store*."""
    store.load(path=resources.ontology() / "shapes.ttl", format=ox.RdfFormat.TURTLE)
    for link, property_, path in _ENDS:
        answer = store.query(
            f"""
            CONSTRUCT {{ ?partition <{link}> ?end . ?end <{property_}> ?value }}
            WHERE {{
              ?part void:class ?class ; void:propertyPartition ?partition .
              ?partition void:property ?property .
              ?shape sh:targetClass ?class ; sh:property ?constraint .
              ?constraint sh:path ?property ; {path} ?value
              BIND (IRI(CONCAT(STR(?partition), "/", REPLACE(STR(?value), "^.*[#/]", ""))) AS ?end)
            }}""",
            prefixes={"rdf": RDF, "sh": SH, "void": VOID},
        )
        yield from cast("ox.QueryTriples", answer)


def _words(terms: set[str]) -> Iterator[ox.Triple]:
    """Yield the labels and comments that the ontology has of *terms*."""
    for quad in ox.parse(path=resources.ontology() / "ontology.ttl", format=ox.RdfFormat.TURTLE):
        if quad.predicate.value in _WORDS and str(quad.subject)[1:-1] in terms:
            yield quad.triple
