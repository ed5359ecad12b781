"""A server asked by :class:`kg.endpoint.Endpoint`: the same answers as the store's own."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs

import pyoxigraph as ox
import pytest

import kg
from kg import namespaces
from kg.endpoint import Endpoint
from kg.errors import EndpointError, QueryError, UsageError
from kg.iris import DEFAULT_BASE
from kg.remote import asking
from kg.snapshot import SnapshotFolder
from kg.store import Store
from tests.remote.scripted import answer, scripted

ROWS = (
    b'{"head":{"vars":["a"]},"results":{"bindings":['
    b'{"a":{"type":"literal","value":"x"}},{"a":{"type":"literal","value":"y"}}]}}'
)
TITLES = "SELECT ?s ?title ?none { ?s a kg:Paper ; dct:title ?title } ORDER BY ?s"


@pytest.fixture
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is busy is asked again at once."""
    monkeypatch.setattr(asking.time, "sleep", lambda _: None)


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
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
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


@pytest.mark.parametrize(
    ("content_type", "body", "says"),
    [
        ("text/html", b"<p>", "answers with text/html and not as a SPARQL endpoint"),
        ("application/json", b'{"x": 1}', "is broken or cut"),
        ("application/json", b'{"paperkg": "1", "base": 5}', "is broken or cut"),
        ("application/sparql-results+json", b'{"boolean": true}', "is no SPARQL endpoint"),
    ],
)
def test_what_is_no_endpoint_has_no_base(content_type: str, body: bytes, says: str) -> None:
    with (
        answering(200, content_type, body) as address,
        pytest.raises(EndpointError, match=says),
    ):
        _ = Endpoint(address).base


def test_a_server_that_answers_other_questions_has_the_base_of_builds() -> None:
    body = solutions(1)
    with answering(200, "application/sparql-results+json", body) as address:
        assert Endpoint(address).base == DEFAULT_BASE


def solutions(number: int) -> bytes:
    rows = [{"s": {"type": "uri", "value": f"http://e/{n}"}} for n in range(number)]
    return json.dumps({"head": {"vars": ["s"]}, "results": {"bindings": rows}}).encode()


@pytest.mark.parametrize(
    ("rows", "text", "doubts"),
    [
        (10_000, "SELECT ?s { ?s ?p ?o }", 1),
        (1000, "SELECT ?s { ?s ?p ?o } LIMIT 10000", 1),
        (1000, "SELECT ?s { ?s ?p ?o } limit  1000", 0),
        (1001, "SELECT ?s { ?s ?p ?o }", 0),
        (0, "SELECT ?s { ?s ?p ?o }", 0),
    ],
)
def test_an_answer_that_another_server_may_have_cut_short_is_doubted(
    rows: int, text: str, doubts: int
) -> None:
    """Case NB-05: a cap that nothing in the answer tells of."""
    doubted: list[str] = []
    with answering(200, "application/sparql-results+json", solutions(rows)) as address:
        found = Endpoint(f"{address}/sparql", doubt=doubted.append).query(text)
        assert isinstance(found, ox.QuerySolutions)
        assert len(list(found)) == rows
        assert [f"exactly {rows:,} rows" in said for said in doubted] == [True] * doubts
        if doubts:
            with pytest.warns(kg.GraphWarning, match="may be as many as it gives to anybody"):
                assert len(kg.connect(address).sparql(text)) == rows


def test_of_our_own_servers_answer_of_that_length_nothing_is_doubted(address: str) -> None:
    doubted: list[str] = []
    endpoint = Endpoint(address, doubt=doubted.append)
    values = " ".join(map(str, range(1000)))
    found = endpoint.query(f"SELECT ?n {{ VALUES ?n {{ {values} }} }}")
    assert isinstance(found, ox.QuerySolutions)
    assert len(list(found)) == 1000
    assert doubted == []


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
    queries = [query for body in received for query in parse_qs(body.decode())["query"]]
    assert queries == ["PREFIX a: <http://a/> ASK {\n?s a:b a:c }", "ASK { ?s ?p 'a:b' }"]


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
        (404, "text/html", b"<p>", 0, r"no SPARQL endpoint at this address \(404\)$"),
        (400, "application/json", b"[]", 0, "it answers 400 Bad Request$"),
        (401, "text/html", b"<p>", 0, "--token-file"),
        (403, "text/plain", b"members only", 0, "not let you ask this .403.: members only"),
        (500, "text/plain", b"Virtuoso 37000 Error", 0, "500 Internal Server Error: Virtuoso"),
        (204, "text/plain", b"", 0, "it answers 204 No Content"),
        (503, "application/problem+json", b'{"detail": "too busy"}', 0, ": too busy"),
        (200, "text/csv", b"a\r\n", 0, "answers with text/csv and not as a SPARQL endpoint"),
        (200, "application/sparql-results+xml", b"<sparql>", 0, "is broken or cut"),
    ],
)
@pytest.mark.usefixtures("no_waiting")
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


RECORD = (
    b'{"head":{"vars":["record"]},"results":{"bindings":[{"record":{"type":"uri","value":'
    b'"https://example.org/our/record/pwc/methods/x"}}]}}'
)


