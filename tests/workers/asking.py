"""A snapshot to ask, questions of all kinds, and what is left of the processes."""

from __future__ import annotations

import asyncio
import gzip
import os
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from kg.answers import Question
from kg.limits import Limits
from kg.protocol import Evaluation
from kg.store import Store
from kg.workers import Pool

BASE = "http://e/"
JSON = "application/sparql-results+json"
XML = "application/sparql-results+xml"

THINGS = 3_000
"""Triples of the store: ``<http://e/N> <http://e/p> N``, and one of a named graph."""

HOPELESS = "SELECT (COUNT(*) AS ?n) { ?a ?p ?x . ?b ?q ?y . ?c ?r ?z . FILTER(?x + ?y + ?z = 17) }"
"""Case QRY-05: a query that takes days."""

LONG = "SELECT * { ?a ?p ?x . ?b ?q ?y }"
"""A query whose answer is some hundred megabytes long."""

T = TypeVar("T")


def write_snapshot(folder: Path) -> Path:
    """Write a store and the product that it is an index of; return the store's folder."""
    triples = [
        b'<http://e/%d> <http://e/p> "%d"^^<http://www.w3.org/2001/XMLSchema#integer> .' % (n, n)
        for n in range(THINGS)
    ]
    quads = [b"<http://e/s> <http://e/p> <http://e/o> <http://e/g> ."]
    folder.mkdir(parents=True, exist_ok=True)
    store = Store.create(folder / "store")
    for name, lines in (("triples.nt.gz", triples), ("quads.nq.gz", quads)):
        store.load(lines)
        with gzip.open(folder / name, "wb") as file:
            file.write(b"\n".join([*lines, b""]))
    store.flush()
    return folder / "store"


def question(
    text: str, solutions: str | None = "text/csv", graph: str | None = "application/n-triples"
) -> Question:
    return Question(text, solutions, graph)


async def whole(evaluation: Evaluation) -> bytes:
    return b"".join([piece async for piece in evaluation.body])


async def asked(pool: Pool, text: str, media_type: str = "text/csv") -> bytes:
    return await whole(await pool(question(text, media_type)))


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(asyncio.wait_for(work, 60))


@asynccontextmanager
async def started(
    store: Path, *, in_memory: bool = False, grace: float = 0, **limits: Any
) -> AsyncIterator[Pool]:
    """A pool that is ready, and closed in the end."""
    pool = Pool(store, BASE, Limits(**{"workers": 2, **limits}), in_memory=in_memory)
    await pool.start()
    try:
        yield pool
    finally:
        await pool.close(grace)


async def until(is_so: Callable[[], bool], seconds: float = 20) -> None:
    """Wait until something is so; it is to be so before long."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, "it never came to be so"
        await asyncio.sleep(0.01)


_OTHERS: set[int] = set()
"""Processes below this one that tests of other parts have started, and that are theirs."""


def begin() -> None:
    """Take the processes that there are now for those of others."""
    _OTHERS.clear()
    _OTHERS.update(_below(os.getpid()))


def children() -> set[int]:
    """The processes below this one, dead ones that nobody collected too, but those of others."""
    return _below(os.getpid()) - _OTHERS


def _below(pid: int) -> set[int]:
    found: set[int] = set()
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):  # a thread or a process that ends meanwhile
            for child in map(int, path.read_text("ascii").split()):
                found |= {child, *_below(child)}
    return found


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def is_stopped(pid: int) -> bool:
    """Whether every thread of a process has stopped, which takes a while after SIGSTOP."""
    threads = Path(f"/proc/{pid}/task").glob("*/stat")
    return all(path.read_text("utf-8").rpartition(")")[2].split()[0] == "T" for path in threads)


def cpu_time(pid: int) -> float:
    """How many seconds a process has computed."""
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def workers(marks: str = "kg.worker") -> set[int]:
    """Those of the processes below this one that are workers, or hold a store for them."""
    found = set()
    for pid in children():
        try:
            arguments = Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            continue
        if marks.encode() in arguments.split(b"\0"):
            found.add(pid)
    return found


def descriptors() -> int:
    """How many files and sockets this process has open (pipes are none of ours)."""
    return sum(not _target(path).startswith("pipe:") for path in Path("/proc/self/fd").iterdir())


def _target(path: Path) -> str:
    try:
        return str(path.readlink())
    except OSError:  # that of the listing itself
        return "pipe:"


def memory(pid: int | None = None) -> int:
    """How many bytes of memory a process has, this one by default."""
    pages = Path(f"/proc/{pid or 'self'}/statm").read_text("ascii").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")
