"""A server asked by :class:`kg.endpoint.Endpoint`: the same answers as the store's own."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyoxigraph as ox
import pytest

from kg import namespaces
from kg.endpoint import Endpoint
from kg.errors import EndpointError, QueryError, UsageError
from kg.iris import DEFAULT_BASE
from kg.snapshot import SnapshotFolder
from kg.store import Store

ROWS = (
    b'{"head":{"vars":["a"]},"results":{"bindings":['
    b'{"a":{"type":"literal","value":"x"}},{"a":{"type":"literal","value":"y"}}]}}'
)
TITLES = "SELECT ?s ?title ?none { ?s a kg:Paper ; dct:title ?title } ORDER BY ?s"


@pytest.fixture
def store(store_dir: Path) -> Store:
    snapshot = SnapshotFolder(store_dir).current()
    assert snapshot is not None
    return Store.open(snapshot.store)


@contextmanager
def answering(
    status: int,
    content_type: str,
    body: bytes,
    length: int = 0,
    received: list[bytes] | None = None,
) -> Iterator[str]:
    """Serve one answer to everything, of which *length* more bytes are promised than come.

    What is sent to it goes into *received*.
    """

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sent = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            if received is not None:
                received.append(sent)
            self.send_response(status)
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(body) + length))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST  # noqa: N815 - the server's way of naming methods

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{running.server_address[1]}"
        finally:
            running.shutdown()
            thread.join()


@pytest.mark.parametrize("ending", ["", "/", "/sparql", "/sparql/"])
def test_solutions_are_those_of_the_store(address: str, store: Store, ending: str) -> None:
    there = Endpoint(address + ending).query(TITLES)
    here = store.query(TITLES, prefixes=namespaces.prefixes())
    assert isinstance(there, ox.QuerySolutions)
    assert isinstance(here, ox.QuerySolutions)
    assert there.variables == here.variables
    rows = [list(solution) for solution in there]
    assert rows == [list(solution) for solution in here]
    assert len(rows) > 1


def test_a_yes_or_no_and_a_graph_are_those_of_the_store(address: str, store: Store) -> None:
    endpoint = Endpoint(address)
    for text in ("ASK { ?s a kg:Paper }", "ASK { ?s a kg:None }"):
        there, here = endpoint.query(text), store.query(text, prefixes=namespaces.prefixes())
        assert isinstance(there, ox.QueryBoolean)
        assert bool(there) is bool(here)
    text = "CONSTRUCT { ?s ?p ?o } { ?s a kg:Paper ; ?p ?o }"
    there, here = endpoint.query(text), store.query(text, prefixes=namespaces.prefixes())
    assert isinstance(there, ox.QueryTriples)
    assert isinstance(here, ox.QueryTriples)
    triples = set(there)
    assert triples == set(here)
    assert triples


def test_the_base_of_the_store_is_known(address: str) -> None:
    assert Endpoint(address).base == DEFAULT_BASE


def test_what_is_no_kg_serve_has_no_base() -> None:
    for content_type, body in (("text/html", b"<p>"), ("application/json", b'{"x": 1}')):
        with (
            answering(200, content_type, body) as address,
            pytest.raises(EndpointError, match="is no kg serve"),
        ):
            _ = Endpoint(address).base


def test_prefixes_that_the_server_does_not_know_are_declared(address: str) -> None:
    endpoint = Endpoint(address)
    prefixes = {"mine": "https://w3id.org/paperkg/ns#", "kg": "http://e/", "unused": "http://u/"}
    text = "ASK { ?s a mine:Paper }"
    assert bool(endpoint.query(text, prefixes=prefixes))
    assert not bool(endpoint.query("ASK { ?s a kg:Paper }", prefixes=prefixes))
    own = "PREFIX kg: <https://w3id.org/paperkg/ns#> ASK { ?s a kg:Paper }"
    assert bool(endpoint.query(own, prefixes=prefixes))
    assert bool(endpoint.query("BASE <http://b/>\n" + own, prefixes=prefixes))


def test_only_prefixes_that_are_used_are_declared_and_in_the_first_line() -> None:
    received: list[bytes] = []
    with answering(200, "application/sparql-results+json", b'{"boolean":true}', 0, received) as url:
        Endpoint(url).query("ASK {\n?s a:b a:c }", prefixes={"a": "http://a/", "b": "http://b/"})
        Endpoint(url).query("ASK { ?s ?p 'a:b' }", prefixes={"a": "http://a/"})
    assert received == [b"PREFIX a: <http://a/> ASK {\n?s a:b a:c }", b"ASK { ?s ?p 'a:b' }"]


@pytest.mark.parametrize("prefixes", [None, {"mine": "http://e/"}])
def test_a_query_that_is_none_is_refused_at_its_place(
    address: str, prefixes: dict[str, str] | None
) -> None:
    text = "SELECT * {\n ?s mine:a ?o ; mine:b }" if prefixes else "SELECT * {\n ?s ?p }"
    with pytest.raises(QueryError, match=r"line 2, column") as caught:
        Endpoint(address).query(text, prefixes=prefixes)
    assert caught.value.line == 2
    with pytest.raises(QueryError) as caught:
        Endpoint(address).query("ASK { ?s mine:a }", prefixes={"mine": "http://e/"})
    assert (caught.value.line, caught.value.column) == (1, 17)
    assert "(line 1, column 17)" in str(caught.value)
    assert str(caught.value).endswith(f"\n  ASK {{ ?s mine:a }}\n  {' ' * 16}^")


def test_half_a_character_is_refused(address: str) -> None:
    with pytest.raises(QueryError, match="half a character"):
        Endpoint(address).query("ASK { ?s ?p '\ud800' }")


@pytest.mark.parametrize(
    "url", ["", "127.0.0.1:7878", "ftp://e.org/", "file:///etc/passwd", "http:"]
)
def test_what_is_no_address_is_wrong_usage(url: str) -> None:
    with pytest.raises(UsageError, match="begins with http://"):
        Endpoint(url)


@pytest.mark.parametrize(
    ("status", "content_type", "body", "length", "says"),
    [
        (200, "text/html", b"<p>", 0, "answers with text/html and not as a SPARQL endpoint"),
        (200, "application/sparql-results+json", b'{"head"', 0, "is broken or cut .*line 1"),
        (200, "application/sparql-results+json", ROWS[:-2], 0, "is broken or cut .*column"),
        (200, "application/sparql-results+json", ROWS[:-40], 0, "is broken or cut .*column"),
        (200, "application/sparql-results+json", b'{"boolean":true', 0, "is broken or cut"),
        (200, "application/sparql-results+json", b'{"head"', 9, "the answer broke off"),
        (200, "application/n-triples", b"<a", 0, "is broken or cut"),
        (404, "text/html", b"<p>", 0, "it answers 404 Not Found"),
        (400, "application/json", b"[]", 0, "it answers 400 Bad Request"),
        (503, "application/problem+json", b'{"detail": "too busy"}', 0, ": too busy"),
    ],
)
def test_what_is_no_answer_is_said(
    status: int, content_type: str, body: bytes, length: int, says: str
) -> None:
    with (
        answering(status, content_type, body, length) as address,
        pytest.raises(EndpointError, match=says) as caught,
    ):
        Endpoint(address).query("ASK {}")
    assert str(caught.value).startswith(address)
    assert caught.value.exit_code == 4
    if "broken or cut" in says:
        assert isinstance(caught.value.__cause__, SyntaxError | ValueError)


def test_an_endpoint_that_is_not_there_is_said() -> None:
    with pytest.raises(EndpointError, match="cannot be reached: Connection refused"):
        Endpoint("http://127.0.0.1:9").query("ASK {}")
