"""The protocol on a real socket, asked by the clients that people have."""

from __future__ import annotations

import asyncio
import http.client
import json
import shutil
import socket
import subprocess
import threading
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlencode, urlsplit

import pytest
import rdflib
from rdflib.plugins.stores.sparqlstore import SPARQLStore

from kg.protocol import Evaluation, Question, Service, Whole
from kg.server import Application
from kg.sparql import QueryForm
from tests.server.serving import served

SD = rdflib.Namespace("http://www.w3.org/ns/sparql-service-description#")
VOID = rdflib.Namespace("http://rdfs.org/ns/void#")
ASK = "ASK { ?s a kg:Paper }"
COUNT = "PREFIX kg: <https://w3id.org/paperkg/ns#> SELECT (COUNT(*) AS ?n) { ?s a kg:Paper }"
NUMBERS = " ".join(map(str, range(1000)))
LONG = f"SELECT * {{ VALUES ?a {{ {NUMBERS} }} VALUES ?b {{ {NUMBERS} }} }}"


def get(address: str, **parameters: str) -> bytes:
    with urllib.request.urlopen(f"{address}/sparql?{urlencode(parameters)}") as response:  # noqa: S310 - loopback
        content: bytes = response.read()
        return content


def papers(address: str) -> int:
    row = json.loads(get(address, query=COUNT))["results"]["bindings"][0]
    return int(row["n"]["value"])


def raw(address: str, request: bytes) -> bytes:
    """Send bytes, in two packets if they are many, and read to the end of the connection."""
    parts = urlsplit(address)
    with socket.create_connection((parts.hostname, parts.port), 20) as connection:
        connection.sendall(request[:68_000])
        if request[68_000:]:
            time.sleep(0.3)
            connection.sendall(request[68_000:])
        received = b""
        while piece := connection.recv(65536):
            received += piece
        return received


def test_rdflibs_sparql_store(address: str) -> None:
    graph = rdflib.Graph(SPARQLStore(f"{address}/sparql"))
    (row,) = graph.query(COUNT)
    assert int(row[0]) == papers(address) > 0
    title = rdflib.URIRef("http://purl.org/dc/terms/title")
    assert len(list(graph.triples((None, title, None)))) > 0
    assert graph.query("ASK { ?s ?p ?o }").askAnswer
    assert len(
        graph.query("CONSTRUCT WHERE { ?s a <https://w3id.org/paperkg/ns#Paper> }")
    ) == papers(address)


def test_the_counts_of_the_service_description_are_true(address: str) -> None:
    graph = rdflib.Graph().parse(data=get(address), format="turtle")
    described = {int(count) for count in graph.objects(None, VOID.triples)}
    counts = "SELECT ?g (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g"
    named = json.loads(get(address, query=counts))["results"]["bindings"]
    default = "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"
    rows = named + json.loads(get(address, query=default))["results"]["bindings"]
    assert described == {int(row["n"]["value"]) for row in rows}
    names = {str(name) for name in graph.objects(None, SD.name)}
    assert names == {row["g"]["value"] for row in named}
    assert len(described) > 1


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # within SPARQLWrapper
def test_sparqlwrapper(address: str) -> None:
    sparqlwrapper = pytest.importorskip("SPARQLWrapper")
    for method in ("GET", "POST"):
        for way in (sparqlwrapper.URLENCODED, sparqlwrapper.POSTDIRECTLY):
            if method == "GET" and way == sparqlwrapper.POSTDIRECTLY:
                continue
            wrapper = sparqlwrapper.SPARQLWrapper(f"{address}/sparql")
            wrapper.setMethod(method)
            wrapper.setRequestMethod(way)
            wrapper.setQuery(COUNT)
            wrapper.setReturnFormat(sparqlwrapper.JSON)
            solutions = wrapper.queryAndConvert()
            assert int(solutions["results"]["bindings"][0]["n"]["value"]) == papers(address)
            wrapper.setReturnFormat(sparqlwrapper.XML)
            assert str(papers(address)) in wrapper.queryAndConvert().toxml()
            wrapper.setReturnFormat(sparqlwrapper.CSV)
            assert wrapper.queryAndConvert() == f"n\r\n{papers(address)}\r\n".encode()
    wrapper.setQuery("DESCRIBE ?s { ?s a <https://w3id.org/paperkg/ns#Paper> }")
    wrapper.setReturnFormat(sparqlwrapper.RDFXML)
    assert len(wrapper.queryAndConvert()) > papers(address)
    wrapper.setReturnFormat(sparqlwrapper.TURTLE)
    text = wrapper.queryAndConvert().decode()
    assert len(rdflib.Graph().parse(data=text, format="turtle")) > papers(address)


def curl(*arguments: str) -> str:
    if shutil.which("curl") is None:
        pytest.skip("needs curl")
    run = subprocess.run(
        ["curl", "-sS", *arguments], capture_output=True, check=True, text=True, timeout=60
    )
    return run.stdout


def test_curl(address: str) -> None:
    sparql = f"{address}/sparql"
    assert json.loads(curl(sparql, "--data-urlencode", f"query={ASK}"))["boolean"] is True
    assert curl("-G", sparql, "--data-urlencode", f"query={COUNT}", "-H", "Accept: text/csv") == (
        f"n\n{papers(address)}\n"
    )
    direct = ("-H", "Content-Type: application/sparql-query", "--data-binary", ASK)
    assert json.loads(curl(sparql, *direct))["boolean"] is True
    assert curl(f"{address}/queries/class-counts?format=csv").startswith("class,")
    head = curl("-I", f"{sparql}?{urlencode({'query': ASK})}")
    assert head.startswith("HTTP/1.1 200")
    assert "etag: W/" in head


