"""VoID says of the graph what is so, dumps are its files, and the health is its health."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import pytest
import rdflib
from rdflib.namespace import DCTERMS, RDF

from kg.partitions import ClassCounts, Counts
from kg.protocol import Service
from tests.protocol.asking import BASE, KG, Client

VOID = rdflib.Namespace("http://rdfs.org/ns/void#")
ROOT = "http://127.0.0.1:7878"
DATASET = rdflib.URIRef(f"{ROOT}/.well-known/void#dataset")
COUNTS = Counts(
    entities=5,
    subjects=6,
    properties={f"{RDF}type": 6, f"{DCTERMS}title": 3},
    classes={f"{KG}Paper": ClassCounts(3, {f"{RDF}type": 3, f"{DCTERMS}title": 3})},
)


def described(client: Client) -> rdflib.Graph:
    answered = client.send(path="/.well-known/void")
    assert answered.status == 200
    assert answered.headers["content-type"] == "text/turtle; charset=utf-8"
    return rdflib.Graph().parse(data=answered.body, format="turtle")


def served(**more: object) -> Client:
    client = Client()
    client.service = replace(client.service, counts=COUNTS, **more)  # type: ignore[arg-type]  # a test's
    return client


def number(graph: rdflib.Graph, node: rdflib.term.Node, name: str) -> int:
    (value,) = graph.objects(node, VOID[name])
    assert isinstance(value, rdflib.Literal)
    assert value.datatype == rdflib.XSD.integer
    return int(value)


def test_it_says_whose_the_graph_is_and_where() -> None:
    graph = described(served(examples=(f"{BASE}paper/a",), created="2025-07-28T00:00:00Z"))
    assert list(graph.subjects(RDF.type, VOID.Dataset)) == [DATASET]

    def only(property_: rdflib.URIRef) -> str:
        (value,) = graph.objects(DATASET, property_)
        return str(value)

    assert only(DCTERMS.license) == "https://creativecommons.org/licenses/by-sa/4.0/"
    assert only(rdflib.URIRef("http://creativecommons.org/ns#attributionURL"))
    assert only(VOID.sparqlEndpoint) == f"{ROOT}/sparql"
    assert only(VOID.uriSpace) == BASE
    assert only(VOID.exampleResource) == f"{BASE}paper/a"
    assert only(DCTERMS.modified).startswith("2025-07-28T00:00:00")
    assert {str(iri) for iri in graph.objects(DATASET, VOID.vocabulary)} == {
        str(RDF),
        str(DCTERMS),
        KG,
    }


def test_it_counts_everything_and_the_parts() -> None:
    graph = described(served())
    assert number(graph, DATASET, "triples") == 2
    assert number(graph, DATASET, "entities") == 5
    assert number(graph, DATASET, "distinctSubjects") == 6
    assert number(graph, DATASET, "classes") == 1
    assert number(graph, DATASET, "properties") == 2
    properties = {
        str(graph.value(part, VOID.property)): number(graph, part, "triples")
        for part in graph.objects(DATASET, VOID.propertyPartition)
    }
    assert properties == COUNTS.properties
    (part,) = graph.objects(DATASET, VOID.classPartition)
    assert str(graph.value(part, VOID["class"])) == f"{KG}Paper"
    assert number(graph, part, "entities") == 3
    assert number(graph, part, "triples") == 6
    within = {
        str(graph.value(one, VOID.property)): number(graph, one, "triples")
        for one in graph.objects(part, VOID.propertyPartition)
    }
    assert within == COUNTS.classes[f"{KG}Paper"].properties


def test_what_was_not_counted_is_not_said() -> None:
    client = Client()
    client.service = replace(client.service, counts=Counts.of({"classes": {f"{KG}Paper": 3}}))
    graph = described(client)
    for name in ("entities", "distinctSubjects", "properties", "propertyPartition", "dataDump"):
        assert list(graph.objects(DATASET, VOID[name])) == []
    assert number(graph, DATASET, "classes") == 1


def test_a_dump_is_the_file(tmp_path: Path) -> None:
    lines = b"<http://e/s> <http://e/p> <http://e/o> .\n" * 20_000
    path = tmp_path / "triples.nt.gz"
    path.write_bytes(gzip.compress(lines))
    client = served(dumps={path.name: path})
    graph = described(client)
    (address,) = graph.objects(DATASET, VOID.dataDump)
    assert str(address) == f"{ROOT}/dumps/triples.nt.gz"
    headers = [("accept-encoding", "gzip")]
    dumped = client.send(path="/dumps/triples.nt.gz", headers=headers)
    assert dumped.status == 200
    assert dumped.media_type == "application/gzip"
    assert "content-encoding" not in dumped.headers
    assert dumped.headers["content-length"] == str(len(dumped.body))
    assert gzip.decompress(dumped.body) == lines
    head = client.send("HEAD", "/dumps/triples.nt.gz", headers=headers)
    assert (head.status, head.headers, head.body) == (200, dumped.headers, b"")
    known = [("if-none-match", dumped.headers["etag"])]
    assert client.send(path="/dumps/triples.nt.gz", headers=known).status == 304


@pytest.mark.parametrize(
    "name", ["", "x", "../secret", "%2e%2e/secret", "quads.nq.gz", "triples.nt.gz/"]
)
def test_nothing_else_is_a_dump(tmp_path: Path, name: str) -> None:
    (tmp_path / "secret").write_text("secret", "utf-8")
    path = tmp_path / "dumps" / "triples.nt.gz"
    client = served(dumps={"triples.nt.gz": path})
    for wanted in (f"/dumps/{name}", "/dumps/triples.nt.gz"):  # the second has gone since
        answered = client.send(path=wanted)
        assert answered.status == 404
        assert b"secret" not in answered.body.replace(name.encode(), b"")


def test_the_health_is_that_of_what_evaluates() -> None:
    client = Client()
    assert client.send(path="/health").json == {"status": "ok", "snapshot": "s1"}
    assert client.send(path="/health").headers["cache-control"] == "no-store"
    client.service = replace(client.service, is_well=lambda: False)
    answered = client.send(path="/health")
    assert answered.status == 503
    assert answered.headers["retry-after"]


def test_the_metrics_are_text() -> None:
    client = Client()
    client.service = replace(client.service, metrics=lambda: "x 1\n")
    answered = client.send(path="/metrics")
    assert answered.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert answered.body == b"x 1\n"


def test_a_service_says_little_by_itself() -> None:
    assert Service("s", BASE, 0).counts == Counts()
