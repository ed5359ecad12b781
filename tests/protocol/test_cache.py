"""Answers that are kept: the same answers, no more bytes than there may be, and none too many."""

from __future__ import annotations

import asyncio
import gzip

from hypothesis import given
from hypothesis import strategies as st

from kg.evaluation import InProcess
from kg.protocol import Cache, Evaluation, Question, Remembering, Whole
from kg.protocol.cache import Kept, KeptBody
from kg.sparql import QueryForm
from tests.protocol.asking import BASE, CSV, JSON, Client, filled

ROOM = 1 << 20


class Counting:
    """Evaluates by *evaluate*, and counts."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self._store = filled()

    async def __call__(self, question: Question) -> Evaluation:
        self.asked.append(question.text)
        return await InProcess(self._store, BASE)(question)


def remembering(capacity: int = ROOM, snapshot: str = "s1") -> tuple[Client, Counting, Cache]:
    counting, cache = Counting(), Cache(capacity)
    return Client(evaluate=Remembering(counting, cache, snapshot)), counting, cache


def test_what_was_answered_is_answered_again_without_being_evaluated() -> None:
    client, counting, cache = remembering()
    first, second = client.get("SELECT * {?s ?p ?o}"), client.get("SELECT * {?s ?p ?o}")
    assert (second.status, second.headers, second.body) == (200, first.headers, first.body)
    assert len(counting.asked) == 1
    assert (cache.hits, cache.misses, len(cache)) == (1, 1, 1)
    head = client.get("SELECT * {?s ?p ?o}", method="HEAD")
    assert (head.headers, head.body) == (first.headers, b"")
    assert len(counting.asked) == 1


def test_another_query_format_graph_or_snapshot_is_another_answer() -> None:
    client, counting, cache = remembering()
    client.get("ASK {}")
    client.get("ASK { }")
    client.get("ASK {}", CSV)
    client.get("ASK {}", None, ("default-graph-uri", "http://e/g1"))
    client.get("ASK {}", None, ("named-graph-uri", "http://e/g1"))
    assert len(counting.asked) == len(cache) == 5
    later = Client(evaluate=Remembering(counting, cache, "s2"))
    later.get("ASK {}")
    assert len(counting.asked) == 6


def test_an_answer_that_changes_or_is_none_is_not_kept() -> None:
    client, counting, cache = remembering()
    for query, accept in (
        ("SELECT (NOW() AS ?x) {}", None),
        ("SELECT (rand # a comment\n () AS ?x) {}", None),
        ("ASK {", None),
        ("ASK {}", "image/png"),
        ('SELECT ("\\u0001" AS ?x) {}', "text/xml"),
    ):
        for _ in range(2):
            client.get(query, accept)
        assert len(cache) == 0
        assert len(counting.asked) == 2
        counting.asked.clear()
    client.get("SELECT ?now { ?now <http://e/rand> 'NOW()' }")
    assert len(cache) == 1


def test_an_answer_that_nobody_read_to_its_end_is_not_kept() -> None:
    client, _, cache = remembering()
    numbers = " ".join(map(str, range(30_000)))
    long = f"SELECT * {{ VALUES ?x {{ {numbers} }} }}"
    client.send(parameters=[("query", long)], headers=[("if-none-match", "*")])
    client.get(long, method="HEAD")
    assert len(cache) == 0


def test_a_large_answer_is_not_kept_but_comes_whole() -> None:
    client, counting, cache = remembering(capacity=1 << 16)
    query = "SELECT * { VALUES ?a { " + " ".join(map(str, range(300))) + " } }"
    first, second = client.get(query), client.get(query)
    assert first.body == second.body
    assert len(counting.asked) == 2
    assert cache.size == 0
    # The text counts too: an answer of no bytes to a long question takes room.
    key = ("s1", Question("x" * cache.largest, JSON, None))
    cache.put(key, Kept(QueryForm.ASK, JSON, b"x"))
    assert cache.get(key) is None


def test_a_kept_answer_is_packed_once() -> None:
    client, counting, cache = remembering()
    query = "SELECT * { VALUES ?a { " + " ".join(map(str, range(300))) + " } }"
    plain = client.get(query)
    before = cache.size
    headers = [("accept-encoding", "gzip")]
    packed = [client.send(parameters=[("query", query)], headers=headers) for _ in range(3)]
    assert len({one.body for one in packed}) == 1
    assert gzip.decompress(packed[0].body) == plain.body
    assert cache.size == before + len(packed[0].body)
    assert len(counting.asked) == 1


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 60), st.booleans()), max_size=40),
    st.integers(1, 4),
)
def test_it_never_holds_more_than_it_may(
    asked: list[tuple[int, int, bool]], sixteenths: int
) -> None:
    capacity = 16 * 16 * sixteenths
    cache = Cache(capacity)

    async def run() -> None:
        for number, size, is_coded in asked:
            key = ("s", Question(str(number), JSON, None))
            kept = cache.get(key)
            if kept is None:
                cache.put(key, Kept(QueryForm.ASK, JSON, b"x" * size))
            elif is_coded:
                await KeptBody(cache, key, kept).coded("gzip")
            assert 0 <= cache.size <= capacity
            held = sum(
                len(k[1].text) + len(v.content) + sum(map(len, v.coded.values()))
                for k, v in cache._kept.items()
            )
            assert cache.size == held

    asyncio.run(run())


def test_those_asked_for_least_recently_go_first() -> None:
    cache = Cache(16 * 100)
    keys = [("s", Question(f"{n:02}", JSON, None)) for n in range(20)]
    for key in keys:
        cache.put(key, Kept(QueryForm.ASK, JSON, b"x" * 90))
        cache.get(keys[0])
    assert cache.get(keys[0]) is not None
    assert cache.get(keys[1]) is None
    assert cache.get(keys[-1]) is not None


def test_a_body_is_closed_by_whoever_closes_the_recorded_one() -> None:
    closed = []

    class Watched(Whole):
        async def aclose(self) -> None:
            closed.append(True)

    async def evaluate(question: Question) -> Evaluation:
        return Evaluation(QueryForm.ASK, question.solutions, Watched(b"x"))

    client = Client(evaluate=Remembering(evaluate, Cache(ROOM), "s"))
    assert client.get("ASK {}").body == b"x"
    assert closed == [True]
