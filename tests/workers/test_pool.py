"""What a pool answers, and what it says where it does not."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pyoxigraph as ox
import pytest

from kg.answers import Question
from kg.errors import AnswerError, LimitError, QueryError, StoreError
from kg.formats import GRAPHS_BY_MEDIA_TYPE, SOLUTIONS_BY_MEDIA_TYPE
from kg.limits import Limits
from kg.sparql import Graphs, QueryForm
from kg.workers import Pool
from tests.workers.asking import (
    BASE,
    JSON,
    THINGS,
    XML,
    asked,
    question,
    run,
    started,
    whole,
)


def test_every_form_is_answered(store: Path, in_memory: bool) -> None:
    async def work() -> None:
        async with started(store, in_memory=in_memory) as pool:
            evaluation = await pool(question("SELECT ?o { <7> <p> ?o }"))
            assert (evaluation.form, evaluation.media_type) == (QueryForm.SELECT, "text/csv")
            assert await whole(evaluation) == b"o\r\n7\r\n"
            assert json.loads(await asked(pool, "ASK { <7> ?p 7 }", JSON))["boolean"] is True
            evaluation = await pool(question("CONSTRUCT WHERE { <7> ?p ?o }"))
            assert evaluation.media_type == "application/n-triples"
            assert b"<http://e/7> <http://e/p>" in await whole(evaluation)
            assert (
                await asked(pool, "SELECT ?s { GRAPH <g> { ?s ?p ?o } }") == b"s\r\nhttp://e/s\r\n"
            )
            in_graph = Question("SELECT ?o { ?s ?p ?o }", "text/csv", None, Graphs(("http://e/g",)))
            assert await whole(await pool(in_graph)) == b"o\r\nhttp://e/o\r\n"
            assert pool.status().answered == 5

    run(work())


def test_solutions_and_graphs_come_in_every_format(store: Path) -> None:
    async def work() -> None:
        async with started(store) as pool:
            for media_type in SOLUTIONS_BY_MEDIA_TYPE:
                assert b"http://e/7" in await asked(pool, "SELECT ?s { ?s <p> 7 }", media_type)
            for media_type, format_ in GRAPHS_BY_MEDIA_TYPE.items():
                asking = question("CONSTRUCT WHERE { <7> <p> ?o }", None, media_type)
                (quad,) = ox.parse(await whole(await pool(asking)), format=format_.engine)
                assert quad.subject == ox.NamedNode("http://e/7")

    run(work())


def test_a_long_answer_comes_whole_and_in_pieces(store: Path, in_memory: bool) -> None:
    async def work() -> None:
        async with started(store, in_memory=in_memory) as pool:
            evaluation = await pool(question("SELECT * { ?s ?p ?o . VALUES ?n { 1 2 3 4 5 6 } }"))
            pieces = [piece async for piece in evaluation.body]
            assert len(pieces) > 2
            assert all(pieces)
            assert b"".join(pieces).count(b"\n") == 6 * THINGS + 1
            with pytest.raises(StopAsyncIteration):
                await anext(evaluation.body)

    run(work())


def test_nothing_is_evaluated_where_nothing_is_acceptable(store: Path) -> None:
    async def work() -> None:
        async with started(store) as pool:
            evaluation = await pool(question("ASK {}", None))
            assert (evaluation.media_type, await whole(evaluation)) == (None, b"")

    run(work())


WRONG: list[tuple[Question, type[Exception], str]] = [
    (question("SELECT * {"), QueryError, "this { is never closed"),
    (question("ASK {\n no:such ?p ?o }"), QueryError, "prefix no: is not declared"),
    (question("ASK { ?s ?p '\ud800' }"), QueryError, "U+D800 is half a character"),
    (question("ASK { FILTER(<urn:f>(1)) }"), QueryError, "the function <urn:f> is not known"),
    (question("ASK { SERVICE <http://127.0.0.1/> {} }"), QueryError, "SERVICE is refused"),
    (question("ASK { FILTER((((1)))) }"), LimitError, "brackets nest deeper than 3 (--nesting)"),
    (question("ASK { ?a ?b ?c, ?d, ?e }"), LimitError, "a query may join 2 patterns, not more"),
    (question(f"ASK {{ }} #{'é' * 200}"), LimitError, "the query is longer than 400 bytes"),
    (question('SELECT ("\\u0001" AS ?x) {}', XML), AnswerError, "the answer holds the character"),
]


def test_what_is_wrong_with_a_query_is_said_as_it_is_here(store: Path) -> None:
    async def work() -> None:
        async with started(store, nesting=3, patterns=2, query_bytes=400) as pool:
            for asking, error, sentence in WRONG:
                with pytest.raises(error) as caught:
                    await pool(asking)
                assert type(caught.value) is error
                assert str(caught.value).startswith(sentence)
                assert await asked(pool, "SELECT (1 AS ?x) {}") == b"x\r\n1\r\n"
            assert pool.status().started <= 2  # no worker was lost

    run(work())


def test_a_fault_of_the_query_has_its_place_and_its_limit(store: Path) -> None:
    async def work() -> None:
        async with started(store, patterns=2) as pool:
            with pytest.raises(LimitError) as caught:
                await pool(question("ASK {\n ?a ?b ?c, ?d,\n  ?e }"))
            assert (caught.value.line, caught.value.column) == (3, 3)
            assert caught.value.limit == "--patterns"

    run(work())


def test_what_goes_wrong_after_the_first_bytes_breaks_the_answer(store: Path) -> None:
    rows = "{ SELECT * { ?s ?p ?o } ORDER BY ?o }"
    text = f"SELECT * {{ {rows} BIND(IF(?o = 2999, '\\u0001', '') AS ?c) }}"

    async def work() -> None:
        async with started(store) as pool:
            evaluation = await pool(question(text, XML))
            assert await anext(evaluation.body)
            with pytest.raises(AnswerError, match=r"U\+0001"):
                await whole(evaluation)

    run(work())


def test_several_queries_are_answered_at_once(store: Path, in_memory: bool) -> None:
    async def work() -> None:
        async with started(store, in_memory=in_memory, queue=100) as pool:
            texts = [f"SELECT ({n} AS ?x) {{}}" for n in range(60)]
            answers = await asyncio.gather(*[asked(pool, text) for text in texts])
            assert answers == [b"x\r\n%d\r\n" % n for n in range(60)]

    run(work())


def test_a_store_that_is_none_stops_the_start(tmp_path: Path, in_memory: bool) -> None:
    async def work() -> None:
        pool = Pool(tmp_path / "no" / "store", BASE, Limits(), in_memory=in_memory)
        with pytest.raises(StoreError, match="store"):
            await pool.start()

    run(work())


def test_a_product_that_is_cut_stops_the_start(store: Path, tmp_path: Path) -> None:
    product = (store.parent / "triples.nt.gz").read_bytes()
    (tmp_path / "triples.nt.gz").write_bytes(product[:-100])

    async def work() -> None:
        with pytest.raises(StoreError, match="is damaged"):
            await Pool(tmp_path / "store", BASE, Limits(), in_memory=True).start()

    run(work())


def test_a_worker_imports_what_the_server_does(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("kg.py", "json.py"):
        (tmp_path / name).write_text("raise SystemExit('the wrong module')", "utf-8")
    monkeypatch.chdir(tmp_path)

    async def work() -> None:
        async with started(store) as pool:
            assert await asked(pool, "ASK {}")

    run(work())


def test_it_runs_on_uvloop_too(store: Path, in_memory: bool) -> None:
    uvloop = pytest.importorskip("uvloop")

    async def work() -> None:
        async with started(store, in_memory=in_memory) as pool:
            assert await asked(pool, "SELECT ?o { <7> ?p ?o }") == b"o\r\n7\r\n"
            assert len(await asked(pool, "SELECT * { ?s ?p ?o }", JSON)) > THINGS

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(asyncio.wait_for(work(), 60))
