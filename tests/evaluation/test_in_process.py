"""Evaluation in threads: what comes out, what stops, and that no engine's object leaves."""

from __future__ import annotations

import asyncio
import gc
import threading
import time
from collections.abc import Coroutine
from dataclasses import replace
from typing import Any, TypeVar

import pyoxigraph as ox
import pytest

from kg.answers import CHUNK
from kg.errors import AnswerError, AnswerLimitError, LimitError, QueryError
from kg.evaluation import InProcess
from kg.formats import GRAPHS_BY_MEDIA_TYPE, SOLUTIONS_BY_MEDIA_TYPE
from kg.limits import Limits
from kg.protocol import Evaluation, Question, Whole
from kg.sparql import QueryForm
from kg.store import Store

BASE = "http://e/"
XML = "application/sparql-results+xml"
T = TypeVar("T")


def question(
    text: str, solutions: str | None = "text/csv", graph: str | None = "text/turtle"
) -> Question:
    return Question(text, solutions, graph)


def numbers(count: int) -> str:
    """A query with the square of *count* solutions."""
    values = " ".join(map(str, range(count)))
    return f"SELECT * {{ VALUES ?a {{ {values} }} VALUES ?b {{ {values} }} }}"


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(asyncio.wait_for(work, 60))


def threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "query"]


def gone(within: float = 20) -> bool:
    end = time.monotonic() + within
    while threads() and time.monotonic() < end:
        time.sleep(0.01)
    return not threads()


@pytest.fixture
def store() -> Store:
    store = ox.Store()
    for n in range(30):
        store.add(
            ox.Quad(ox.NamedNode(f"http://e/{n}"), ox.NamedNode("http://e/p"), ox.Literal("x" * n))
        )
    return Store(store, "a test's")


async def whole(evaluation: Evaluation) -> bytes:
    return b"".join([piece async for piece in evaluation.body])


def test_an_answer_comes_in_pieces_of_some_size(store: Store) -> None:
    async def work() -> list[int]:
        evaluation = await InProcess(store, BASE)(question(numbers(200)))
        return [len(piece) async for piece in evaluation.body]

    sizes = run(work())
    assert len(sizes) > 2
    assert all(size >= CHUNK for size in sizes[:-1])
    assert gone()


def test_a_short_answer_is_there_as_a_whole(store: Store) -> None:
    async def work() -> tuple[object, bytes]:
        evaluation = await InProcess(store, BASE)(question("SELECT (1 AS ?x) {}"))
        return evaluation.body, await whole(evaluation)

    body, content = run(work())
    assert isinstance(body, Whole)
    assert content == b"x\r\n1\r\n"


LOOKUPS = {
    "# ASK\nPREFIX select: <http://e/> SELECT ?s { ?s select:p '' }": QueryForm.SELECT,
    "BASE <http://e/> construct where { ?s <p> '' }": QueryForm.CONSTRUCT,
    "ASK { ?s ?p 'DESCRIBE' }": QueryForm.ASK,
}


@pytest.mark.parametrize("text", LOOKUPS)
def test_a_look_up_is_answered_as_any_query_is(store: Store, text: str) -> None:
    asked = question(text)

    async def ask(asked: Question) -> tuple[QueryForm, str | None, bytes]:
        evaluation = await InProcess(store, BASE)(asked)
        return evaluation.form, evaluation.media_type, await whole(evaluation)

    answered = run(ask(replace(asked, is_lookup=True)))
    assert answered == run(ask(asked))
    assert answered[0] is LOOKUPS[text]


@pytest.mark.parametrize("media_type", SOLUTIONS_BY_MEDIA_TYPE)
def test_solutions_in_every_format(store: Store, media_type: str) -> None:
    async def work() -> bytes:
        return await whole(
            await InProcess(store, BASE)(question("SELECT ?s { ?s ?p '' }", media_type))
        )

    assert b"http://e/0" in run(work())


@pytest.mark.parametrize("media_type", GRAPHS_BY_MEDIA_TYPE)
def test_a_graph_in_every_format(store: Store, media_type: str) -> None:
    asked = question("CONSTRUCT WHERE { ?s ?p '' }", None, media_type)

    async def work() -> bytes:
        return await whole(await InProcess(store, BASE)(asked))

    format_ = GRAPHS_BY_MEDIA_TYPE[media_type].engine
    (quad,) = ox.parse(run(work()), format=format_)
    assert quad.subject == ox.NamedNode("http://e/0")


