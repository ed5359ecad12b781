"""Before a native Oxigraph server: canned queries and descriptions, by command and by server."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pyoxigraph as ox
import pytest

import kg
from kg import cli
from kg.catalogue import Catalogue
from kg.endpoint import Endpoint
from kg.forwarding import Forwarding
from kg.iris import DEFAULT_BASE
from kg.limits import Limits
from kg.protocol import Service
from kg.remote import Address
from kg.server import Application
from kg.snapshot import Snapshot
from tests.remote.scripted import answer, scripted
from tests.server.serving import served

TITLES = "SELECT ?s ?title { ?s a kg:Paper ; dct:title ?title } ORDER BY ?s"


@pytest.fixture(scope="module")
def before(native: str) -> Iterator[str]:
    """The address of a server that stands before the native one."""
    with served(application(f"{native}/query")) as address:
        yield address


def application(url: str, limits: Limits | None = None) -> Application:
    limits = limits or Limits()
    service = Service("", DEFAULT_BASE, 0, catalogue=Catalogue.load(), limits=limits)
    return Application(Forwarding(Address.of(url), DEFAULT_BASE, limits), service)


def fetch(url: str, accept: str = "*/*") -> tuple[int, str, bytes]:
    request = urllib.request.Request(url, headers={"Accept": accept})  # noqa: S310  ours
    try:
        with urllib.request.urlopen(request, timeout=60) as response:  # noqa: S310  as above
            return response.status, response.headers["Content-Type"], response.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers["Content-Type"], error.read()


@pytest.fixture
def store_dir(snapshot: Snapshot) -> Path:
    return snapshot.path.parent.parent


@pytest.mark.parametrize("path", ["", "/", "/sparql", "/query"])
def test_the_native_server_is_asked_as_any_endpoint_is(native: str, path: str) -> None:
    endpoint = Endpoint(native + path)
    assert endpoint.base == DEFAULT_BASE
    assert bool(endpoint.query("ASK { <paper/x> ?p ?o } ", prefixes={"kg": "http://e/"})) is False
    result = endpoint.query("CONSTRUCT WHERE { ?s a ?c }")
    assert isinstance(result, ox.QueryTriples)
    assert len(set(result)) > 10


@pytest.mark.parametrize(
    "asked",
    [
        ["class-counts"],
        ["leaderboard", "-p", "leaderboard=question-answering-on-squad11-dev"],
        ["--text", TITLES],
        ["--text", "ASK { ?s a kg:Paper }"],
        ["--text", "CONSTRUCT WHERE { ?s a kg:Paper }", "--format", "nt"],
    ],
)
def test_a_query_by_endpoint_says_what_one_by_store_does(
    asked: list[str], native: str, store_dir: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    said = []
    for place in (["--store", str(store_dir)], ["--endpoint", f"{native}/query"]):
        assert cli.run(["query", *asked, *place]) == 0
        out, err = capfdbinary.readouterr()
        said.append((sorted(out.splitlines()), err))
    assert said[0] == said[1]
    assert said[0][0]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "say what to ask: --store DIR or --endpoint URL"),
        (["--store", "s", "--endpoint", "http://e.org"], "say what to ask"),
        (["--store", "s", "--timeout", "5"], "--token-file and --timeout go with --endpoint"),
        (["--store", "s", "--token-file", "t"], "--token-file and --timeout go with --endpoint"),
        (["--endpoint", "http://e.org", "--token-file", "no"], "no: the token cannot be read"),
        (["--endpoint", "e.org"], "'e.org' is no address of an endpoint"),
        (["--endpoint", "http://e.org", "--timeout", "0"], "Invalid value for '--timeout'"),
    ],
)
@pytest.mark.parametrize("command", [["query", "class-counts"], ["describe", "paper:a"]])
def test_options_that_do_not_fit_are_wrong_usage(
    command: list[str], options: list[str], said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert cli.run([*command, *options]) == 2
    assert said in capfd.readouterr().err


def test_an_endpoint_that_does_not_answer_has_its_exit_code(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "token").write_text("abc-DEF\n", "utf-8")
    options = ["--token-file", str(tmp_path / "token"), "--timeout", "30"]
    with scripted(answer(b"", "401 X")) as server:
        code = cli.run(["query", "class-counts", "--endpoint", server.address, *options])
        assert (code, server.header("authorization")) == (4, "Bearer abc-DEF")
    assert "answers only to those whom it knows (401)" in capfd.readouterr().err


@pytest.mark.parametrize("format_", ["ttl", "jsonld"])
def test_a_description_by_endpoint_is_that_of_the_store(
    format_: str, native: str, store_dir: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    said = []
    for place in (["--store", str(store_dir)], ["--endpoint", native]):
        thing = "leaderboard:question-answering-on-squad11-dev"
        assert cli.run(["describe", thing, "--format", format_, *place]) == 0
        said.append(capfdbinary.readouterr().out)
    assert said[0] == said[1]
    assert len(said[0]) > 100
    assert cli.run(["describe", "paper:no-such-paper", "--endpoint", native]) == 2


def test_a_notebook_connects_to_the_native_server(native: str) -> None:
    graph = kg.connect(native)
    assert len(graph.ask("class-counts")) > 5
    assert len(graph.sparql(TITLES)) > 1
    assert len(graph.describe("leaderboard:question-answering-on-squad11-dev")) > 3


@pytest.mark.parametrize(
    ("accept", "given"),
    [
        ("text/csv", "text/csv; charset=utf-8"),
        ("application/sparql-results+json", "application/sparql-results+json"),
        ("application/sparql-results+xml", "application/sparql-results+xml"),
        ("text/tab-separated-values", "text/tab-separated-values; charset=utf-8"),
    ],
)
def test_canned_queries_are_served_before_it(before: str, accept: str, given: str) -> None:
    status, content_type, content = fetch(f"{before}/queries/class-counts", accept)
    assert (status, content_type) == (200, given)
    assert b"https://w3id.org/paperkg/ns#Paper" in content


@pytest.mark.parametrize(
    ("accept", "engine"),
    [
        ("text/turtle", ox.RdfFormat.TURTLE),
        ("application/n-triples", ox.RdfFormat.N_TRIPLES),
        ("application/rdf+xml", ox.RdfFormat.RDF_XML),
        ("application/ld+json", ox.RdfFormat.JSON_LD),
    ],
)
def test_graphs_are_served_before_it(before: str, accept: str, engine: ox.RdfFormat) -> None:
    url = f"{before}/sparql?query=CONSTRUCT%20WHERE%20%7B%3Fs%20a%20kg:Paper%7D"
    status, content_type, content = fetch(url, accept)
    assert (status, content_type.partition(";")[0]) == (200, accept)
    assert len(set(ox.parse(content, format=engine))) > 1


def test_a_query_that_is_none_is_refused_with_its_place(before: str) -> None:
    status, content_type, content = fetch(f"{before}/sparql?query=SELECT%20*%20%7B")
    assert (status, content_type) == (400, "application/problem+json")
    assert json.loads(content)["line"] == 1


def test_a_large_answer_comes_through_whole(before: str, native: str) -> None:
    text = "SELECT%20*%20%7B%3Fs%20%3Fp%20%3Fo%20.%20%3Fa%20%3Fb%20%3Fs%7D"
    _, _, through = fetch(f"{before}/sparql?query={text}", "text/csv")
    _, _, direct = fetch(f"{native}/query?query={text}", "text/csv")
    rows = [sorted(csv.reader(io.StringIO(body.decode()))) for body in (through, direct)]
    assert rows[0] == rows[1]
    assert len(rows[0]) > 1000


@pytest.mark.parametrize(
    ("status", "becomes"), [("500 X", 502), ("401 X", 502), ("504 X", 504), ("503 X", 503)]
)
def test_what_is_wrong_behind_is_told_by_its_status(
    status: str, becomes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kg.forwarding.upstream.pause", lambda *_: 0.01)
    with scripted(answer(b"", status)) as server, served(application(server.address)) as address:
        given, content_type, content = fetch(f"{address}/sparql?query=ASK%7B%7D")
    assert (given, content_type) == (becomes, "application/problem+json")
    assert server.address not in content.decode()


def test_a_client_that_leaves_ends_the_query_behind() -> None:
    async def leave(address: str) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(address.rsplit(":", 1)[1]))
        writer.write(b"GET /sparql?query=ASK%7B%7D HTTP/1.1\r\nHost: x\r\n\r\n")
        await writer.drain()
        while not server.requests:
            await asyncio.sleep(0.01)
        writer.transport.abort()
        del reader
        await asyncio.to_thread(server.wait_for_end)

    with scripted(30.0) as server, served(application(server.address)) as address:
        asyncio.run(asyncio.wait_for(leave(address), 25))
