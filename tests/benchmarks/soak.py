"""Hostile clients of every kind, all at once: ``python -m tests.benchmarks.soak --seconds 600``.

The real command is started on a store (of the samples, or ``--store``), new snapshots come while
it serves, and every request must get one clear answer. In the end the server must live, with no
query, worker or file left over, and its memory must have come back. Needs /proc, as Linux has it.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import urllib.request
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from kg import builder, resources
from kg.snapshot import SnapshotFolder
from tests.benchmarks.hostile_clients import Clients, FaultError, workers

_OPTIONS: Final = {
    "--time-limit": "3",
    "--workers": "2",
    "--queue": "6",
    "--queue-time": "2",
    "--memory-limit": "256M",
}
_SWAP_EVERY: Final = 4.0
_MEMORY_MARGIN: Final = 96 << 20
_FILES_MARGIN: Final = 8


@dataclass
class Outcome:
    """What came of the requests of each kind, and what was wrong."""

    counts: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    faults: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class State:
    """What the server takes: *memory* and open *files* of the web process, *workers*."""

    memory: int
    files: int
    workers: int

    @classmethod
    def of(cls, pid: int) -> State:
        """Look at the process *pid*."""
        pages = int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1])
        files = len(list(Path(f"/proc/{pid}/fd").iterdir()))
        return cls(pages * os.sysconf("SC_PAGE_SIZE"), files, len(workers(pid)))


def soak(store_dir: Path, seconds: float) -> Outcome:
    """Run all clients against a server of *store_dir* for so many *seconds*."""
    outcome = Outcome()
    command = [sys.executable, "-m", "kg", "serve", "--store", str(store_dir), "--port", "0"]
    options = [part for option in _OPTIONS.items() for part in option]
    with subprocess.Popen([*command, *options], stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        try:
            told = re.search(r"http://\S+", server.stderr.readline())
            if told is None:
                raise FaultError("the server did not start")
            threading.Thread(target=server.stderr.read, daemon=True).start()
            address = told[0]
            parts = urlsplit(address)
            clients = Clients(str(parts.hostname), int(parts.port or 0), server.pid)
            _warm_up(clients, address)
            before = State.of(server.pid)
            _run(clients, store_dir, seconds, outcome)
            after = _quiet(address, server.pid)
            _compare(before, after, outcome)
            if clients.trivial() != "200":
                outcome.faults.append("the server does not answer after all")
            server.send_signal(signal.SIGTERM)
            if server.wait(60) != 0:
                outcome.faults.append(f"the server ended with {server.returncode}")
        finally:
            server.kill()
    return outcome


def _warm_up(clients: Clients, address: str) -> None:
    clients.long()
    for _ in range(50):
        for client in (clients.trivial, clients.look_up, clients.described):
            client()
    _metrics(address)


def _run(clients: Clients, store_dir: Path, seconds: float, outcome: Outcome) -> None:
    end = time.monotonic() + seconds
    lock = threading.Lock()

    def go_on(client: Callable[[], str]) -> None:
        name = client.__name__
        while time.monotonic() < end:
            begun = time.monotonic()
            try:
                came = client()
            except FaultError as fault:
                came = "fault"
                with lock:
                    outcome.faults.append(str(fault))
            except Exception:  # whatever it was, it was no clear answer
                came = "fault"
                with lock:
                    outcome.faults.append(f"{name}: {traceback.format_exc(limit=3)}")
            with lock:
                outcome.counts[name][came] += 1
                outcome.seconds[name].append(time.monotonic() - begun)

    threads = [threading.Thread(target=go_on, args=(client,)) for client in clients.all()]
    for thread in threads:
        thread.start()
    while (left := end - time.monotonic()) > 0:
        time.sleep(min(left, _SWAP_EVERY))
        _new_snapshot(store_dir)
    for thread in threads:
        thread.join()


def _new_snapshot(store_dir: Path) -> None:
    """Make a snapshot that is the current one again, and clear away those before that."""
    current = SnapshotFolder(store_dir).built()
    new = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    shutil.copytree(current.path, current.path.with_name(new))
    written = store_dir / "current.new"
    written.write_text(f"{new}\n", "ascii")
    written.replace(store_dir / "current")
    for path in current.path.parent.iterdir():
        if path.name not in (new, current.id):
            shutil.rmtree(path)


def _quiet(address: str, pid: int) -> State:
    """Wait until the server has nothing to do; return what it takes then."""
    deadline = time.monotonic() + 60
    while True:
        now = _metrics(address)
        idle = now['paperkg_workers{state="busy"}'] == now["paperkg_queries_waiting"] == 0
        if idle and now["paperkg_connections"] == 1 and State.of(pid).workers <= 4:
            time.sleep(2)
            return State.of(pid)
        if time.monotonic() > deadline:
            raise FaultError(f"the server does not come to rest: {now}, {State.of(pid)}")
        time.sleep(0.1)


def _metrics(address: str) -> dict[str, float]:
    with urllib.request.urlopen(f"{address}/metrics", timeout=60) as response:  # noqa: S310 - loopback
        lines = response.read().decode().splitlines()
    pairs = (line.rpartition(" ") for line in lines if not line.startswith("#"))
    return {name: float(value) for name, _, value in pairs}


def _compare(before: State, after: State, outcome: Outcome) -> None:
    outcome.counts["memory, MiB"][f"{before.memory >> 20} → {after.memory >> 20}"] = 1
    outcome.counts["open files"][f"{before.files} → {after.files}"] = 1
    outcome.counts["workers"][f"{before.workers} → {after.workers}"] = 1
    if after.memory > before.memory + _MEMORY_MARGIN:
        outcome.faults.append(f"memory did not come back: {before} → {after}")
    if after.files > before.files + _FILES_MARGIN:
        outcome.faults.append(f"files were left open: {before} → {after}")


def main(arguments: list[str] | None = None) -> int:
    """Soak, print what came of it, and return 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--store", type=Path, help="a store; it gets new snapshots meanwhile")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        store_dir = given.store
        if store_dir is None:
            store_dir = Path(folder, "store")
            builder.build([str(resources.samples())], store_dir)
        outcome = soak(store_dir, given.seconds)
    for name, counts in outcome.counts.items():
        times = sorted(outcome.seconds.get(name, []))
        middle = f"median {times[len(times) // 2]:.3f} s, last {times[-1]:.3f} s" if times else ""
        told = ", ".join(f"{what}: {count}" for what, count in counts.most_common())
        print(f"{name:20} {told:50} {middle}")
    for fault in outcome.faults:
        print(f"FAULT {fault}")
    return 1 if outcome.faults else 0


if __name__ == "__main__":
    sys.exit(main())
