"""The service description (SPARQL 1.1 Service Description): what the endpoint is and can."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pyoxigraph as ox

from kg.formats import GRAPHS, GRAPHS_BY_MEDIA_TYPE, SOLUTIONS, content_type, negotiate
from kg.namespaces import RDF_TYPE, RDFS, XSD
from kg.protocol.problem import ProblemError
from kg.protocol.request import Request
from kg.protocol.response import Response
from kg.protocol.service import Service

SD: Final = "http://www.w3.org/ns/sparql-service-description#"
VOID: Final = "http://rdfs.org/ns/void#"


def description(request: Request, address: str, service: Service) -> Response:
    """Return the description of the endpoint at *address*, in the RDF format that is wanted.

    Raises :class:`ProblemError` (406) where none is.
    """
    media_type = negotiate(request.lines("accept"), [], GRAPHS_BY_MEDIA_TYPE)
    if media_type is None:
        offered = [format_.media_type for format_ in GRAPHS]
        raise ProblemError(
            406,
            f"the service description comes as {', '.join(offered)}",
            members={"offered": offered},
        )
    content = ox.serialize(
        triples(address, service),
        format=GRAPHS_BY_MEDIA_TYPE[media_type].engine,
        prefixes={"sd": SD, "void": VOID, "rdfs": RDFS} if media_type == "text/turtle" else None,
    )
    headers = {"Vary": "Accept", "Cache-Control": "no-cache"}
    return Response.of(content or b"", content_type(media_type), headers=headers)


def triples(address: str, service: Service) -> Iterator[ox.Triple]:
    """Yield the triples of the description; its parts have IRIs below *address*."""

    def node(fragment: str) -> ox.NamedNode:
        return ox.NamedNode(f"{address}#{fragment}")

    def typed(subject: ox.NamedNode, class_: str) -> ox.Triple:
        return ox.Triple(subject, ox.NamedNode(RDF_TYPE), ox.NamedNode(SD + class_))

    def linked(subject: ox.NamedNode, property_: str, iri: str) -> ox.Triple:
        return ox.Triple(subject, ox.NamedNode(SD + property_), ox.NamedNode(iri))

    endpoint, dataset = node("service"), node("dataset")
    yield typed(endpoint, "Service")
    yield linked(endpoint, "endpoint", address)
    yield linked(endpoint, "supportedLanguage", SD + "SPARQL11Query")
    for format_ in (*SOLUTIONS, *GRAPHS):
        yield linked(endpoint, "resultFormat", format_.iri)
    yield linked(endpoint, "defaultDataset", dataset.value)
    comment = (
        "Read only; SERVICE is refused. The default graph holds all about papers and datasets;"
        " named graphs are seen by GRAPH or FROM only. A relative IRI is resolved against"
        f" {service.base}"
    )
    yield ox.Triple(endpoint, ox.NamedNode(RDFS + "comment"), ox.Literal(comment, language="en"))
    yield typed(dataset, "Dataset")
    yield linked(dataset, "defaultGraph", node("default-graph").value)
    named_graphs = list(enumerate(sorted(service.named_graphs.items()), 1))
    for number, _ in named_graphs:
        yield linked(dataset, "namedGraph", node(f"named-graph-{number}").value)
    yield typed(node("default-graph"), "Graph")
    yield _count(node("default-graph"), service.triples)
    for number, (iri, count) in named_graphs:
        named, graph = node(f"named-graph-{number}"), node(f"graph-{number}")
        yield typed(named, "NamedGraph")
        yield linked(named, "name", iri)
        yield linked(named, "graph", graph.value)
        yield typed(graph, "Graph")
        yield _count(graph, count)


def _count(graph: ox.NamedNode, triples: int) -> ox.Triple:
    number = ox.Literal(str(triples), datatype=ox.NamedNode(XSD + "integer"))
    return ox.Triple(graph, ox.NamedNode(VOID + "triples"), number)
