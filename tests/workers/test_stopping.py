"""Queries that are stopped, workers that die, and that all goes on as if nothing had been."""

from __future__ import annotations

import asyncio
import gc
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from kg.errors import (
    AnswerLimitError,
    BusyError,
    DeadlineError,
    KgError,
    LimitError,
    MemoryLimitError,
    WorkerDiedError,
)
from kg.limits import Limits
from kg.worker import frames
from kg.worker.confinement import KEPT
from kg.worker.setup import Setup
from kg.workers import Pool
from kg.workers.starting import FromDisk
from tests.workers.asking import (
    BASE,
    HOPELESS,
    JSON,
    LONG,
    asked,
    children,
    cpu_time,
    is_running,
    is_stopped,
    memory,
    question,
    run,
    started,
    until,
    whole,
    workers,
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes by /proc")

ONE = b"x\r\n1\r\n"


@pytest.fixture(params=["asyncio", "uvloop"])
def loop_factory(request: pytest.FixtureRequest) -> Callable[[], asyncio.AbstractEventLoop]:
    """What makes an event loop: that of Python, and uvloop's where it is there."""
    if request.param == "asyncio":
        return asyncio.new_event_loop
    factory: Callable[[], asyncio.AbstractEventLoop] = pytest.importorskip("uvloop").new_event_loop
    return factory


async def is_well(pool: Pool) -> None:
    """See that a pool has nothing to do and does it."""
    await until(lambda: pool.status().busy == 0)
    assert await asked(pool, "SELECT (1 AS ?x) {}") == ONE
    status = pool.status()
    assert (status.busy, status.waiting) == (0, 0)


async def with_a_spare(pool: Pool) -> None:
    """See to it that there is a worker more than may be at work."""
    assert await asked(pool, "SELECT (1 AS ?x) {}") == ONE
    await until(lambda: pool.status().workers == 2)


def test_a_query_that_takes_too_long_is_stopped(store: Path, in_memory: bool) -> None:
    async def work() -> None:
        async with started(store, in_memory=in_memory, seconds=0.5) as pool:
            begun = time.monotonic()
            with pytest.raises(DeadlineError, match=r"longer than 0\.5 seconds \(--time-limit\)"):
                await pool(question(HOPELESS))
            assert time.monotonic() - begun < 5
            await is_well(pool)
            assert pool.status().killed["deadline"] == 1

    run(work())


def test_an_answer_that_takes_too_long_breaks_off(store: Path) -> None:
    async def work() -> None:
        async with started(store, seconds=1) as pool:
            evaluation = await pool(question(LONG))
            assert await anext(evaluation.body)
            await asyncio.sleep(0.3)
            assert await anext(evaluation.body)
            with pytest.raises(DeadlineError):
                await whole(evaluation)
            await is_well(pool)

    run(work())


def test_an_answer_that_nobody_reads_frees_its_worker_in_time(store: Path) -> None:
    async def work() -> None:
        async with started(store, workers=1, seconds=0.5) as pool:
            evaluation = await pool(question(LONG))
            await is_well(pool)  # though the body is neither read nor closed
            with pytest.raises(DeadlineError):
                await whole(evaluation)

    run(work())


def test_a_slow_reader_makes_the_worker_wait(store: Path) -> None:
    async def work() -> None:
        async with started(store) as pool:
            before = memory()
            evaluation = await pool(question(LONG))
            for _ in range(3):
                await anext(evaluation.body)
                await asyncio.sleep(0.3)
            worked = sum(map(cpu_time, workers()))
            await asyncio.sleep(0.5)
            assert sum(map(cpu_time, workers())) - worked < 0.1
            assert memory() - before < 16 << 20
            await evaluation.body.aclose()

    run(work())


def test_beside_hopeless_queries_a_trivial_one_is_answered_at_once(
    store: Path, in_memory: bool
) -> None:
    async def work() -> None:
        async with started(store, in_memory=in_memory, workers=3) as pool:
            hopeless = [asyncio.create_task(pool(question(HOPELESS))) for _ in range(2)]
            await until(lambda: pool.status().busy == 2)
            await asyncio.sleep(0.3)
            begun = time.monotonic()
            assert await asked(pool, "SELECT (1 AS ?x) {}") == ONE
            assert time.monotonic() - begun < 2
            for task in hopeless:
                task.cancel()
            await asyncio.gather(*hopeless, return_exceptions=True)
            assert pool.status().killed["client gone"] == 2

    run(work())


def test_a_full_queue_turns_away_at_once_and_the_others_have_their_turn(store: Path) -> None:
    async def work() -> None:
        async with started(store, workers=1, queue=2) as pool:
            hopeless = asyncio.create_task(pool(question(HOPELESS)))
            await until(lambda: pool.status().busy == 1)
            order: list[int] = []

            async def wait(number: int) -> None:
                assert await asked(pool, f"SELECT ({number} AS ?x) {{}}")
                order.append(number)

            waiting = [asyncio.create_task(wait(number)) for number in range(2)]
            await until(lambda: pool.status().waiting == 2)
            begun = time.monotonic()
            with pytest.raises(BusyError, match=r"2 queries wait already \(--queue\)") as caught:
                await pool(question("ASK {}"))
            assert time.monotonic() - begun < 1
            assert caught.value.retry_after >= 1
            hopeless.cancel()
            await asyncio.gather(*waiting)
            assert order == [0, 1]
            assert pool.status().turned_away == 1

    run(work())


def test_nobody_waits_for_a_worker_longer_than_said(store: Path) -> None:
    async def work() -> None:
        async with started(store, workers=1, queue_seconds=0.2) as pool:
            hopeless = asyncio.create_task(pool(question(HOPELESS)))
            await until(lambda: pool.status().busy == 1)
            with pytest.raises(BusyError, match=r"free for 0\.2 seconds \(--queue-time\)"):
                await pool(question("ASK {}"))
            await until(lambda: pool.status().workers == 2)
            hopeless.cancel()
            await is_well(pool)

    run(work())


@pytest.mark.parametrize("read", [0, 1])
def test_an_answer_that_is_closed_stops(store: Path, in_memory: bool, read: int) -> None:
    async def work() -> None:
        async with started(store, in_memory=in_memory, workers=1) as pool:
            (worker,) = [pid for pid in workers() if pid in children()][:1]
            evaluation = await pool(question(LONG))
            for _ in range(read):
                await anext(evaluation.body)
            await evaluation.body.aclose()
            await is_well(pool)
            assert pool.status().killed["client gone"] == 1
            if not in_memory:
                await until(lambda: not is_running(worker))
            assert [piece async for piece in evaluation.body] == []

    run(work())


def test_many_clients_that_leave_at_any_time_leave_nothing_behind(
    store: Path, in_memory: bool
) -> None:
    chosen = random.Random(17)  # noqa: S311 - a test is the same each time

    async def client(pool: Pool) -> None:
        text = chosen.choice([HOPELESS, LONG, "ASK {}", "ASK {"])
        evaluation = await pool(question(text))
        try:
            async for _ in evaluation.body:
                await asyncio.sleep(0.001)
        finally:
            await evaluation.body.aclose()

    async def work() -> None:
        async with started(store, in_memory=in_memory, queue=100) as pool:
            clients = []
            for _ in range(60):
                clients.append(asyncio.create_task(client(pool)))
                await asyncio.sleep(chosen.choice([0, 0, 0.005]))
                for task in chosen.sample(clients, len(clients) // 10):
                    task.cancel()
            for task in clients:
                task.cancel()
            ended = await asyncio.gather(*clients, return_exceptions=True)
            assert all(isinstance(end, KgError | asyncio.CancelledError | None) for end in ended)
            await is_well(pool)
            assert pool.status().workers <= 3

    run(work())


def test_a_client_that_leaves_when_its_turn_has_come_gives_it_back(store: Path) -> None:
    async def work() -> None:
        async with started(store, workers=1) as pool:
            await with_a_spare(pool)
            evaluation = await pool(question(LONG))
            waiting = asyncio.create_task(pool(question("ASK {}")))
            await until(lambda: pool.status().waiting == 1)
            await evaluation.body.aclose()
            assert pool.status().busy == 1
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            await is_well(pool)

    run(work())


def test_a_worker_that_hears_nothing_is_killed_all_the_same(store: Path, in_memory: bool) -> None:
    async def work() -> None:
        async with started(store, in_memory=in_memory, workers=1, seconds=0.5) as pool:
            await with_a_spare(pool)
            before = children() - ({min(children())} if in_memory else set())
            asking = asyncio.create_task(pool(question(HOPELESS)))
            await until(lambda: pool.status().busy == 1)
            for pid in before:
                os.kill(pid, signal.SIGSTOP)
            with pytest.raises(DeadlineError):
                await asking
            await until(lambda: not all(map(is_running, before)))
            for pid in filter(is_running, before):
                os.kill(pid, signal.SIGCONT)
            await is_well(pool)

    run(work())


def test_a_worker_ends_when_its_connection_does(store: Path) -> None:
    async def work() -> None:
        setup = Setup(str(store), BASE, Limits(), os.getpid())
        process = await FromDisk(setup).start(lambda: None)
        process.connection.send(frames.question_frame(question(HOPELESS)))
        await asyncio.sleep(0.2)
        process.connection.close()
        assert await process.collect() == 0
        await process.ended()

    run(work())


def test_a_worker_that_is_killed_at_work_is_an_error_and_is_replaced(
    store: Path, in_memory: bool
) -> None:
    async def work() -> None:
        async with started(store, in_memory=in_memory, workers=2) as pool:
            before = children()
            asking = asyncio.create_task(pool(question(HOPELESS)))
            await until(lambda: pool.status().busy == 1)
            await asyncio.sleep(0.1)
            for pid in children():  # all there are, the one that holds the store included
                os.kill(pid, signal.SIGKILL)
            with pytest.raises(WorkerDiedError, match="died"):
                await asking
            # That the idle one is dead is noticed soon, not at once.
            await until(lambda: not children() & before)
            await is_well(pool)
            assert pool.status().killed["died"] == 1

    run(work())


def test_a_query_whose_worker_dies_before_it_reads_it_is_answered_by_another(
    store: Path, in_memory: bool, loop_factory: Callable[[], asyncio.AbstractEventLoop]
) -> None:
    async def work() -> None:
        async with started(store, in_memory=in_memory, workers=1) as pool:
            await with_a_spare(pool)
            for text in ("SELECT (1 AS ?x) {}", f"SELECT (1 AS ?x) {{}} #{'x' * 900_000}"):
                stopped = children() - ({min(children())} if in_memory else set())
                for pid in stopped:  # so that nothing of the question is read
                    os.kill(pid, signal.SIGSTOP)
                await until(lambda stopped=stopped: all(map(is_stopped, stopped)))  # type: ignore[misc]
                asking = asyncio.create_task(asked(pool, text))
                await until(lambda: pool.status().busy == 1)
                await asyncio.sleep(0.1)
                for pid in stopped:
                    os.kill(pid, signal.SIGKILL)
                assert await asking == ONE
                await until(lambda stopped=stopped: not stopped & children())  # type: ignore[misc]
                await until(lambda: pool.status().workers == 2)
            assert pool.status().killed["died"] == 0

    with asyncio.Runner(loop_factory=loop_factory) as runner:
        runner.run(asyncio.wait_for(work(), 60))


def test_a_query_that_is_handed_to_a_dead_worker_is_answered_by_another(
    store: Path, loop_factory: Callable[[], asyncio.AbstractEventLoop]
) -> None:
    async def work() -> None:
        async with started(store, workers=1) as pool:
            for _ in range(10):
                await with_a_spare(pool)
                dead = children()
                for pid in dead:
                    os.kill(pid, signal.SIGKILL)
                # The loop learns nothing of it before the question goes out.
                while any(map(is_running, dead)):
                    time.sleep(0.001)
                assert await asked(pool, "SELECT (1 AS ?x) {}") == ONE
            assert pool.status().killed["died"] == 0

    with asyncio.Runner(loop_factory=loop_factory) as runner:
        runner.run(asyncio.wait_for(work(), 60))


def test_an_idle_worker_that_dies_is_not_missed(store: Path, in_memory: bool) -> None:
    async def work() -> None:
        async with started(store, in_memory=in_memory) as pool:
            for _ in range(3):
                begun = pool.status().started
                for pid in children() - ({min(children())} if in_memory else set()):
                    os.kill(pid, signal.SIGSEGV)
                await until(lambda begun=begun: pool.status().started > begun)  # type: ignore[misc]
                assert await asked(pool, "SELECT (1 AS ?x) {}") == ONE

    run(work())


def test_a_query_that_takes_too_much_memory_is_stopped(store: Path, in_memory: bool) -> None:
    async def work() -> None:
        async with started(store, in_memory=in_memory, memory=100 << 20) as pool:
            text = f"{LONG} ORDER BY ?y ?x"
            with pytest.raises(MemoryLimitError, match=r"104,857,600 bytes .*\(--memory-limit\)"):
                await pool(question(text))
            await is_well(pool)
            assert pool.status().killed["memory"] == 1

    run(work())


def test_the_memory_of_a_query_comes_back(store: Path) -> None:
    text = f"SELECT (COUNT(*) AS ?n) {{ VALUES ?x {{ {'1 ' * 150_000} }} }}"  # takes 100 MB

    async def work() -> None:
        async with started(store, workers=1) as pool:
            await with_a_spare(pool)
            before = {pid: memory(pid) for pid in children()}
            assert await asked(pool, text) == b"n\r\n150000\r\n"
            assert children() == before.keys()
            assert all(memory(pid) - before[pid] < 2 * KEPT for pid in before)

    run(work())


def test_a_process_may_use_so_much_memory_and_no_more() -> None:
    script = """
from kg.worker.confinement import Memory

memory = Memory(100 << 20)
assert not memory.is_worn()
taken = bytearray(b"x") * (60 << 20)
assert memory.is_worn()
del taken
assert not memory.is_worn()
try:
    bytearray(b"x") * (110 << 20)
except MemoryError:
    print("no more")
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert done.stdout == b"no more\n"


HURTING = [
    'SELECT * { ?s ?p ?o FILTER(REGEX(STR(?s), "(a+)+$((((x{1000}){1000}){1000}){1000})")) }',
    "SELECT * { FILTER(REGEX('%s!', '^(a|aa|a?)+$')) }" % ("a" * 100_000),
    "SELECT * { BIND(REPLACE('%s', '(a*)*', '$1$1') AS ?x) }" % ("a" * 100_000),
    "SELECT * { VALUES ?x { %s } }" % ("1 " * 5_000_000),
    "ASK { %s }" % ("a.a" * 100_000),
]


def test_what_is_made_to_hurt_is_answered_or_stopped(store: Path) -> None:
    async def work() -> None:
        async with started(store, seconds=1) as pool:
            for text in HURTING:
                with suppress(KgError):
                    await whole(await pool(question(text)))
                await is_well(pool)

    run(work())


def test_many_values_are_answered_and_ten_megabytes_are_not(store: Path) -> None:
    text = "SELECT (COUNT(*) AS ?n) { VALUES ?x { %s } }"

    async def work() -> None:
        async with started(store) as pool:
            assert await asked(pool, text % ("1 " * 200_000)) == b"n\r\n200000\r\n"
            with pytest.raises(LimitError, match="--query-length") as caught:
                await pool(question(text % ("1 " * 5_000_000)))
            assert caught.value.limit == "--query-length"

    run(work())


def test_a_query_that_nests_as_deep_as_is_allowed_is_answered(store: Path, in_memory: bool) -> None:
    depth = 4_900
    nested = [
        f"ASK {{ {'FILTER NOT EXISTS { ?s <none> ?o ' * 330}{'}' * 330} }}",
        f"ASK {{ {'{ ' * depth}{'} ' * depth} }}",
        f"ASK {{ FILTER({'(' * depth}1{')' * depth}) }}",
        f"ASK {{ {'{ SELECT * { ' * 450} ?s ?p ?o {'} } ' * 450} }}",
    ]

    async def work() -> None:
        async with started(store, in_memory=in_memory, nesting=5_000, seconds=20) as pool:
            for text in nested:
                await asked(pool, text, JSON)
            assert pool.status().killed == {
                "deadline": 0, "client gone": 0, "memory": 0, "died": 0
            }  # fmt: skip

    run(work())


def test_rows_and_bytes_have_limits(store: Path) -> None:
    rows = "SELECT ?s { ?s ?p ?o } LIMIT %d"
    graph = "CONSTRUCT { ?s ?p ?o } { ?s ?p ?o } LIMIT %d"

    async def work() -> None:
        async with started(store, rows=1_000, answer_bytes=100_000) as pool:
            for media_type in ("text/csv", JSON):
                assert await asked(pool, rows % 1_000, media_type)
                with pytest.raises(AnswerLimitError, match=r"1,000 rows \(--row-limit\)"):
                    await pool(question(rows % 1_001, media_type))
            assert await whole(await pool(question(graph % 1_000)))
            with pytest.raises(AnswerLimitError, match="--row-limit"):
                await pool(question(graph % 1_001))
            with pytest.raises(AnswerLimitError, match=r"100,000 bytes \(--answer-limit\)"):
                await pool(question("SELECT * { ?s ?p ?o BIND(CONCAT(STR(?s), STR(?s), STR(?s),"
                                    " STR(?s), STR(?s), STR(?s), STR(?s), STR(?s)) AS ?long) }"
                                    " LIMIT 900"))  # fmt: skip
            await is_well(pool)

    run(work())


def test_an_answer_that_grows_too_long_after_its_first_bytes_breaks_off(store: Path) -> None:
    async def work() -> None:
        async with started(store, rows=100_000) as pool:
            evaluation = await pool(question(LONG))
            assert await anext(evaluation.body)
            with pytest.raises(AnswerLimitError, match="--row-limit"):
                await whole(evaluation)
            await is_well(pool)

    run(work())


def test_a_worker_ends_itself_where_the_server_does_not(store: Path) -> None:
    async def work() -> None:
        setup = Setup(str(store), BASE, Limits(seconds=0.3), os.getpid())
        process = await FromDisk(setup).start(lambda: None)
        process.connection.send(frames.question_frame(question(HOPELESS)))
        begun = time.monotonic()
        assert await process.connection.receive() is None
        assert 0.5 < time.monotonic() - begun < 10
        assert (await process.ended()).code == -signal.SIGALRM

    run(work())


@pytest.mark.parametrize("kind", ["disk", "memory"])
def test_no_worker_outlives_the_server(store: Path, kind: str) -> None:
    script = f"""
import asyncio
from pathlib import Path
from kg.limits import Limits
from kg.workers import Pool
from tests.workers.asking import HOPELESS, children, question, until

async def main():
    pool = Pool(Path({str(store)!r}), {BASE!r}, Limits(workers=2), in_memory={kind == "memory"})
    await pool.start()
    asking = asyncio.create_task(pool(question(HOPELESS)))
    await until(lambda: pool.status().busy == 1 and pool.status().workers == 2)
    await asyncio.sleep(0.2)
    print(*children(), flush=True)
    await asking

asyncio.run(main())
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        left = set(map(int, server.stdout.readline().split()))
        assert len(left) == 2 + (kind == "memory")
        assert all(map(is_running, left))
        for pid in left:
            os.kill(pid, signal.SIGSTOP)  # it notices nothing by itself
        server.kill()
    end = time.monotonic() + 20
    while any(map(is_running, left)) and time.monotonic() < end:
        time.sleep(0.02)
    assert not any(map(is_running, left))


def test_a_pool_that_is_closed_lets_answers_end(store: Path, in_memory: bool) -> None:
    async def work() -> None:
        async with started(store, in_memory=in_memory, grace=30, workers=1) as pool:
            evaluation = await pool(question("SELECT * { ?s ?p ?o . VALUES ?n { 1 2 3 4 5 6 } }"))
            waiting = asyncio.create_task(asked(pool, "SELECT (1 AS ?x) {}"))
            await until(lambda: pool.status().waiting == 1)
            closing = asyncio.create_task(pool.close(30))
            await asyncio.sleep(0.1)
            assert (await whole(evaluation)).endswith(b"\r\n")
            assert await waiting == ONE
            await closing
            with pytest.raises(BusyError, match="the server ends"):
                await pool(question("ASK {}"))

    run(work())


def test_a_pool_that_is_closed_ends_what_takes_longer(store: Path) -> None:
    async def work() -> None:
        pool = Pool(store, BASE, Limits(workers=1))
        await pool.start()
        asking = [asyncio.create_task(pool(question(HOPELESS))) for _ in range(2)]
        await until(lambda: pool.status().busy == 1 and pool.status().waiting == 1)
        begun = time.monotonic()
        await pool.close(0.2)
        assert time.monotonic() - begun < 5
        ended = await asyncio.gather(*asking, return_exceptions=True)
        assert [type(end) for end in ended] == [BusyError, BusyError]
        gc.collect()

    run(work())


def test_a_worker_dumps_no_core_and_hears_no_interrupt(store: Path) -> None:
    async def work() -> None:
        async with started(store) as pool:
            (worker, *_) = workers()
            limits = Path(f"/proc/{worker}/limits").read_text("ascii")
            (line,) = [line for line in limits.splitlines() if line.startswith("Max core")]
            assert line.split()[4] in ("0", "1")
            os.kill(worker, signal.SIGINT)
            os.kill(worker, signal.SIGTERM)
            assert os.getsid(worker) != os.getsid(0)
            await is_well(pool)
            assert is_running(worker)

    run(work())
