"""The W3C's SPARQL 1.1 Protocol tests, as far as an endpoint that is only read can pass them."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib
from rdflib.collection import Collection
from rdflib.namespace import RDF, RDFS

from kg.store import Store
from tests.conftest import SHARED
from tests.protocol.asking import CSV, JSON, TSV, XML, Client

MF = rdflib.Namespace("http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#")
HT = rdflib.Namespace("http://www.w3.org/2011/http#")
CNT = rdflib.Namespace("http://www.w3.org/2011/content#")
UT = rdflib.Namespace("http://www.w3.org/2009/sparql/tests/test-update#")
MANIFEST = SHARED / "w3c" / "protocol" / "manifest.ttl"
MEDIA_TYPES = {
    "boolean": {JSON, XML},
    "tabular": {JSON, XML, CSV, TSV},
    "RDF": {"text/turtle", "application/n-triples", "application/rdf+xml"},
}


def entries() -> list[tuple[rdflib.Graph, rdflib.term.Node]]:
    """The tests of the manifest that ask a query or are to fail anyway."""
    if not MANIFEST.is_file():
        return []
    graph = rdflib.Graph().parse(MANIFEST, publicID=MANIFEST.as_uri())
    tests = sorted(graph.subjects(RDF.type, MF.ProtocolTest))
    return [(graph, test) for test in tests if "update_" not in str(test) or "#bad_" in str(test)]


def filled(graph: rdflib.Graph, test: rdflib.term.Node) -> Store:
    store = ox.Store()
    for data in graph.objects(test, UT.graphData):
        path = Path(str(graph.value(data, UT.graph)).removeprefix("file://"))
        name = ox.NamedNode(str(graph.value(data, RDFS.label)))
        store.load(path=path, format=ox.RdfFormat.N_TRIPLES, to_graph=name)
    return Store(store, "a test's")


@pytest.mark.usefixtures("shared")
def test_the_manifest_is_read() -> None:
    assert len(entries()) == 27


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize(
    ("graph", "test"), entries(), ids=[str(test).partition("#")[2] for _, test in entries()]
)
def test_w3c(graph: rdflib.Graph, test: rdflib.term.Node) -> None:
    client = Client(filled(graph, test))
    action = graph.value(test, MF.action)
    for request in Collection(graph, graph.value(action, HT.requests)):
        headers = graph.value(request, HT.headers)
        lines = [
            (str(graph.value(line, HT.fieldName)), str(graph.value(line, HT.fieldValue)))
            for line in (Collection(graph, headers) if headers else ())
        ]
        body = graph.value(request, HT.body)
        content = b""
        if body is not None:
            encoding = str(graph.value(body, CNT.characterEncoding))
            content = str(graph.value(body, CNT.chars)).encode(encoding)
        answered = client.send(
            str(graph.value(request, HT.methodName)),
            "/sparql",
            str(graph.value(request, HT.absolutePath)).partition("?")[2],
            headers=lines,
            body=content,
        )
        expected = graph.value(request, HT.resp)
        statuses = {str(s)[-3] for s in graph.objects(expected, MF.expectedStatus)}
        assert str(answered.status)[0] in statuses
        boolean = graph.value(expected, MF.expectedBoolean)
        if boolean is not None:
            assert answered.json["boolean"] is boolean.toPython()
        kind = graph.value(expected, MF.expectedFormat)
        if kind is not None:
            assert answered.media_type in MEDIA_TYPES[str(kind)]
