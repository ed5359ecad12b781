"""Clients that mean no good, or ask too much: each gets one clear answer, and the others theirs."""

from __future__ import annotations

import json
import os
import signal
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest

from kg.limits import Limits
from kg.protocol import Evaluation, Question, Service, Whole
from kg.server import Application, Settings
from kg.server.hub import Times
from kg.server.running import allow_files
from kg.sparql import QueryForm
from tests.server.serving import served
from tests.server.test_application import metrics

LIMITS = Limits(seconds=1.5, queue_seconds=20, workers=2, queue=2)
NUMBERS = " ".join(map(str, range(1000)))
HOPELESS = (
    "SELECT (COUNT(*) AS ?n) {"
    + "".join(f" VALUES ?v{n} {{ {NUMBERS} }}" for n in range(4))
    + " FILTER(?v0 + ?v1 + ?v2 + ?v3 < 0) }"
)
ENDLESS = "SELECT * {" + "".join(f" VALUES ?v{n} {{ {NUMBERS} }}" for n in range(4)) + "}"
ASK = "ASK { ?s ?p ?o }"


@pytest.fixture(scope="module")
def strict(store_dir: Path) -> Iterator[str]:
    """A server with two workers that gives a query little time."""
    with served(Application.of(store_dir, settings=Settings(LIMITS, cache=0))) as address:
        yield address


@dataclass(frozen=True)
class Answered:
    """A status, and what is said beside it."""

    status: int
    problem: dict[str, object]
    retry_after: str | None = None


def ask(address: str, query: str) -> Answered:
    content = urlencode({"query": query}).encode()
    try:
        with urllib.request.urlopen(f"{address}/sparql", content, timeout=60) as response:  # noqa: S310 - loopback
            response.read()
            return Answered(response.status, {})
    except urllib.error.HTTPError as error:
        with error:
            return Answered(error.code, json.loads(error.read()), error.headers.get("Retry-After"))


def sent(address: str, query: str) -> socket.socket:
    """Return a connection on which *query* was asked, and nothing read yet."""
    parts = urlsplit(address)
    body = urlencode({"query": query}).encode()
    connection = socket.create_connection((parts.hostname, parts.port), 60)
    connection.sendall(
        b"POST /sparql HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
    )
    return connection


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def busy(address: str) -> int:
    return int(metrics(address)['paperkg_workers{state="busy"}'])


def test_a_hopeless_query_ends_when_its_time_is_over(strict: str) -> None:
    begun = time.monotonic()
    answered = ask(strict, HOPELESS)
    assert answered.status == 504
    assert answered.problem["limit"] == "--time-limit"
    assert 1.4 < time.monotonic() - begun < 30
    assert ask(strict, ASK).status == 200


def test_a_hopeless_query_beside_it_keeps_nobody_waiting(strict: str) -> None:
    with sent(strict, HOPELESS):
        wait_until(lambda: busy(strict) == 1)
        for _ in range(20):
            assert ask(strict, ASK).status == 200
        assert busy(strict) == 1
    wait_until(lambda: busy(strict) == 0)


def test_four_hopeless_queries_beside_it_keep_nobody_waiting(store_dir: Path) -> None:
    """Case QRY-05, with one worker more than there are hopeless queries."""
    settings = Settings(Limits(seconds=2, workers=5), cache=0)
    over_data = "SELECT (COUNT(*) AS ?n) { ?a ?p ?x . ?b ?q ?y . ?c ?r ?z FILTER(?x + ?z = 17) }"
    with (
        served(Application.of(store_dir, settings=settings)) as address,
        ThreadPoolExecutor(4) as pool,
    ):
        asked = [pool.submit(ask, address, over_data) for _ in range(4)]
        wait_until(lambda: busy(address) == 4)
        for _ in range(10):
            begun = time.monotonic()
            assert ask(address, ASK).status == 200
            assert time.monotonic() - begun < 2
        answers = [one.result(60) for one in asked]
        assert [answered.status for answered in answers] == [504] * 4
        assert all("2 seconds" in str(answered.problem["detail"]) for answered in answers)
        assert busy(address) == 0


def test_what_a_client_that_left_has_asked_is_given_up(strict: str) -> None:
    killed = 'paperkg_workers_killed_total{reason="client gone"}'
    before = metrics(strict)[killed]
    for _ in range(3):
        with sent(strict, HOPELESS):
            wait_until(lambda: busy(strict) == 1)
        wait_until(lambda: busy(strict) == 0)
    # While another request of its own waits behind it, too.
    with sent(strict, HOPELESS) as connection:
        wait_until(lambda: busy(strict) == 1)
        connection.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
        time.sleep(0.1)
    wait_until(lambda: busy(strict) == 0)
    assert metrics(strict)[killed] == before + 4
    assert ask(strict, ASK).status == 200