def test_the_base_of_another_servers_graph_is_that_of_its_source_records() -> None:
    received: list[bytes] = []
    with answering(200, "application/sparql-results+json", RECORD, 0, received) as address:
        endpoint = Endpoint(address)
        assert endpoint.base == "https://example.org/our/"
        endpoint.query("SELECT ?record { <paper/x> a kg:Paper }", prefixes={"kg": "http://kg/"})
    query = parse_qs(received[-1].decode())["query"][0]
    assert query.startswith("BASE <https://example.org/our/> PREFIX kg: <http://kg/> SELECT")
    none = b'{"head":{"vars":["record"]},"results":{"bindings":[]}}'
    with answering(200, "application/sparql-results+json", none) as address:
        assert Endpoint(address).base == DEFAULT_BASE


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("application/sparql-results+xml", b'<sparql xmlns="http://www.w3.org/2005/sparql-results#">'
         b'<head><variable name="a"/></head><results><result><binding name="a"><literal>x</literal>'
         b'</binding></result></results></sparql>'),
        ("application/json; charset=UTF-8", b'{"head":{"vars":["a"]},"results":{"bindings":['
         b'{"a":{"type":"literal","value":"x"}}]}}'),
        ("text/tab-separated-values", b'?a\n"x"\n'),
    ],
)  # fmt: skip
def test_solutions_are_read_in_the_formats_that_servers_have(
    content_type: str, body: bytes
) -> None:
    with answering(200, content_type, body) as address:
        result = Endpoint(address).query("SELECT ?a {}")
    assert isinstance(result, ox.QuerySolutions)
    assert [solution["a"].value for solution in result] == ["x"]


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("text/turtle;charset=utf-8", b"@prefix e: <http://e/> . e:a e:b 1, 1 ."),
        ("application/rdf+xml", b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
         b' xmlns:e="http://e/"><rdf:Description rdf:about="http://e/a"><e:b rdf:datatype='
         b'"http://www.w3.org/2001/XMLSchema#integer">1</e:b></rdf:Description></rdf:RDF>'),
        ("application/ld+json", b'{"@id":"http://e/a","http://e/b":1}'),
    ],
)  # fmt: skip
def test_a_graph_is_read_in_the_formats_that_servers_have(content_type: str, body: bytes) -> None:
    with answering(200, content_type, body) as address:
        result = Endpoint(address).query("CONSTRUCT {} {}")
    assert isinstance(result, ox.QueryTriples)
    expected = ox.Triple(ox.NamedNode("http://e/a"), ox.NamedNode("http://e/b"), ox.Literal(1))
    assert list(result) == [expected]


def test_a_query_that_another_server_refuses_is_wrong_usage_in_its_words() -> None:
    with answering(400, "text/plain", b"Parse error: Encountered '?'\n at line 1") as address:
        with pytest.raises(QueryError) as caught:
            Endpoint(address).query("SELECT ?")
        assert str(caught.value) == "Parse error: Encountered '?'"


@pytest.mark.parametrize("behind", ["", "/kg"])
def test_an_address_with_a_path_is_that_of_the_queries_or_of_a_kg_serve(
    behind: str, address: str
) -> None:
    """Only the second one answers with what a kg serve says of itself."""
    with scripted(answer(b'{"boolean":true}')) as server:
        assert bool(Endpoint(f"{server.address}/ds/query?x=1").query("ASK {}"))
        assert server.requests[-1].startswith(b"POST /ds/query?x=1 HTTP")
    contents = json.dumps({"paperkg": "1", "base": "https://example.org/"}).encode()
    ours = answer(contents, "200 OK", "application/json")
    with scripted(ours, answer(b'{"boolean":true}')) as server:
        endpoint = Endpoint(f"{server.address}{behind}/graph/")
        assert endpoint.base == "https://example.org/"
        assert bool(endpoint.query("ASK {}"))
        assert server.requests[-1].startswith(f"POST {behind}/graph/sparql HTTP".encode())
    assert Endpoint(address).base == DEFAULT_BASE


def test_servers_are_asked_for_formats_of_the_form_alone() -> None:
    with scripted(answer(b'{"boolean":true}')) as server:
        assert bool(Endpoint(server.address).query("# SELECT\nASK {}"))
        assert "n-triples" not in str(server.header("accept"))
        with pytest.raises(EndpointError, match="its answer to CONSTRUCT is one to another"):
            Endpoint(server.address).query("CONSTRUCT {} {}")
        assert "results" not in str(server.header("accept"))
        assert server.header("content-type") == "application/x-www-form-urlencoded"


@pytest.mark.usefixtures("no_waiting")
def test_a_token_goes_along_and_what_is_waited_for_is_told() -> None:
    told: list[str] = []
    with scripted(answer(b"", "503 X"), answer(b'{"boolean":true}')) as server:
        endpoint = Endpoint(server.address, token="abc", tell=told.append)  # noqa: S106  made up
        assert bool(endpoint.query("ASK {}"))
        assert server.header("authorization") == "Bearer abc"
    assert ["it is asked again in" in line for line in told] == [True]