def test_nothing_is_evaluated_where_nothing_is_acceptable(store: Store) -> None:
    async def work() -> tuple[str | None, bytes]:
        evaluation = await InProcess(store, BASE)(question("ASK {}", None))
        return evaluation.media_type, await whole(evaluation)

    assert run(work()) == (None, b"")


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        (question("SELECT * {"), QueryError),
        (question("SELECT * { SERVICE <http://127.0.0.1/> {} }"), QueryError),
        (question('SELECT ("\\u0001" AS ?x) {}', XML), AnswerError),
        (
            question('CONSTRUCT { <a:a> <a:1> "" } {}', None, "application/rdf+xml"),
            AnswerError,
        ),
    ],
)
def test_what_goes_wrong_before_the_first_bytes_is_raised(
    store: Store, asked: Question, error: type[Exception], recwarn: pytest.WarningsRecorder
) -> None:
    async def work() -> None:
        await InProcess(store, BASE)(asked)

    with pytest.raises(error) as caught:
        run(work())
    # A result of the engine that is dropped in another thread is reported as unraisable.
    del caught
    gc.collect()
    assert gone()
    assert not recwarn.list


def test_what_goes_wrong_later_is_raised_from_the_body(store: Store) -> None:
    text = f"{numbers(300)[:-1]} BIND(IF(?a + ?b = 598, '\\u0001', '') AS ?c) }}"

    read: list[bytes] = []

    async def work() -> None:
        evaluation = await InProcess(store, BASE)(question(text, XML))
        read.extend([await anext(evaluation.body)])
        await whole(evaluation)

    with pytest.raises(AnswerError, match=r"U\+0001"):
        run(work())
    assert len(read[0]) >= CHUNK
    assert gone()


@pytest.mark.parametrize("read", [0, 1])
def test_an_answer_that_nobody_reads_on_stops(store: Store, read: int) -> None:
    async def work() -> None:
        evaluation = await InProcess(store, BASE)(question(numbers(1000)))
        for _ in range(read):
            await anext(evaluation.body)
        await evaluation.body.aclose()

    run(work())
    assert gone()


def test_an_evaluation_that_is_given_up_before_its_first_bytes_stops(store: Store) -> None:
    async def work() -> None:
        evaluating = asyncio.create_task(InProcess(store, BASE)(question(numbers(1000))))
        await asyncio.sleep(0)
        evaluating.cancel()
        with pytest.raises(asyncio.CancelledError):
            await evaluating
        for _ in range(1000):  # while the loop goes on, as a server's does
            if not threads():
                return
            await asyncio.sleep(0.01)
        raise AssertionError

    run(work())


def test_no_more_are_evaluated_at_once_than_said_and_each_has_its_turn(store: Store) -> None:
    async def work() -> list[bytes]:
        evaluate = InProcess(store, BASE, at_once=1)
        first = await evaluate(question(numbers(1000)))
        waiting = [
            asyncio.create_task(evaluate(question(f"SELECT ({n} AS ?x) {{}}"))) for n in range(3)
        ]
        await asyncio.sleep(0.2)
        assert len(threads()) == 1
        assert not any(task.done() for task in waiting)
        await first.body.aclose()
        return [await whole(await task) for task in waiting]

    assert run(work()) == [b"x\r\n0\r\n", b"x\r\n1\r\n", b"x\r\n2\r\n"]
    assert gone()


def test_queries_that_fail_give_their_turn_back(store: Store) -> None:
    async def work() -> bytes:
        evaluate = InProcess(store, BASE, at_once=1)
        for _ in range(3):
            with pytest.raises(QueryError):
                await evaluate(question("SELECT"))
        return await whole(await evaluate(question("SELECT (1 AS ?x) {}")))

    assert run(work()) == b"x\r\n1\r\n"


@pytest.mark.parametrize("place", ["threading.Thread.start", "kg.evaluation.in_process.Channel"])
def test_an_evaluation_that_cannot_begin_gives_its_turn_back(
    store: Store, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    async def work() -> bytes:
        evaluate = InProcess(store, BASE, at_once=1)
        with monkeypatch.context() as patched:
            patched.setattr(place, fails)
            for _ in range(2):
                with pytest.raises(RuntimeError, match="start new thread"):
                    await evaluate(question("ASK {}"))
        return await whole(await evaluate(question("SELECT (1 AS ?x) {}")))

    assert run(work()) == b"x\r\n1\r\n"


def test_a_loop_that_has_ended_ends_its_threads(store: Store) -> None:
    async def work() -> None:
        await InProcess(store, BASE)(question(numbers(1000)))
        await asyncio.sleep(0.5)  # as much as there is room for is written

    run(work())  # the body is neither read nor closed, only dropped
    gc.collect()
    assert gone()


def test_what_a_query_may_ask_for_and_what_its_answer_may_be_is_kept(store: Store) -> None:
    async def ask(text: str) -> bytes:
        limits = Limits(rows=3, patterns=2)
        return await whole(await InProcess(store, BASE, limits=limits)(question(text)))

    assert run(ask("SELECT ?s { ?s ?p ?o } LIMIT 3")).count(b"\n") == 4
    with pytest.raises(AnswerLimitError):
        run(ask("SELECT ?s { ?s ?p ?o } LIMIT 4"))
    with pytest.raises(LimitError):
        run(ask("SELECT ?s { ?s ?p ?o , ?a , ?b }"))
