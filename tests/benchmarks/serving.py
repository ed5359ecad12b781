"""``kg serve`` beside other servers: ``python -m tests.benchmarks.serving 200000 --peers PYTHON``.

All serve one store, made of so many papers with all that comes with them; ``--store DIR`` is the
folder of one that there is. They run side by side and take turns at each measurement, ``--runs``
times: figures are medians, and ``times native`` is the median of what each turn gave divided by
what the native server gave in the same turn. PYTHON is the interpreter of an environment with
rdflib-endpoint and oxrdflib. Where we have a canned query, the others are sent its text.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.benchmarks.making import write
from tests.benchmarks.serving_questions import ROWS, STRINGS, Questions
from tests.benchmarks.serving_servers import NATIVE, running, servers
from tests.benchmarks.serving_tables import (
    AGAIN,
    heading,
    loads,
    native_of,
    starts,
    transfers,
    ways,
)


def measure(store: Path, given: argparse.Namespace) -> None:
    """Print all tables."""
    asked = Questions.of(store)
    found = servers(store, given.peers)
    if given.peers is None:
        print("rdflib-endpoint is left out: --peers names no Python that has it")
    print(f"load of the machine at the beginning: {os.getloadavg()[0]:.1f}")
    heading("server", "seconds from the start to the first good answer")
    starts(found, asked.thing, given.runs)
    with contextlib.ExitStack() as stack:
        up = [stack.enter_context(running(server, asked.thing)) for server in found]
        heading("asked", "clients", "by", "a second", "p50 ms", "p99 ms", "times native",
                 "server, µs CPU", "generator, µs CPU")  # fmt: skip
        again = ways(up[:1], [], asked.code.paths[:AGAIN]) + [
            way for way in ways(up, asked.code.texts[:AGAIN]) if way.name == NATIVE
        ]
        code = [
            way for way in ways(up, asked.code.texts, asked.code.paths) if way.running is not up[0]
        ]
        one, boards = asked.patterns, asked.leaderboards
        for clients in (1, 16):
            loads("code of a paper, asked before", again, clients, given)
            loads("code of a paper", code, clients, given)
            loads("one pattern", ways(up, one), clients, given)
        # rdflib-endpoint answers one after the other, and the longer of these for minutes.
        quick = up[: len(servers(store, None))]
        loads("leaderboard", ways(quick, boards.texts, boards.paths), 16, given)
        loads("code of a paper beside two heavy queries", code[: native_of(code) + 1], 8, given)
        heading("asked", "by", "first byte, ms", "last byte, ms", "times native", "MiB of answer",
                 "MiB before", "MiB at most")  # fmt: skip
        transfers("100,000 rows", ROWS % 100_000, up, given)
        transfers("300,000 rows", ROWS % 300_000, up[1:4], given)
        transfers("titles that hold a text", STRINGS, up, given)


def main() -> None:
    """Make the store if there is none, and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("papers", type=int, nargs="?", default=20_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=3, help="of each load")
    parser.add_argument("--peers", type=Path, help="a Python that has rdflib-endpoint")
    parser.add_argument("--store", type=Path, help="the folder of a store that there is")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        store = given.store
        if store is None:
            files = write(Path(place) / "records", given.papers)
            store = Path(place) / "store"
            build = [
                sys.executable,
                "-m",
                "kg",
                "-q",
                "build",
                *map(str, files),
                "--store",
                str(store),
            ]
            subprocess.run(build, check=True)
        measure(store, given)


if __name__ == "__main__":
    main()
