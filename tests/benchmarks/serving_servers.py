"""Servers to be measured beside each other: each over the same store, in processes of its own."""

from __future__ import annotations

import contextlib
import http.client
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kg.snapshot import SnapshotFolder
from tests.benchmarks.serving_load import Place, asking

NATIVE: Final = "oxigraph serve-read-only"
_STARTING: Final = 600
"""Seconds in which a server has to answer."""
_LOOKED: Final = 0.02
"""Seconds between two looks at the memory."""

READY: Final = "SELECT (COUNT(?link) AS ?links) { %s <https://w3id.org/paperkg/ns#codeLink> ?link }"
"""What a server has to answer to be called started; it reads the store."""


@dataclass(frozen=True, slots=True)
class Server:
    """A way to serve: its *name*, the *command* for a port, and where its endpoint stands.

    *is_ours* says that it has our canned queries, *keeps* that it keeps the answers it has given.
    """

    name: str
    command: Callable[[int], list[str]]
    endpoint: str = "/sparql"
    is_ours: bool = False
    keeps: bool = False


@dataclass(frozen=True, slots=True)
class Running:
    """A server that runs: its *pid*, where it listens, and how many *seconds* its start took."""

    server: Server
    pid: int
    place: Place
    seconds: float


def servers(store: Path, peers: Path | None) -> list[Server]:
    """Return the servers over *store*; *peers* is the Python that has rdflib-endpoint."""
    ours = [sys.executable, "-m", "kg", "-q", "serve", "--store", str(store)]
    current = str(SnapshotFolder(store).built().store)
    native = [str(_native()), "serve-read-only", "--location", current]

    def kg(*options: str) -> Server:
        return Server(
            " ".join(["kg serve", *options]),
            lambda port: [*ours, "--port", str(port), *options],
            is_ours=True,
            keeps=not options,
        )

    found = [
        kg(),
        kg("--cache", "0"),
        kg("--cache", "0", "--memory"),
        Server(NATIVE, lambda port: [*native, "--bind", f"127.0.0.1:{port}"], "/query"),
    ]
    if peers is not None:
        script = str(Path(__file__).with_name("serving_peer.py"))
        command = [str(peers), script, current]
        found.append(Server("rdflib-endpoint", lambda port: [*command, str(port)]))
    return found


def _native() -> Path:
    beside = Path(sys.executable).with_name("oxigraph")
    found = beside if beside.exists() else shutil.which("oxigraph")
    if found is None:
        raise SystemExit("the native server is missing: pip install oxigraph")
    return Path(found)


@contextlib.contextmanager
def running(server: Server, thing: str) -> Iterator[Running]:
    """Start a server, wait for its first good answer, about *thing*, and end it at last."""
    port = _free_port()
    begun = time.perf_counter()
    with subprocess.Popen(
        server.command(port), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            request = asking(server.endpoint, READY % thing)
            while not _is_answered(port, request):
                if process.poll() is not None or time.perf_counter() > begun + _STARTING:
                    told = process.stderr.read() if process.stderr else ""
                    raise SystemExit(f"{server.name} does not start: {told[-2000:]}")
                time.sleep(0.002)
            seconds = time.perf_counter() - begun
            yield Running(server, process.pid, ("127.0.0.1", port), seconds)
        finally:
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(20)
            process.kill()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def _is_answered(port: int, request: bytes) -> bool:
    path = request.split(b" ")[1].decode()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_STARTING)
    try:
        connection.request("GET", path, headers={"Accept": "application/sparql-results+json"})
        response = connection.getresponse()
        return response.status == 200 and b'"links"' in response.read()
    except OSError:
        return False
    finally:
        connection.close()


class Memory:
    """The largest memory of a process with all below it while the block runs, in MiB.

    It is the proportional set size: what processes share counts once. *before* is what they had at
    the beginning, *peak* the most.
    """

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self.before = self.peak = self._now()

    def __enter__(self) -> Memory:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._is_over.wait(_LOOKED):
            self.peak = max(self.peak, self._now())

    def _now(self) -> float:
        return sum(map(_share, processes(self._pid))) / 1024


def processes(pid: int) -> list[int]:
    """Return a process and all below it."""
    found = [pid]
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):  # one that ends meanwhile
            for child in path.read_text("ascii").split():
                found += processes(int(child))
    return found


def _share(pid: int) -> int:
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text("ascii").splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1])
    return 0


def cpu(pid: int) -> float:
    """Return the seconds that a process and all below it have computed."""
    ticks = 0
    for each in processes(pid):
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{each}/stat").read_text("utf-8").rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")
