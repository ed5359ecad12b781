"""The service description is RDF, and true."""

from __future__ import annotations

import asyncio

import pytest
import rdflib
from rdflib.namespace import RDF

from kg.formats import GRAPHS, SOLUTIONS
from kg.protocol import Request, handle
from tests.protocol.asking import Client

SD = rdflib.Namespace("http://www.w3.org/ns/sparql-service-description#")
VOID = rdflib.Namespace("http://rdfs.org/ns/void#")
ADDRESS = rdflib.URIRef("http://127.0.0.1:7878/sparql")


def described(accept: str | None = None, format_: str = "turtle") -> rdflib.Graph:
    answered = Client().send(accept=accept)
    assert answered.status == 200
    return rdflib.Graph().parse(data=answered.body, format=format_)


@pytest.mark.parametrize(
    ("accept", "format_"),
    [
        (None, "turtle"),
        ("application/rdf+xml", "xml"),
        ("application/ld+json", "json-ld"),
        ("application/n-triples", "nt"),
    ],
)
@pytest.mark.filterwarnings("ignore:.* is deprecated:DeprecationWarning")  # within rdflib
def test_it_comes_in_every_rdf_format(accept: str | None, format_: str) -> None:
    assert set(described(accept, format_)) == set(described())


def test_it_describes_one_service_at_the_address_that_was_asked() -> None:
    graph = described()
    (service,) = graph.subjects(RDF.type, SD.Service)
    assert list(graph.objects(service, SD.endpoint)) == [ADDRESS]
    assert list(graph.objects(service, SD.supportedLanguage)) == [SD.SPARQL11Query]
    assert list(graph.objects(service, SD.feature)) == []


def test_every_format_that_it_names_is_served() -> None:
    named = {str(iri) for iri in described().objects(None, SD.resultFormat)}
    for formats, query in ((SOLUTIONS, "SELECT * {}"), (GRAPHS, "CONSTRUCT {} {}")):
        for format_ in formats:
            assert Client().get(query, format_.media_type).media_type == format_.media_type
            named.remove(format_.iri)
    assert named == set()


def test_its_graphs_have_their_names_and_counts() -> None:
    graph = described()
    (dataset,) = graph.objects(None, SD.defaultDataset)
    (default,) = graph.objects(dataset, SD.defaultGraph)
    assert [int(n) for n in graph.objects(default, VOID.triples)] == [2]
    counts = {
        str(graph.value(named, SD.name)): int(
            graph.value(graph.value(named, SD.graph), VOID.triples)
        )
        for named in graph.objects(dataset, SD.namedGraph)
    }
    assert counts == {"http://e/g1": 2, "http://e/g2": 1}


def test_it_is_refused_in_what_is_no_rdf() -> None:
    answered = Client().send(accept="text/csv")
    assert answered.status == 406
    assert "text/turtle" in answered.json["offered"]


def test_a_host_that_is_none_is_refused() -> None:
    for host in ("", "a b", "e.org/x", '"', "e.org:x"):
        request = Request("GET", "/sparql", b"", [("host", host)])
        response = asyncio.run(handle(request, None, Client().service))  # type: ignore[arg-type]  # not asked
        assert response.status == 400
