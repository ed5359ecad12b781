"""A load generator for servers on loopback: one thread, kept-alive connections, no HTTP library.

Requests are bytes that were made before, and of a response only the status and the end are looked
for, so a request costs the generator some 20 µs of processor time (``Load.own``, which the table
shows beside what the servers reach).
"""

from __future__ import annotations

import select
import socket
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Final
from urllib.parse import quote

Place = tuple[str, int]
"""The address of a server: host and port."""

JSON: Final = "application/sparql-results+json"
_AT_ONCE: Final = 1 << 18
_PATIENCE: Final = 120
"""Seconds without a byte after which a measurement is given up."""


class AnswerError(Exception):
    """A response that is no good answer: what was measured then would be something else."""


@dataclass(frozen=True, slots=True)
class Load:
    """What came of a load: *count* requests, *per_second*, *p50* and *p99* in milliseconds.

    *own* is the generator's processor time, in microseconds a request.
    """

    count: int
    per_second: float
    p50: float
    p99: float
    own: float


@dataclass(frozen=True, slots=True)
class Transfer:
    """One long answer: seconds to the *first* byte of its content and to the last, and its size."""

    first: float
    total: float
    size: int


def get(path: str) -> bytes:
    """Return the request for *path*, percent-encoded as it stands, with an answer in JSON."""
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept: {JSON}\r\n\r\n".encode()


def asking(path: str, query: str) -> bytes:
    """Return the request that sends *query* to the endpoint at *path*."""
    return get(f"{path}?query={quote(query, safe='')}")


class _Client:
    """One connection, on which one request at a time is under way."""

    def __init__(self, place: Place) -> None:
        self.socket = socket.create_connection(place, _PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._head = b""
        self._left: int | None = 0  # None: in chunks
        self.begun = 0.0

    def send(self, request: bytes) -> None:
        self._head, self._left = b"", None
        self.begun = time.perf_counter()
        self.socket.sendall(request)

    def receive(self) -> tuple[bool, int]:
        """Take some bytes; return whether they are the last, and how many are of the content."""
        piece = self.socket.recv(_AT_ONCE)
        if not piece:
            raise AnswerError("the server has closed the connection")
        content = piece
        if not self._head or b"\r\n\r\n" not in self._head:
            self._head += piece
            head, end, content = self._head.partition(b"\r\n\r\n")
            if not end:
                return False, 0
            self._begin(head.lower(), self._head)
        if self._left is None:
            return content.endswith(b"0\r\n\r\n"), len(content)
        self._left -= len(content)
        return self._left <= 0, len(content)

    def _begin(self, head: bytes, read: bytes) -> None:
        if head[9:12] != b"200":
            raise AnswerError(read[:400].decode("utf-8", "replace"))
        _, declares, value = head.partition(b"content-length:")
        self._left = int(value.partition(b"\r\n")[0]) if declares else None
        self._head = b"\r\n\r\n"


def transfer(place: Place, request: bytes) -> Transfer:
    """Ask once, on a connection of its own, and read the answer as fast as it comes."""
    client = _Client(place)
    with client.socket:
        client.send(request)
        first, size, is_over = 0.0, 0, False
        while not is_over:
            is_over, length = client.receive()
            if length and not first:
                first = time.perf_counter() - client.begun
            size += length
        return Transfer(first, time.perf_counter() - client.begun, size)


def load(place: Place, requests: Sequence[bytes], clients: int, seconds: float) -> Load:
    """Send *requests* in turn, over and over, each client its next when it has its answer.

    All answers are waited for: a query whose client leaves costs the server more than any other.
    """
    coming = cycle(requests)
    opened = [_Client(place) for _ in range(clients)]
    by_descriptor = {client.socket.fileno(): client for client in opened}
    took: list[float] = []
    poll = select.epoll()
    try:
        for descriptor in by_descriptor:
            poll.register(descriptor, select.EPOLLIN)
        own, begun = time.process_time(), time.perf_counter()
        for client in opened:
            client.send(next(coming))
        now, left = begun, clients
        while left:
            ready = poll.poll(_PATIENCE)
            if not ready:
                raise AnswerError(f"no answer came within {_PATIENCE} seconds")
            for descriptor, _ in ready:
                client = by_descriptor[descriptor]
                is_over, _ = client.receive()
                if is_over:
                    now = time.perf_counter()
                    took.append(now - client.begun)
                    if now < begun + seconds:
                        client.send(next(coming))
                    else:
                        left -= 1
        own = time.process_time() - own
    finally:
        poll.close()
        for client in opened:
            client.socket.close()
    marks = statistics.quantiles(took, n=100) if len(took) > 1 else took * 99
    rate = len(took) / (now - begun)
    return Load(len(took), rate, marks[49] * 1e3, marks[98] * 1e3, own / len(took) * 1e6)