def test_a_full_queue_turns_one_more_away_at_once(strict: str) -> None:
    connections = [sent(strict, HOPELESS) for _ in range(4)]  # two at work and two that wait
    try:
        wait_until(lambda: metrics(strict)["paperkg_queries_waiting"] == 2)
        begun = time.monotonic()
        answered = ask(strict, ASK)
        assert answered.status == 503
        assert "--queue" in str(answered.problem["detail"])
        assert answered.retry_after is not None
        assert int(answered.retry_after) >= 1
        assert time.monotonic() - begun < 3
        assert urllib.request.urlopen(f"{strict}/health").status == 200  # noqa: S310 - loopback
    finally:
        for connection in connections:
            connection.close()
    wait_until(lambda: busy(strict) == 0)


def test_who_does_not_read_loses_the_answer_and_holds_up_nobody(strict: str) -> None:
    readers = [sent(strict, ENDLESS) for _ in range(2)]
    try:
        assert all(reader.recv(10) for reader in readers)
        wait_until(lambda: busy(strict) == 0)  # the time of each was over
        assert ask(strict, ASK).status == 200
        for reader in readers:
            received = b""
            try:
                while piece := reader.recv(1 << 20):
                    received = (received + piece)[-10:]
            except ConnectionError:
                continue
            assert not received.endswith(b"0\r\n\r\n")
    finally:
        for reader in readers:
            reader.close()


def test_who_does_not_read_what_is_there_already_is_let_go() -> None:
    async def evaluate(question: Question) -> Evaluation:
        return Evaluation(QueryForm.ASK, question.solutions, Whole(b"x" * 50_000_000))

    application = Application(evaluate, Service("s1", "http://e/", 0))
    with served(application, times=Times(write=0.5, linger=1)) as address:
        readers = [sent(address, ASK) for _ in range(3)]
        wait_until(lambda: metrics(address)["paperkg_connections"] == 1)
        for reader in readers:
            reader.close()
        cut = 'paperkg_responses_cut_total{route="/sparql"}'
        assert metrics(address)[cut] == 3


@pytest.mark.parametrize(
    ("query", "statuses", "limit"),
    [
        ("SELECT * { VALUES ?x { %s } }" % ("<http://e/x> " * 800_000), {413}, "--query-length"),
        ("SELECT * { VALUES ?x { %s } }" % ("1 " * 200_000), {200, 504}, None),
        ("SELECT * " + "{" * 5000 + "}" * 5000, {400}, "--nesting"),
        ("SELECT * { " + "?s ?p ?o . " * 500 + "}", {400}, "--patterns"),
        ("SELECT (" + "(" * 10_000 + "1" + ")" * 10_000 + " AS ?x) {}", {400}, "--nesting"),
        ('ASK { ?s ?p ?o FILTER REGEX(?o, "((((a{50}){50}){50}){50}){50}") }', {200, 504}, None),
        (f'ASK {{ FILTER REGEX("{"a" * 5000}", "^(a+)+$") }}', {200, 504}, None),
    ],
    ids=["10 MB", "400 kB", "deep", "joins", "brackets", "repetitions", "backtracking"],
)
def test_a_bomb_is_refused_or_answered(
    strict: str, query: str, statuses: set[int], limit: str | None
) -> None:
    answered = ask(strict, query)
    assert answered.status in statuses
    assert answered.problem.get("limit") == ("--time-limit" if answered.status == 504 else limit)
    assert ask(strict, ASK).status == 200


def workers() -> list[int]:
    """The processes of this one that are workers."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rpartition(")")[2].split()[1])
            command = (path.parent / "cmdline").read_bytes()
        except OSError:
            continue
        if parent == os.getpid() and b"kg.worker" in command:
            found.append(int(path.parent.name))
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").is_file(), reason="needs /proc")
def test_a_worker_that_is_killed_is_an_error_and_another_one_comes(strict: str) -> None:
    with ThreadPoolExecutor(1) as pool:
        asking = pool.submit(ask, strict, HOPELESS)
        wait_until(lambda: busy(strict) == 1)
        for worker in workers():
            os.kill(worker, signal.SIGKILL)
        answered = asking.result(60)
    assert answered.status == 500
    assert "ended" in str(answered.problem["detail"]) or "died" in str(answered.problem["detail"])
    wait_until(lambda: ask(strict, ASK).status == 200)


def test_a_thousand_connections_that_do_nothing_are_in_nobodys_way(store_dir: Path) -> None:
    if allow_files(3000) < 3000:
        pytest.skip("needs 3,000 open files")
    idle: list[socket.socket] = []
    application = Application.of(store_dir, settings=Settings(LIMITS, cache=0))
    with served(application, most=1500) as address:
        parts = urlsplit(address)
        try:
            for number in range(1000):
                idle.append(socket.create_connection((parts.hostname, parts.port), 60))
                if number % 2:
                    idle[-1].sendall(b"GET /sparql HTTP/1.1\r\nHost: ")
            wait_until(lambda: metrics(address)["paperkg_connections"] > 1000)
            for _ in range(20):
                assert ask(address, ASK).status == 200
        finally:
            for connection in idle:
                connection.close()
        wait_until(lambda: metrics(address)["paperkg_connections"] == 1)
