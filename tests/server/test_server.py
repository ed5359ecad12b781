"""The protocol on a real socket, asked by the clients that people have."""

from __future__ import annotations

import asyncio
import http.client
import json
import socket
import threading
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from urllib.parse import urlencode, urlsplit

import pytest
import rdflib
from rdflib.namespace import RDF

from kg.protocol import Evaluate, Evaluation, Question, Request, Response, Service
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


def counted(address: str, variables: str, pattern: str) -> dict[tuple[str, ...], int]:
    """Return how many solutions *pattern* has for each value of *variables*."""
    query = f"SELECT {variables} (COUNT(*) AS ?n) {{ {pattern} }} GROUP BY {variables}"
    rows = json.loads(get(address, query=query))["results"]["bindings"]
    names = [variable.removeprefix("?") for variable in variables.split()]
    return {tuple(row[v]["value"] for v in names): int(row["n"]["value"]) for row in rows}


def told(graph: rdflib.Graph, node: rdflib.term.Node, name: str) -> int:
    """Return the one number that VoID has of *node*."""
    (number,) = graph.objects(node, VOID[name])
    return int(str(number))


def test_the_counts_of_the_service_description_are_true(address: str) -> None:
    graph = rdflib.Graph().parse(data=get(address), format="turtle")
    named = {
        (str(graph.value(one, SD.name)),): told(graph, graph.value(one, SD.graph), "triples")  # type: ignore[arg-type]  # it has one
        for one in graph.subjects(RDF.type, SD.NamedGraph)
    }
    assert named == counted(address, "?g", "GRAPH ?g { ?s ?p ?o }")
    assert named
    (dataset,) = graph.objects(None, SD.defaultGraph)
    subjects = counted(address, "?s", "?s ?p ?o")
    assert told(graph, dataset, "triples") == sum(subjects.values())
    assert told(graph, dataset, "distinctSubjects") == len(subjects)
    assert told(graph, dataset, "entities") == len(subjects)

    def parts(node: rdflib.term.Node) -> dict[tuple[str, ...], int]:
        return {
            (str(graph.value(part, VOID.property)),): told(graph, part, "triples")
            for part in graph.objects(node, VOID.propertyPartition)
        }

    assert parts(dataset) == counted(address, "?p", "?s ?p ?o")
    classes = {
        str(graph.value(part, VOID["class"])): part
        for part in graph.objects(dataset, VOID.classPartition)
    }
    entities = {(iri,): told(graph, part, "entities") for iri, part in classes.items()}
    assert entities == counted(address, "?c", "?s a ?c")
    assert told(graph, dataset, "classes") == len(classes) > 10
    within = {
        (iri, *property_): count
        for iri, part in classes.items()
        for property_, count in parts(part).items()
    }
    assert within == counted(address, "?c ?p", "?s a ?c ; ?p ?o")


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
    for length in (70_000, 1_000_000):
        target = b"/sparql?query=" + b"x" * length
        request = b"GET " + target + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        received = raw(address, request)
        assert received.startswith(b"HTTP/1.1 414 ")
        assert b"send the query by POST" in received


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


class Broken:
    """A body that fails after its pieces."""

    def __init__(self, *pieces: bytes) -> None:
        self._left = list(pieces)

    def __aiter__(self) -> Broken:
        return self

    async def __anext__(self) -> bytes:
        await asyncio.sleep(0)
        if not self._left:
            raise ValueError("broken on purpose")
        return self._left.pop(0)

    async def aclose(self) -> None:
        self._left.clear()


SERVICE = Service("s1", "http://e/", 0)