def test_a_connection_goes_on_after_errors_and_unread_bodies(address: str) -> None:
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=20)
    for _ in range(3):
        for method, path, body, kind, status in (
            ("POST", "/sparql", b"x" * 70_000, "text/plain", 415),
            ("PUT", "/sparql", b"x" * 300_000, "text/plain", 405),
            ("GET", "/nowhere", None, None, 404),
            ("HEAD", "/sparql?query=ASK{", None, None, 400),
            ("POST", "/sparql", b"ASK {}", "application/sparql-query", 200),
        ):
            headers = {"Content-Type": kind} if kind else {}
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            response.read()
            assert response.status == status
    connection.close()


def test_a_long_address_is_refused_in_words(address: str) -> None:
    for length, says in ((70_000, b"send the query by POST"), (1_000_000, b"400")):
        target = b"/sparql?query=" + b"x" * length
        request = b"GET " + target + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        try:
            received = raw(address, request)
        except ConnectionError:  # what is not even read may be answered by a reset
            assert length == 1_000_000
            continue
        assert says in received


def test_many_clients_at_once(address: str) -> None:
    with ThreadPoolExecutor(16) as pool:
        assert set(pool.map(papers, [address] * 100)) == {papers(address)}


def test_a_long_answer_streams_and_does_not_stop_the_others(address: str) -> None:
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.netloc, timeout=60)
    headers = {"Content-Type": "application/sparql-query", "Accept": "text/csv"}
    connection.request("POST", "/sparql", LONG.encode(), headers)
    response = connection.getresponse()
    assert response.read(3) == b"a,b"
    assert papers(address) > 0  # while that one waits for its reader
    assert response.read().count(b"\n") == 1_000_001
    connection.close()


def test_a_client_that_hangs_up_frees_its_place(address: str) -> None:
    parts = urlsplit(address)
    for _ in range(8):  # twice as many as are evaluated at once
        body = urlencode({"query": LONG}).encode()
        with socket.create_connection((parts.hostname, parts.port), 20) as connection:
            connection.sendall(
                b"POST /sparql HTTP/1.1\r\nHost: x\r\n"
                b"Content-Type: application/x-www-form-urlencoded\r\n"
                b"Content-Length: " + str(len(body)).encode() + b"\r\n\r\n" + body
            )
            assert connection.recv(1)
    assert papers(address) > 0


class Broken(Whole):
    """A body that fails after its first piece."""

    async def __anext__(self) -> bytes:
        if not self._left:
            raise ValueError("broken on purpose")
        return await super().__anext__()


SERVICE = Service("s1", "http://e/", 0)


def test_an_answer_that_breaks_off_does_not_look_whole(caplog: pytest.LogCaptureFixture) -> None:
    async def evaluate(question: Question) -> Evaluation:
        return Evaluation(QueryForm.ASK, question.solutions, Broken(b'{"head": {}'))

    with (
        served(Application(evaluate, SERVICE)) as address,
        pytest.raises(http.client.IncompleteRead),
    ):
        get(address, query="ASK {}")
    assert "broken on purpose" in caplog.text


def test_a_fault_is_an_error_of_the_server_that_says_nothing_of_its_inside(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def evaluate(question: Question) -> Evaluation:
        raise ZeroDivisionError("a secret of ours")

    with served(Application(evaluate, SERVICE)) as address:
        received = raw(
            address, b"GET /sparql?query=ASK{} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        )
    head, _, body = received.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 500 ")
    assert b"access-control-allow-origin: *" in head
    assert b"secret" not in received
    assert json.loads(body)["detail"].startswith("a fault of the server")
    assert "a secret of ours" in caplog.text


def test_what_runs_for_a_client_that_has_gone_is_given_up() -> None:

    given_up = threading.Event()

    async def evaluate(question: Question) -> Evaluation:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            given_up.set()
            raise
        raise AssertionError

    with served(Application(evaluate, SERVICE)) as address:
        parts = urlsplit(address)
        with socket.create_connection((parts.hostname, parts.port), 20) as connection:
            connection.sendall(b"GET /sparql?query=ASK{} HTTP/1.1\r\nHost: x\r\n\r\n")
            time.sleep(0.3)
            assert not given_up.is_set()
        assert given_up.wait(10)


def test_an_answer_is_closed_for_a_client_that_has_gone() -> None:
    closed = threading.Event()

    class Endless(Whole):
        async def __anext__(self) -> bytes:
            await asyncio.sleep(0)
            return b" " * 65536

        async def aclose(self) -> None:
            closed.set()

    async def evaluate(question: Question) -> Evaluation:
        return Evaluation(QueryForm.ASK, question.solutions, Endless())

    with served(Application(evaluate, SERVICE)) as address:
        parts = urlsplit(address)
        with socket.create_connection((parts.hostname, parts.port), 20) as connection:
            connection.sendall(b"GET /sparql?query=ASK{} HTTP/1.1\r\nHost: x\r\n\r\n")
            assert connection.recv(10)
            assert not closed.is_set()
        assert closed.wait(10)
