"""Questions put to a server elsewhere: what goes out, what comes back, and what ends it."""

from __future__ import annotations

import asyncio
import json
import ssl
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import parse_qs

import pyoxigraph as ox
import pytest

from kg.errors import (
    AnswerError,
    AnswerLimitError,
    BusyError,
    DeadlineError,
    KgError,
    LimitError,
    QueryError,
    ServiceError,
)
from kg.forwarding import Forwarding, upstream
from kg.limits import Limits
from kg.protocol import Evaluation, Question
from kg.remote import Address
from kg.sparql import Graphs, QueryForm
from tests.remote.certificates import certificate_in
from tests.remote.scripted import JSON, ROWS, Scripted, Step, answer, moved, reset, scripted

T = TypeVar("T")
BASE = "https://example.org/our/"
SELECT = "SELECT ?a { ?a a kg:Paper }"
CONSTRUCT = "CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }"
CSV, XML = "text/csv", "application/sparql-results+xml"
TURTLE = b"@prefix e: <http://e/> . e:a e:b 1, 1 ."
CHUNKED = f"HTTP/1.1 200 OK\r\nContent-Type: {JSON}\r\nTransfer-Encoding: chunked\r\n\r\n".encode()


def chunk(data: bytes) -> bytes:
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is busy is asked again soon; what the server itself asks for is waited."""
    monkeypatch.setattr(upstream, "pause", lambda _, told: told or 0.01)


def forwarding(server: Scripted, *, token: str | None = None, **limits: float) -> Forwarding:
    given = Limits(**{"seconds": 20.0, "workers": 2, **limits})  # type: ignore[arg-type]  numbers
    return Forwarding(Address.of(f"{server.address}/sparql"), BASE, given, token=token)


def question(
    text: str = SELECT, solutions: str | None = JSON, graph: str | None = None
) -> Question:
    return Question(text, solutions, graph)


async def whole(evaluation: Evaluation) -> bytes:
    try:
        return b"".join([piece async for piece in evaluation.body])
    finally:
        await evaluation.body.aclose()


def asked(
    server: Scripted, about: Question | None = None, **limits: float
) -> tuple[QueryForm, str | None, bytes]:
    async def ask() -> tuple[QueryForm, str | None, bytes]:
        evaluation = await forwarding(server, **limits)(about or question())
        return evaluation.form, evaluation.media_type, await whole(evaluation)

    return asyncio.run(ask())


# --- what goes out -------------------------------------------------------------------------------


def test_a_question_goes_out_with_what_it_needs() -> None:
    text = "SELECT ?a { <paper/x> a kg:Paper }"
    with scripted(answer()) as server:
        graphs = Graphs(("http://g/",), ("http://n/",))
        assert asked(server, Question(text, JSON, None, graphs)) == (QueryForm.SELECT, JSON, ROWS)
        fields = parse_qs(server.requests[0].partition(b"\r\n\r\n")[2].decode())
        assert fields == {
            "query": [f"BASE <{BASE}> PREFIX kg: <https://w3id.org/paperkg/ns#> {text}"],
            "default-graph-uri": ["http://g/"],
            "named-graph-uri": ["http://n/"],
        }
        assert server.requests[0].startswith(b"POST /sparql HTTP/1.1\r\n")
        assert server.header("host") == server.address.removeprefix("http://")
        assert str(server.header("user-agent")).startswith("paperkg/")
        assert str(server.header("accept")).startswith(f"{JSON}, ")
        assert server.header("authorization") is None


def test_a_server_gets_the_token_that_it_knows_this_one_by() -> None:
    async def ask(server: Scripted) -> bytes:
        return await whole(await forwarding(server, token="abc")(question()))  # noqa: S106  made up

    with scripted(moved(308, "/other"), answer()) as server:
        assert asyncio.run(ask(server)) == ROWS
        assert server.header("authorization") == "Bearer abc"
    with scripted(answer()) as there, scripted(moved(307, f"{there.address}/x")) as server:
        assert asyncio.run(ask(server)) == ROWS
        assert there.header("authorization") is None
        assert there.queries == server.queries


@pytest.mark.parametrize(
    ("about", "error"),
    [
        (question("SELECT * {"), QueryError),
        (question("ASK { SERVICE <http://127.0.0.1/> {} }"), QueryError),
        (question("INSERT DATA {}"), QueryError),
        (question("ASK {" + " " * 300 + "}"), LimitError),
        (question("ASK { ?s ?p '\ud800' }"), QueryError),
    ],
)
def test_what_is_refused_here_does_not_go_out(about: Question, error: type[KgError]) -> None:
    with scripted(answer()) as server:
        with pytest.raises(error):
            asked(server, about, query_bytes=300)
        assert server.requests == []


def test_what_the_client_accepts_none_of_is_not_asked() -> None:
    with scripted(answer()) as server:
        assert asked(server, question(CONSTRUCT)) == (QueryForm.CONSTRUCT, None, b"")
        assert server.requests == []


# --- what comes back -----------------------------------------------------------------------------


def test_an_answer_is_passed_on_as_it_comes() -> None:
    gate: list[bool] = []

    def wait(_: object) -> None:
        while not gate:
            time.sleep(0.01)

    steps: list[Step] = [CHUNKED + chunk(ROWS[:30]), wait, chunk(ROWS[30:]) + b"0\r\n\r\n"]

    async def ask(server: Scripted) -> list[bytes]:
        evaluation = await forwarding(server)(question())
        first = await anext(evaluation.body)
        gate.append(True)
        return [first, await whole(evaluation)]

    with scripted(steps) as server:
        assert asyncio.run(ask(server)) == [ROWS[:30], ROWS[30:]]


@pytest.mark.parametrize("size", [0, 1, 1 << 20])
def test_an_answer_that_ends_with_its_connection_is_whole(size: int) -> None:
    head = f"HTTP/1.0 200 OK\r\nContent-Type: {JSON}\r\n\r\n".encode()
    with scripted(head + b"x" * size) as server:
        assert asked(server)[2] == b"x" * size


@pytest.mark.parametrize("wanted", [CSV, "text/tab-separated-values", XML, JSON])
@pytest.mark.parametrize("had", [JSON, XML, "text/tab-separated-values"])
def test_solutions_in_another_format_are_written_anew(wanted: str, had: str) -> None:
    engine = {JSON: ox.QueryResultsFormat.JSON, XML: ox.QueryResultsFormat.XML}
    given = ox.parse_query_results(ROWS, format=ox.QueryResultsFormat.JSON)
    assert isinstance(given, ox.QuerySolutions)
    body = given.serialize(format=engine.get(had, ox.QueryResultsFormat.TSV))
    assert body
    with scripted(answer(body, "200 OK", f"{had}; charset=utf-8")) as server:
        form, media_type, content = asked(server, question(solutions=wanted))
        assert str(server.header("accept")).startswith(f"{wanted}, ")
    assert (form, media_type) == (QueryForm.SELECT, wanted)
    if wanted == CSV:
        assert content == b"a\r\nx\r\ny\r\n"
    else:
        fmt = engine.get(wanted, ox.QueryResultsFormat.TSV)
        found = ox.parse_query_results(content, format=fmt)
        assert isinstance(found, ox.QuerySolutions)
        assert [str(row["a"]) for row in found] == ['"x"', '"y"']


@pytest.mark.parametrize(
    ("wanted", "engine"),
    [
        ("application/n-triples", ox.RdfFormat.N_TRIPLES),
        ("application/rdf+xml", ox.RdfFormat.RDF_XML),
        ("application/json", ox.RdfFormat.JSON_LD),
        ("application/trig", ox.RdfFormat.TRIG),
    ],
)
def test_a_graph_in_another_format_is_written_anew(wanted: str, engine: ox.RdfFormat) -> None:
    with scripted(answer(TURTLE, "200 OK", "text/turtle")) as server:
        form, media_type, content = asked(server, question(CONSTRUCT, None, wanted))
    assert (form, media_type) == (QueryForm.CONSTRUCT, wanted)
    (quad,) = ox.parse(content, format=engine)
    assert (
        str(quad.triple)
        == '<http://e/a> <http://e/b> "1"^^<http://www.w3.org/2001/XMLSchema#integer>'
    )


def test_a_yes_or_no_is_one_in_every_format() -> None:
    with scripted(answer(b'{"head":{},"boolean":true}')) as server:
        assert asked(server, question("ASK {}", CSV)) == (QueryForm.ASK, CSV, b"true")


def test_what_xml_cannot_carry_is_refused() -> None:
    body = ROWS.replace(b'"x"', b'"\\u0001"')
    with scripted(answer(body)) as server, pytest.raises(AnswerError, match=r"U\+0001"):
        asked(server, question(solutions=XML))


# --- what is no answer ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        (
            answer(b"Parse error: x\n at y", "400 X", "text/plain"),
            QueryError,
            "query: Parse error: x",
        ),
        (answer(b"<h1>", "400 X", "text/html"), QueryError, "refuses the query"),
        (answer(b"", "401 X"), ServiceError, r"does not answer queries \(401\)"),
        (answer(b"secret/path", "403 X", "text/plain"), ServiceError, r"\(403\)"),
        (answer(b"", "404 X"), ServiceError, r"\(404\)"),
        (answer(b"", "500 X"), ServiceError, r"\(500\)"),
        (answer(b"", "502 X"), ServiceError, r"\(502\)"),
        (
            answer(b"", "504 X"),
            DeadlineError,
            "takes longer than the server behind this one allows",
        ),
        (answer(b"", "413 X"), LimitError, "too long for the server behind this one"),
        (answer(b"", "503 X"), BusyError, "is busy; ask again later"),
        (answer(b"", "429 X"), BusyError, "is busy; ask again later"),
        (answer(b"", "303 X"), ServiceError, r"\(303\)"),
        (answer(b"<p>", "200 OK", "text/html"), ServiceError, "not answer as a SPARQL endpoint"),
        (answer(b"", "200 OK", None), ServiceError, "not answer as a SPARQL endpoint"),
        (answer(b"", "200 OK", JSON, "Content-Encoding: gzip"), ServiceError, "not answer as a"),
        (answer(b"{", "200 OK", "text/tab-separated-values"), ServiceError, "is broken"),
        (moved(302, "/again"), ServiceError, "sends the query on and on"),
        (moved(302, "ftp://e/"), ServiceError, "sends queries elsewhere"),
        (reset, ServiceError, "broke"),
        (b"SSH-2.0\r\n\r\n", ServiceError, "does not speak HTTP"),
        (b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 20_000, ServiceError, "."),
        (b"HTTP/1.1 100 Continue\r\n\r\n", ServiceError, "waits for more"),
        (CHUNKED, ServiceError, "broke off"),
        (answer(ROWS[:9], promised=99, content_type=XML), ServiceError, "broke off"),
    ],
)
def test_what_is_no_answer_is_an_error_that_says_whose_fault_it_is(
    given: Step, error: type[KgError], said: str
) -> None:
    with scripted(given) as server, pytest.raises(error, match=said) as caught:
        asked(server)
    assert server.address not in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_server_that_is_not_there_is_said() -> None:
    nowhere = Scripted("http://127.0.0.1:9")
    with pytest.raises(ServiceError, match="behind this one: it cannot be reached: "):
        asked(nowhere)


def test_a_certificate_that_nobody_vouches_for_is_said_and_one_that_is_trusted_is_taken(
    tmp_path: Path,
) -> None:
    certificate = certificate_in(tmp_path)

    async def ask(server: Scripted) -> bytes:
        trusting = Forwarding(
            Address.of(server.address),
            BASE,
            Limits(),
            trust=lambda: ssl.create_default_context(cafile=str(certificate.file)),
        )
        return await whole(await trusting(question()))

    with scripted(answer(), tls=certificate.server) as server:
        with pytest.raises(ServiceError, match="its certificate cannot be trusted"):
            asked(server)
        assert asyncio.run(ask(server)) == ROWS


def test_a_server_that_is_busy_is_asked_again() -> None:
    half = answer(ROWS[:9], promised=99, content_type=XML)
    with scripted(answer(b"", "503 X"), reset, answer(b"", "502 X"), answer()) as server:
        assert asked(server)[2] == ROWS
    with scripted(half, answer()) as server, pytest.raises(ServiceError, match="broke off"):
        asked(server, question(solutions=XML))  # bytes of it may have gone on already


def test_what_a_server_asks_for_is_waited_if_there_is_time() -> None:
    with scripted(answer(b"", "503 X", None, "Retry-After: 1"), answer()) as server:
        begun = time.monotonic()
        assert asked(server)[2] == ROWS
        assert time.monotonic() - begun >= 1
    with scripted(answer(b"", "503 X", None, "Retry-After: 77")) as server:
        with pytest.raises(BusyError) as caught:
            asked(server)
        assert (caught.value.retry_after, len(server.requests)) == (77, 1)


def test_an_answer_that_breaks_off_on_the_way_is_raised_where_it_does() -> None:
    async def ask(server: Scripted) -> bytes:
        evaluation = await forwarding(server)(question())
        first = await anext(evaluation.body)
        with pytest.raises(ServiceError, match="its answer broke off"):
            await anext(evaluation.body)
        await evaluation.body.aclose()
        return first

    with scripted([CHUNKED + chunk(ROWS[:30]), 0.1]) as server:
        assert asyncio.run(ask(server)) == ROWS[:30]


# --- what ends it --------------------------------------------------------------------------------


def in_loop(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    return asyncio.run(work())


@pytest.mark.parametrize("begins", [False, True])
def test_the_time_of_a_query_is_over_before_or_while_it_is_answered(begins: bool) -> None:
    async def ask(server: Scripted) -> None:
        evaluation = await forwarding(server, seconds=0.4)(question())
        await whole(evaluation)

    steps: list[Step] = [CHUNKED + chunk(ROWS[:30]), 30.0] if begins else [30.0]
    with scripted(steps) as server:
        begun = time.monotonic()
        with pytest.raises(DeadlineError, match=r"longer than 0.4 seconds \(--time-limit\)"):
            asyncio.run(ask(server))
        assert 0.4 <= server.wait_for_end() - begun < 15


@pytest.mark.parametrize("begins", [False, True])
def test_when_the_client_leaves_the_server_is_left_too(begins: bool) -> None:
    async def ask(server: Scripted) -> None:
        evaluate = forwarding(server, workers=1)
        asking = asyncio.create_task(evaluate(question()))
        while not server.requests:
            await asyncio.sleep(0.01)
        if begins:
            await (await asking).body.aclose()
        else:
            await asyncio.sleep(0.1)
            asking.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asking
        await asyncio.to_thread(server.wait_for_end)
        # Its place is free again.
        assert await whole(await evaluate(question())) == ROWS

    steps: list[Step] = [CHUNKED + chunk(ROWS[:30]), 30.0] if begins else [30.0]
    with scripted(steps, answer()) as server:
        begun = time.monotonic()
        asyncio.run(ask(server))
        assert server.ended[0] - begun < 15


def test_only_so_many_are_asked_at_once_and_wait_only_so_long() -> None:
    async def ask(server: Scripted) -> None:
        evaluate = forwarding(server, workers=1, queue=1, queue_seconds=0.3)
        first = await evaluate(question())
        waiting = asyncio.create_task(evaluate(question()))
        await asyncio.sleep(0.05)
        with pytest.raises(BusyError, match=r"1 queries wait already \(--queue\)") as caught:
            await evaluate(question())
        assert caught.value.retry_after >= 1
        with pytest.raises(BusyError, match=r"for 0.3 seconds \(--queue-time\)"):
            await waiting
        assert len(server.requests) == 1
        later = asyncio.create_task(evaluate(question()))
        await asyncio.sleep(0.05)
        await first.body.aclose()
        assert await whole(await later) == ROWS

    with scripted([CHUNKED + chunk(ROWS[:30]), 30.0], answer()) as server:
        asyncio.run(ask(server))


def test_an_answer_has_only_so_many_bytes_and_rows() -> None:
    with scripted(answer()) as server:
        assert asked(server, answer_bytes=len(ROWS))[2] == ROWS
        with pytest.raises(AnswerLimitError, match="--answer-limit"):
            asked(server, answer_bytes=len(ROWS) - 1)
        assert json.loads(asked(server, rows=2)[2]) == json.loads(ROWS)
        with pytest.raises(AnswerLimitError, match=r"more than 1 rows \(--row-limit\)"):
            asked(server, rows=1)
        assert asked(server, question(solutions=CSV), rows=2)[2] == b"a\r\nx\r\ny\r\n"
    two = TURTLE.replace(b"1, 1", b"1, 2")
    with scripted(answer(two, "200 OK", "text/turtle")) as server:
        about = question(CONSTRUCT, None, "text/turtle")
        with pytest.raises(AnswerLimitError, match="more than 1 rows"):
            asked(server, about, rows=1)
        assert len(list(ox.parse(asked(server, about, rows=2)[2], format=ox.RdfFormat.TURTLE))) == 2


def test_what_must_be_held_as_a_whole_is_held_only_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.forwarding._HELD", 50)
    with scripted(answer()) as server:
        assert asked(server)[2] == ROWS
        with pytest.raises(AnswerLimitError, match="longer than 50 bytes"):
            asked(server, question(solutions=CSV))
