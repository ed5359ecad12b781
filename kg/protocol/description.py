"""The service description (SPARQL 1.1 Service Description): what the endpoint is and can."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pyoxigraph as ox

from kg.formats import GRAPHS, SOLUTIONS
from kg.limits import Limits
from kg.namespaces import RDF_TYPE, RDFS, VOID, XSD
from kg.protocol.described import SD
from kg.protocol.service import Service

_SIMPLE: Final = "http://www.w3.org/ns/entailment/Simple"
_SCHEMA: Final = "http://schema.org/"


def description(address: str, dataset: str, service: Service) -> Iterator[ox.Triple]:
    """Yield the triples of the description of the endpoint at *address*.

    Its parts have IRIs below *address*; its default graph is *dataset*, which VoID describes.
    """
    endpoint, default_dataset = f"{address}#service", f"{address}#dataset"
    yield _typed(endpoint, "Service")
    yield _sd(endpoint, "endpoint", address)
    yield _sd(endpoint, "supportedLanguage", SD + "SPARQL11Query")
    yield _sd(endpoint, "defaultEntailmentRegime", _SIMPLE)
    if service.services.hosts:
        yield _sd(endpoint, "feature", SD + "BasicFederatedQuery")
    for format_ in (*SOLUTIONS, *GRAPHS):
        yield _sd(endpoint, "resultFormat", format_.iri)
    yield _sd(endpoint, "defaultDataset", default_dataset)
    yield _link(endpoint, RDFS + "comment", ox.Literal(_comment(service), language="en"))
    yield from _limits(endpoint, address, service.limits)
    yield _typed(default_dataset, "Dataset")
    yield _sd(default_dataset, "defaultGraph", dataset)
    yield _typed(dataset, "Graph")
    for number, (iri, count) in enumerate(sorted(service.named_graphs.items()), 1):
        named, graph = f"{address}#named-graph-{number}", f"{address}#graph-{number}"
        yield _sd(default_dataset, "namedGraph", named)
        yield _typed(named, "NamedGraph")
        yield _sd(named, "name", iri)
        yield _sd(named, "graph", graph)
        yield _typed(graph, "Graph")
        yield _link(graph, VOID + "triples", _number(count))


def _comment(service: Service) -> str:
    hosts = sorted(host for host, _ in service.services.hosts)
    asked = f"SERVICE may ask {', '.join(hosts)}" if hosts else "SERVICE is refused"
    return (
        f"Read only; {asked}. The default graph holds all about papers and datasets; named graphs"
        " are seen by GRAPH or FROM only. A relative IRI is resolved against"
        f" {service.base}, and the prefixes of the project need no declaration. A query that goes"
        " over a limit is refused or ended with an error; no answer is cut and said to be whole."
    )


def _limits(endpoint: str, address: str, limits: Limits) -> Iterator[ox.Triple]:
    """Yield every limit as a property with a value: no vocabulary of its own is known for them."""
    for name, shown in limits.shown().items():
        if shown.value is None:
            continue
        limit = f"{address}#limit-{name}"
        yield _link(endpoint, _SCHEMA + "additionalProperty", ox.NamedNode(limit))
        yield _link(limit, RDF_TYPE, ox.NamedNode(_SCHEMA + "PropertyValue"))
        yield _link(limit, _SCHEMA + "name", ox.Literal(shown.option.removeprefix("--")))
        yield _link(limit, _SCHEMA + "value", _number(shown.value))
        yield _link(limit, _SCHEMA + "unitText", ox.Literal(shown.unit))


def _typed(subject: str, class_: str) -> ox.Triple:
    return _link(subject, RDF_TYPE, ox.NamedNode(SD + class_))


def _sd(subject: str, property_: str, iri: str) -> ox.Triple:
    return _link(subject, SD + property_, ox.NamedNode(iri))


def _link(subject: str, property_: str, target: ox.NamedNode | ox.Literal) -> ox.Triple:
    return ox.Triple(ox.NamedNode(subject), ox.NamedNode(property_), target)


def _number(number: float) -> ox.Literal:
    if isinstance(number, int):
        return ox.Literal(str(number), datatype=ox.NamedNode(XSD + "integer"))
    return ox.Literal(f"{number:f}".rstrip("0").rstrip("."), datatype=ox.NamedNode(XSD + "decimal"))
