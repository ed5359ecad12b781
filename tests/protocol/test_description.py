"""The service description is RDF, and true."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from decimal import Decimal

import pytest
import rdflib
from rdflib.namespace import RDF, RDFS

from kg.formats import GRAPHS, SOLUTIONS
from kg.limits import Limits
from kg.protocol import Request, handle
from kg.services import Services
from tests.protocol.asking import NT, Client

SD = rdflib.Namespace("http://www.w3.org/ns/sparql-service-description#")
VOID = rdflib.Namespace("http://rdfs.org/ns/void#")
SCHEMA = rdflib.Namespace("http://schema.org/")
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


def test_it_names_every_limit_with_its_value_and_the_option_that_sets_it() -> None:
    client = Client()
    client.service = replace(client.service, limits=Limits(seconds=2.5, rows=1000, workers=3))
    graph = rdflib.Graph().parse(data=client.send().body, format="turtle")
    (service,) = graph.subjects(RDF.type, SD.Service)
    named = {}
    for limit in graph.objects(service, SCHEMA.additionalProperty):
        (name,), (unit,) = graph.objects(limit, SCHEMA.name), graph.objects(limit, SCHEMA.unitText)
        (value,) = graph.objects(limit, SCHEMA.value)
        assert isinstance(value, rdflib.Literal)
        named[str(name)] = (value.toPython(), str(unit))
    expected = {
        shown.option.removeprefix("--"): (shown.value, shown.unit)
        for shown in client.service.limits.shown().values()
        if shown.value is not None
    }
    assert named == expected
    assert named["time-limit"] == (Decimal("2.5"), "s")
    assert named["row-limit"] == (1000, "rows")
    assert "answer-limit" not in named


def test_it_names_the_servers_that_a_query_may_ask() -> None:
    client = Client()
    client.service = replace(client.service, services=Services.of(["query.wikidata.org"]))
    graph = rdflib.Graph().parse(data=client.send().body, format="turtle")
    (service,) = graph.subjects(RDF.type, SD.Service)
    assert list(graph.objects(service, SD.feature)) == [SD.BasicFederatedQuery]
    (comment,) = graph.objects(service, RDFS.comment)
    assert "SERVICE may ask query.wikidata.org" in str(comment)


def test_it_holds_what_void_says_of_the_default_graph() -> None:
    graph = described()
    void = rdflib.Graph().parse(data=Client().send(path="/.well-known/void").body, format="turtle")
    assert set(void) <= set(graph)
    (dataset,) = graph.objects(None, SD.defaultDataset)
    (default,) = graph.objects(dataset, SD.defaultGraph)
    assert list(void.subjects(RDF.type, VOID.Dataset)) == [default]


def test_it_is_at_the_address_that_the_server_is_told() -> None:
    client = Client()
    client.service = replace(client.service, address="https://example.org/graph")
    graph = rdflib.Graph().parse(data=client.send().body, format="turtle")
    endpoint = rdflib.URIRef("https://example.org/graph/sparql")
    assert list(graph.objects(None, SD.endpoint)) == [endpoint]
    assert client.send(path="/").json["queries"] == "https://example.org/graph/queries"
    assert "example.org/graph/queries/" in client.send(path="/queries").body.decode()


def test_a_format_is_asked_for_by_name() -> None:
    client = Client()
    assert client.send(parameters="format=nt").media_type == "application/n-triples"
    for name, says in (("csv", "the description has no format csv"), ("x", "no format x")):
        refused = client.send(parameters=f"format={name}")
        assert refused.status == 400
        assert says in refused.json["detail"]


def test_it_is_not_sent_again_to_who_has_it() -> None:
    client = Client()
    tag = client.send().headers["etag"]
    assert client.send(headers=[("if-none-match", tag)]).status == 304
    assert client.send(headers=[("if-none-match", tag), ("accept", NT)]).status == 200


def test_it_is_refused_in_what_is_no_rdf() -> None:
    answered = Client().send(accept="text/csv")
    assert answered.status == 406
    assert "text/turtle" in answered.json["offered"]


def test_a_host_that_is_none_is_refused() -> None:
    for host in ("", "a b", "e.org/x", '"', "e.org:x"):
        request = Request("GET", "/sparql", b"", [("host", host)])
        response = asyncio.run(handle(request, None, Client().service))  # type: ignore[arg-type]  # not asked
        assert response.status == 400
