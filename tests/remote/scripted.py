"""A server that says word by word what it is told to say, one answer a connection."""

from __future__ import annotations

import socket
import socketserver
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TypeAlias
from urllib.parse import parse_qs

Step: TypeAlias = bytes | float | Callable[[socket.socket], object]
"""What is sent; or how many seconds nothing is; or what is done with the connection."""

ROWS = (
    b'{"head":{"vars":["a"]},"results":{"bindings":['
    b'{"a":{"type":"literal","value":"x"}},{"a":{"type":"literal","value":"y"}}]}}'
)
JSON = "application/sparql-results+json"


def answer(
    body: bytes = ROWS,
    status: str = "200 OK",
    content_type: str | None = JSON,
    *headers: str,
    promised: int | None = None,
) -> bytes:
    """Return an answer; *promised* is what Content-Length says instead of the truth."""
    lines = [f"HTTP/1.1 {status}", *headers, f"Content-Length: {promised or len(body)}"]
    if content_type is not None:
        lines.append(f"Content-Type: {content_type}")
    return "\r\n".join([*lines, "", ""]).encode() + body


def moved(status: int, location: str | None) -> bytes:
    """Return a redirection."""
    return answer(b"", f"{status} Moved", None, *([f"Location: {location}"] if location else []))


def reset(connection: socket.socket) -> None:
    """Break the connection in the hardest way there is."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    connection.close()


@dataclass
class Scripted:
    """What was asked of a server: whole requests, and how many of its connections were ended."""

    address: str = ""
    requests: list[bytes] = field(default_factory=list)
    ended: list[float] = field(default_factory=list)

    @property
    def queries(self) -> list[str]:
        """The queries that were asked, by POST of a form."""
        bodies = [request.partition(b"\r\n\r\n")[2].decode() for request in self.requests]
        return [query for body in bodies for query in parse_qs(body).get("query", [])]

    def header(self, name: str, request: int = -1) -> str | None:
        """Return a header of a request."""
        for line in self.requests[request].partition(b"\r\n\r\n")[0].decode().split("\r\n")[1:]:
            known, _, value = line.partition(": ")
            if known.lower() == name.lower():
                return value
        return None

    def wait_for_end(self) -> float:
        """Return when a connection was ended by its client; fail where none is."""
        deadline = time.monotonic() + 30
        while not self.ended:
            assert time.monotonic() < deadline
            time.sleep(0.005)
        return self.ended[0]


@contextmanager
def scripted(
    *answers: Step | Sequence[Step], tls: ssl.SSLContext | None = None
) -> Iterator[Scripted]:
    """Serve *answers*, one a connection and the last again and again; each is a step or several."""
    said = Scripted()
    left = list(answers)

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            with suppress(OSError):
                if tls is not None:
                    self.request = tls.wrap_socket(self.request, server_side=True)
                with self.request:
                    said.requests.append(self._request())
                    steps = left.pop(0) if len(left) > 1 else left[0]
                    for step in steps if isinstance(steps, list | tuple) else [steps]:
                        self._do(step)

        def _request(self) -> bytes:
            request = b""
            while b"\r\n\r\n" not in request:
                request += self.request.recv(1 << 16) or b"\r\n\r\n"
            head, _, body = request.partition(b"\r\n\r\n")
            length = 0
            for line in head.lower().split(b"\r\n"):
                if line.startswith(b"content-length:"):
                    length = int(line.partition(b":")[2])
            while len(body) < length:
                body += self.request.recv(1 << 16)
            return head + b"\r\n\r\n" + body

        def _do(self, step: Step) -> None:
            if isinstance(step, bytes):
                self.request.sendall(step)
            elif callable(step):
                step(self.request)
            else:  # wait, or until the client has gone
                self.request.settimeout(step)
                with suppress(TimeoutError):
                    if not self.request.recv(1):
                        said.ended.append(time.monotonic())

    class Server(socketserver.ThreadingTCPServer):
        allow_reuse_address = True
        daemon_threads = True

    with Server(("127.0.0.1", 0), Handler) as server:
        scheme = "https" if tls is not None else "http"
        said.address = f"{scheme}://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield said
        finally:
            server.shutdown()
            thread.join()
