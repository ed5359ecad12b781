"""The tables of the serving benchmark: each server takes its turn at each measurement."""

from __future__ import annotations

import argparse
import contextlib
import statistics
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from tests.benchmarks.serving_load import Load, Transfer, asking, get, load, transfer
from tests.benchmarks.serving_questions import HEAVY
from tests.benchmarks.serving_servers import NATIVE, Memory, Running, Server, cpu, running

_QUICK: Final = 15
"""Seconds: a start that takes no longer is measured again."""
_WARM: Final = 50
"""Requests, or as many as there are, before the first that are measured."""
AGAIN: Final = 200
"""Papers that are asked for again and again."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way to ask: a server that runs, and the *requests* that it is sent."""

    name: str
    running: Running
    requests: Sequence[bytes]


def ways(up: Sequence[Running], texts: Sequence[str], paths: Sequence[str] = ()) -> list[Way]:
    """Return every way to ask *texts*, which are canned queries of ours at *paths*."""
    found = []
    for each in up:
        server = each.server
        if server.is_ours and paths:
            found.append(Way(f"{server.name}, canned", each, [get(path) for path in paths]))
        if not server.keeps:
            name = f"{server.name}, ad hoc" if server.is_ours else server.name
            requests = [asking(server.endpoint, text) for text in texts]
            found.append(Way(name, each, requests))
    return found


@contextlib.contextmanager
def beside(each: Running, text: str, clients: int) -> Iterator[None]:
    """Have so many clients ask *text*, one time after the other, while the block runs."""
    is_over = threading.Event()
    request = asking(each.server.endpoint, text)

    def ask() -> None:
        while not is_over.is_set():
            transfer(each.place, request)

    threads = [threading.Thread(target=ask) for _ in range(clients)]
    for thread in threads:
        thread.start()
    try:
        time.sleep(0.5)
        yield
    finally:
        is_over.set()
        for thread in threads:
            thread.join()


def loads(what: str, asked: Sequence[Way], clients: int, given: argparse.Namespace) -> None:
    """Print what each way reaches with so many clients, with the heavy query beside them or not."""
    came: list[list[tuple[Load, float]]] = [[] for _ in asked]
    for turn in range(given.runs):
        for way, these in zip(asked, came, strict=True):
            busy = beside(way.running, HEAVY, 2) if "heavy" in what else contextlib.nullcontext()
            with busy:
                if not turn:
                    for request in way.requests[: AGAIN if way.running.server.keeps else _WARM]:
                        transfer(way.running.place, request)
                before = cpu(way.running.pid)
                one = load(way.running.place, way.requests, clients, given.seconds)
                spent = cpu(way.running.pid) - before
                these.append((one, spent / one.count * 1e6))
    native = [load for load, _ in came[native_of(asked)]]
    for way, these in zip(asked, came, strict=True):
        rate, p50, p99, own = (
            statistics.median(getattr(one, name) for one, _ in these)
            for name in ("per_second", "p50", "p99", "own")
        )
        spent = statistics.median(spent for _, spent in these)
        ratio = statistics.median(
            one.per_second / other.per_second for (one, _), other in zip(these, native, strict=True)
        )
        row(what, clients, way.name, f"{rate:,.0f}", f"{p50:.2f}", f"{p99:.2f}", f"{ratio:.2f}",
             f"{spent:.0f}", f"{own:.0f}")  # fmt: skip


def transfers(what: str, text: str, up: Sequence[Running], given: argparse.Namespace) -> None:
    """Print how long one answer takes, and what memory it takes meanwhile."""
    asked = ways(up, [text])
    came: list[list[tuple[Transfer, Memory]]] = [[] for _ in asked]
    for _ in range(given.runs):
        for way, these in zip(asked, came, strict=True):
            with Memory(way.running.pid) as memory:
                these.append((transfer(way.running.place, way.requests[0]), memory))
    native = [one.total for one, _ in came[native_of(asked)]]
    for way, these in zip(asked, came, strict=True):
        first = statistics.median(one.first for one, _ in these) * 1e3
        total = statistics.median(one.total for one, _ in these) * 1e3
        ratio = statistics.median(
            other / one.total for (one, _), other in zip(these, native, strict=True)
        )
        size = these[0][0].size / 2**20
        before, peak = these[-1][1].before, max(memory.peak for _, memory in these)
        row(what, way.name, f"{first:,.0f}", f"{total:,.0f}", f"{ratio:.2f}", f"{size:,.1f}",
             f"{before:,.0f}", f"{peak:,.0f}")  # fmt: skip


def native_of(asked: Sequence[Way]) -> int:
    """Return the place of the native server among the ways to ask."""
    return next(n for n, way in enumerate(asked) if way.name == NATIVE)


def starts(these: Sequence[Server], thing: str, runs: int) -> None:
    """Print how long each server takes from its start to its first good answer."""
    for server in these:
        took: list[float] = []
        while len(took) < (runs if not took or took[0] < _QUICK else 1):
            with running(server, thing) as up:
                took.append(up.seconds)
        row(server.name, f"{statistics.median(took):.2f}")


def row(*cells: object) -> None:
    """Print a line of a table."""
    print("|", " | ".join(map(str, cells)), "|", flush=True)


def heading(*names: str) -> None:
    """Print the head of a table."""
    print()
    row(*names)
    print("|" + "---|" * len(names))
