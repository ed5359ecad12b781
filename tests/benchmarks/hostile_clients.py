"""Clients of the soak: each method asks once, in its own way, and says in a word what came of it.

What is no clear answer is a :class:`FaultError`: it says which request got what.
"""

from __future__ import annotations

import http.client
import os
import random
import signal
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

NUMBERS: Final = " ".join(map(str, range(1000)))
_CROSS: Final = "".join(f" VALUES ?v{n} {{ {NUMBERS} }}" for n in range(4))
HOPELESS: Final = f"SELECT (COUNT(*) AS ?n) {{ {_CROSS} FILTER(?v0 + ?v1 + ?v2 + ?v3 < 0) }}"
OVER_DATA: Final = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER(?c + ?i < 0) }"
ENDLESS: Final = f"SELECT * {{ {_CROSS} }}"
GREEDY: Final = f"SELECT * {{ {_CROSS} }} ORDER BY DESC(?v0) ?v1"
ASK: Final = "ASK { ?s ?p ?o }"
LONG: Final = "SELECT * { VALUES ?x { %s } }" % ("<http://example.org/item> " * 400_000)
DEEP: Final = "SELECT * " + "{" * 20_000 + "}" * 20_000
PATTERN: Final = 'ASK { FILTER REGEX("%s", "^(((a{30}){30}){30}b|a+)+$") }' % ("a" * 20_000)

_BUSY: Final = (503,)
_PATIENCE: Final = 60


class FaultError(Exception):
    """An answer that is none of those that there may be."""


