"""The description of a graph in VoID (https://www.w3.org/TR/void/): whose, how much, and where."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Final

import pyoxigraph as ox

from kg import namespaces
from kg.namespaces import DCT, RDF_TYPE, VOID, XSD
from kg.partitions import Counts

LICENCE: Final = "https://creativecommons.org/licenses/by-sa/4.0/"
"""Under which the archive of Papers with Code stands, and so whatever is made of it."""

_ATTRIBUTION: Final = "https://codewithpapers.app/attribution"
_CC: Final = "http://creativecommons.org/ns#"
_N_TRIPLES: Final = "http://www.w3.org/ns/formats/N-Triples"


def description(
    dataset: str,
    *,
    base: str,
    triples: int,
    counts: Counts,
    endpoint: str | None = None,
    examples: Collection[str] = (),
    dumps: Collection[str] = (),
    created: str | None = None,
) -> Iterator[ox.Triple]:
    """Yield the triples that describe the graph whose IRI is *dataset*.

    Its things have IRIs below *base*; *endpoint* and *dumps* are addresses, *examples* the IRIs of
    some of its things, *created* is an xsd:dateTime. Partitions have IRIs after a ``/`` of
    *dataset*.
    """
    node = _Node(dataset)
    yield node.link(RDF_TYPE, VOID + "Dataset")
    yield node.text(DCT + "title", "The knowledge graph of machine-learning papers")
    yield node.text(
        DCT + "description",
        "Papers, datasets, leaderboards and results, methods and code, from the archive of Papers"
        " with Code and from codewithpapers.app.",
    )
    yield node.link(DCT + "license", LICENCE)
    yield node.link(_CC + "attributionURL", _ATTRIBUTION)
    yield node.text(
        DCT + "rights",
        "The terms of each source stand on its record in the graph (prov:wasDerivedFrom).",
    )
    if created is not None:
        yield node.literal(DCT + "modified", created, "dateTime")
    yield node.literal(VOID + "uriSpace", base, "string")
    if endpoint is not None:
        yield node.link(VOID + "sparqlEndpoint", endpoint)
    for dump in dumps:
        yield node.link(VOID + "dataDump", dump)
    if dumps:
        yield node.link(VOID + "feature", _N_TRIPLES)
    for example in examples:
        yield node.link(VOID + "exampleResource", example)
    for vocabulary in _vocabularies({*counts.classes, *counts.properties}, base):
        yield node.link(VOID + "vocabulary", vocabulary)
    yield node.number("triples", triples)
    yield from _counted(node, counts)


def _counted(node: _Node, counts: Counts) -> Iterator[ox.Triple]:
    if counts.entities is not None:
        yield node.number("entities", counts.entities)
    if counts.subjects is not None:
        yield node.number("distinctSubjects", counts.subjects)
    yield node.number("classes", len(counts.classes))
    if counts.properties:
        yield node.number("properties", len(counts.properties))
        yield from _properties(node, counts.properties)
    for n, (iri, one) in enumerate(sorted(counts.classes.items()), 1):
        part = node.part(f"class-{n}")
        yield node.link(VOID + "classPartition", part.iri)
        yield part.link(VOID + "class", iri)
        yield part.number("entities", one.entities)
        if one.properties:
            yield part.number("triples", sum(one.properties.values()))
            yield from _properties(part, one.properties)


def _properties(node: _Node, properties: Mapping[str, int]) -> Iterator[ox.Triple]:
    for n, (iri, triples) in enumerate(sorted(properties.items()), 1):
        part = node.part(f"property-{n}")
        yield node.link(VOID + "propertyPartition", part.iri)
        yield part.link(VOID + "property", iri)
        yield part.number("triples", triples)


def _vocabularies(terms: Collection[str], base: str) -> list[str]:
    """Return the namespaces, of those that have a prefix here, from which some of *terms* are."""
    known = namespaces.prefixes(base).values()
    return sorted({space for space in known if any(term.startswith(space) for term in terms)})


class _Node:
    """A node that is described."""

    def __init__(self, iri: str) -> None:
        self.iri = iri
        self._node = ox.NamedNode(iri)

    def part(self, name: str) -> _Node:
        return _Node(f"{self.iri}/{name}")

    def link(self, property_: str, iri: str) -> ox.Triple:
        return ox.Triple(self._node, ox.NamedNode(property_), ox.NamedNode(iri))

    def text(self, property_: str, text: str) -> ox.Triple:
        return ox.Triple(self._node, ox.NamedNode(property_), ox.Literal(text, language="en"))

    def literal(self, property_: str, text: str, datatype: str) -> ox.Triple:
        literal = ox.Literal(text, datatype=ox.NamedNode(XSD + datatype))
        return ox.Triple(self._node, ox.NamedNode(property_), literal)

    def number(self, property_: str, number: int) -> ox.Triple:
        return self.literal(VOID + property_, str(number), "integer")