def test_an_answer_that_breaks_off_does_not_look_whole(caplog: pytest.LogCaptureFixture) -> None:
    async def evaluate(question: Question) -> Evaluation:
        return Evaluation(QueryForm.ASK, question.solutions, Broken(b" " * 2000, b"x"))

    with served(Application(evaluate, SERVICE)) as address:
        with pytest.raises(http.client.IncompleteRead):
            get(address, query="ASK {}")
        # Nothing else tells it to a client of HTTP/1.0.
        with pytest.raises(ConnectionResetError):
            raw(address, b"GET /sparql?query=ASK{} HTTP/1.0\r\n\r\n")
    assert "broken on purpose" in caplog.text


@pytest.mark.parametrize("declared", [5, 7])
def test_an_answer_of_another_length_than_it_said_does_not_look_whole(declared: int) -> None:
    async def pages(request: Request, evaluate: Evaluate, service: Service) -> Response:
        return Response(200, {"Content-Length": str(declared)}, Steady(0, b"123456"))

    with served(Application(_nobody, replace(SERVICE, pages=pages))) as address:
        parts = urlsplit(address)
        connection = http.client.HTTPConnection(parts.netloc, timeout=60)
        connection.request("GET", "/")
        if declared == 7:
            with pytest.raises((http.client.IncompleteRead, ConnectionError)):
                connection.getresponse().read()
        else:
            assert connection.getresponse().read() == b"12345"
            # What is beyond it must not be taken for another answer.
            connection.request("GET", "/health")
            with pytest.raises((http.client.BadStatusLine, ConnectionError)):
                connection.getresponse()
        connection.close()


def test_an_answer_that_breaks_before_its_first_bytes_is_an_error(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def evaluate(question: Question) -> Evaluation:
        return Evaluation(QueryForm.ASK, question.solutions, Broken(b"short"))

    async def pages(request: Request, evaluate: Evaluate, service: Service) -> Response | None:
        is_one = request.path == "/page"
        return Response(200, {"Content-Type": "text/html"}, Broken()) if is_one else None

    with served(Application(evaluate, replace(SERVICE, pages=pages))) as address:
        for path in ("/sparql?query=ASK%7B%7D", "/page"):
            received = raw(
                address,
                f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode(),
            )
            assert received.startswith(b"HTTP/1.1 500 ")
            assert b"broken on purpose" not in received
    assert caplog.text.count("ValueError: broken on purpose") == 2


async def _nobody(question: Question) -> Evaluation:
    raise AssertionError


class Steady:
    """A body of *first* and *count* pieces, one every hundredth of a second."""

    def __init__(self, count: int, first: bytes = b"") -> None:
        self._left = count
        self._first = first

    def __aiter__(self) -> Steady:
        return self

    async def __anext__(self) -> bytes:
        await asyncio.sleep(0.01)
        if self._first:
            first, self._first = self._first, b""
            return first
        if not self._left:
            raise StopAsyncIteration
        self._left -= 1
        return b"x" * 1000

    async def aclose(self) -> None:
        self._left = 0


@pytest.mark.parametrize(("grace", "is_whole"), [(30, True), (0.1, False)])
def test_an_answer_under_way_has_its_grace_when_the_server_ends(
    grace: float, is_whole: bool
) -> None:
    async def evaluate(question: Question) -> Evaluation:
        return Evaluation(QueryForm.ASK, question.solutions, Steady(100))

    with served(Application(evaluate, SERVICE), grace=grace) as address:
        parts = urlsplit(address)
        connection = http.client.HTTPConnection(parts.netloc, timeout=60)
        connection.request("GET", "/sparql?query=x")
        response = connection.getresponse()
        received = response.read(10)
        idle = socket.create_connection((parts.hostname, parts.port), 60)
        time.sleep(0.05)
    # The server has ended: it waited for the one, and not for the other.
    assert idle.recv(10) == b""
    idle.close()
    if is_whole:
        assert len(received + response.read()) == 100_000
    else:
        with pytest.raises((http.client.IncompleteRead, ConnectionError)):
            response.read()
    connection.close()


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
    assert b"Access-Control-Allow-Origin: *" in head
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

    class Endless:
        def __aiter__(self) -> Endless:
            return self

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