class Clients:
    """Clients of the server at *host* and *port*, whose process is *pid*."""

    def __init__(self, host: str, port: int, pid: int) -> None:
        self._place = (host, port)
        self._pid = pid

    def trivial(self) -> str:
        """Ask what is answered at once; 500 where its worker is the one that is just killed."""
        return self._asked(ASK, (200, 500, *_BUSY))

    def look_up(self) -> str:
        """Ask a canned query."""
        path = "/queries/leaderboard?leaderboard=named-entity-recognition-on-cmeee&limit="
        return self._got(f"{path}{random.randint(1, 100)}", (200,))  # noqa: S311 - no secret

    def described(self) -> str:
        """Read the service description."""
        return self._got("/sparql", (200,))

    def hopeless(self) -> str:
        """Ask what would take for ever."""
        return self._asked(HOPELESS, (504, 500, *_BUSY))

    def hopeless_over_data(self) -> str:
        """Ask what would take for ever, and reads all the while."""
        return self._asked(OVER_DATA, (504, 500, *_BUSY))

    def greedy(self) -> str:
        """Ask what would take all memory."""
        return self._asked(GREEDY, (504, 500, *_BUSY))

    def pattern(self) -> str:
        """Ask for a regular expression that is hard to match."""
        return self._asked(PATTERN, (200, 400, 504, 500, *_BUSY))

    def long(self) -> str:
        """Ask a query of 10 MB."""
        return self._asked(LONG, (413,))

    def deep(self) -> str:
        """Ask a query that nests deeply."""
        return self._asked(DEEP, (400, 500, *_BUSY))

    def endless(self) -> str:
        """Read an answer without end as fast as it comes; it may not look whole."""
        connection = self._post(ENDLESS)
        try:
            response = connection.getresponse()
            if response.status != 200:
                return self._status("endless", response.status, (504, 500, *_BUSY))
            while response.read(1 << 20):
                pass
        except (http.client.IncompleteRead, ConnectionError):
            return "cut"
        finally:
            connection.close()
        raise FaultError("endless: an answer that was cut looked whole")

    def slow(self) -> str:
        """Read an answer without end so slowly that it is given up."""
        connection = self._post(ENDLESS)
        try:
            response = connection.getresponse()
            if response.status != 200:
                return self._status("slow", response.status, (504, 500, *_BUSY))
            for _ in range(50):
                time.sleep(0.1)
                if not response.read(500):
                    break
        except (http.client.IncompleteRead, ConnectionError):
            return "cut"
        finally:
            connection.close()
        return "left"

    def leaver(self) -> str:
        """Ask what would take for ever, and leave."""
        connection = self._post(random.choice((HOPELESS, ENDLESS, OVER_DATA)))  # noqa: S311 - as above
        time.sleep(random.random())  # noqa: S311 - as above
        connection.close()
        return "left"

    def idle(self) -> str:
        """Open connections, on which nothing or half a request comes."""
        opened: list[socket.socket] = []
        try:
            for number in range(50):
                opened.append(socket.create_connection(self._place, _PATIENCE))
                if number % 2:
                    opened[-1].sendall(b"POST /sparql HTTP/1.1\r\nHost: x\r\nContent-Le")
            time.sleep(0.5)
        finally:
            for connection in opened:
                connection.close()
        return "left"

    def nonsense(self) -> str:
        """Send what is no request."""
        with socket.create_connection(self._place, _PATIENCE) as connection:
            connection.sendall(random.randbytes(random.randint(1, 5000)))  # noqa: S311 - as above
            with suppress(ConnectionError):
                connection.shutdown(socket.SHUT_WR)
                received = connection.recv(100)
                if received and not received.startswith((b"HTTP/1.1 4", b"HTTP/1.1 5")):
                    raise FaultError(f"nonsense: {received!r}")
        return "refused"

    def killer(self) -> str:
        """Kill a worker."""
        time.sleep(1.5)
        victims = workers(self._pid)
        if not victims:
            return "none there"
        with suppress(ProcessLookupError):
            os.kill(random.choice(victims), signal.SIGKILL)  # noqa: S311 - as above
        return "killed"

    def all(self) -> list[Callable[[], str]]:
        """Return every client; those that are to be many more than once."""
        return [
            *(self.trivial, self.trivial, self.look_up, self.described),
            *(self.hopeless, self.hopeless_over_data, self.greedy, self.pattern, self.long),
            *(self.deep, self.endless, self.slow, self.leaver, self.leaver, self.idle),
            *(self.nonsense, self.killer),
        ]

    def _post(self, query: str) -> http.client.HTTPConnection:
        connection = http.client.HTTPConnection(*self._place, timeout=_PATIENCE)
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        connection.request("POST", "/sparql", _encoded(query), headers)
        return connection

    def _asked(self, query: str, allowed: tuple[int, ...]) -> str:
        return self._answered(query[:30], self._post(query), allowed)

    def _got(self, path: str, allowed: tuple[int, ...]) -> str:
        connection = http.client.HTTPConnection(*self._place, timeout=_PATIENCE)
        connection.request("GET", path)
        return self._answered(path, connection, allowed)

    def _answered(
        self, what: str, connection: http.client.HTTPConnection, allowed: tuple[int, ...]
    ) -> str:
        try:
            response = connection.getresponse()
            body = response.read()
        finally:
            connection.close()
        if response.status >= 400 and b'"detail"' not in body:
            raise FaultError(f"{what}: {response.status} without a word: {body[:100]!r}")
        if response.status == 503 and not response.headers["Retry-After"]:
            raise FaultError(f"{what}: 503 without Retry-After")
        return self._status(what, response.status, allowed)

    def _status(self, what: str, status: int, allowed: tuple[int, ...]) -> str:
        if status not in allowed:
            raise FaultError(f"{what}: {status}")
        return str(status)


@cache
def _encoded(query: str) -> bytes:
    return urlencode({"query": query}).encode()


def workers(pid: int) -> list[int]:
    """Return the processes that are workers of the server *pid*."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rpartition(")")[2].split()[1])
            command = (path.parent / "cmdline").read_bytes()
        except OSError:
            continue
        if parent == pid and b"kg.worker" in command:
            found.append(int(path.parent.name))
    return found
