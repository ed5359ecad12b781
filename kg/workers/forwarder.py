"""Where workers ask other servers: this process does it for them, as far as they may be asked.

The engine asks whatever a query names, by itself. So in a query every server that it may ask is
replaced by an address of this machine, at which the forwarder listens. Each query has a secret of
its own in that address, and what it asks for ends with it.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final
from urllib.parse import unquote

from kg.errors import ServiceError
from kg.limits import Limits
from kg.services import Services
from kg.workers.fetching import Fetch, Reply

_HEAD: Final = 1 << 16
"""Bytes that the head of the engine's request may have."""

_LONGEST: Final = 16 << 20
"""Bytes of a query as the engine writes it, which is longer than it came."""


class Forwarder:
    """Passes on what queries ask of *services*, *limits* being those of a query.

    *fetch* makes what asks; see :class:`~kg.workers.fetching.Fetch`.
    """

    def __init__(
        self, services: Services, limits: Limits, fetch: Callable[..., Fetch] = Fetch
    ) -> None:
        self._services = services
        self._limits = limits
        self._fetch = fetch
        self._calls: dict[str, set[Fetch]] = {}
        self._threads = ThreadPoolExecutor(limits.workers, "service")
        self._server: asyncio.Server | None = None
        self._port = 0
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Begin to listen, at a free port of this machine's own."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=_HEAD)
        self._port = self._server.sockets[0].getsockname()[1]

    def open(self) -> str:
        """Return the address for a new query, which is good until it is closed."""
        secret = secrets.token_urlsafe()
        self._calls[secret] = set()
        return f"http://127.0.0.1:{self._port}/{secret}/"

    def close(self, address: str) -> None:
        """Forward nothing any more at an address, and give up what is under way."""
        self._give_up(address.rsplit("/", 2)[1])

    async def stop(self) -> None:
        """Listen no more; what is under way is given up."""
        for address in list(self._calls):
            self._give_up(address)
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()
        if self._tasks:
            await asyncio.wait(self._tasks)
        self._threads.shutdown(wait=False)

    def _give_up(self, secret: str) -> None:
        for call in self._calls.pop(secret, ()):
            call.give_up()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            try:
                reply = await self._forward(reader)
                status, content_type, content = "200 OK", reply.content_type, reply.content
            except ServiceError as error:
                status, content_type, content = "502 Bad Gateway", "text/plain", str(error).encode()
            head = (
                f"HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\n"
                f"Content-Length: {len(content)}\r\nConnection: close\r\n\r\n"
            )
            writer.write(head.encode("latin-1", "replace") + content)
            await writer.drain()
        except (OSError, ValueError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            return  # it is none of our workers, or it does not wait for an answer
        finally:
            writer.close()

    async def _forward(self, reader: asyncio.StreamReader) -> Reply:
        """Read what the engine asks, and ask it; raises ServiceError, and ValueError for others."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        request, *lines = head.split("\r\n")
        _, path, _ = request.split(" ")
        secret, _, quoted = path.removeprefix("/").partition("/")
        calls = self._calls.get(secret)
        if calls is None:
            raise ValueError("nobody has this secret")
        fields = {name.lower(): value for name, _, value in (line.partition(":") for line in lines)}
        length = int(fields["content-length"]) if "content-length" in fields else 0
        if length > _LONGEST:
            raise ServiceError(f"a query for another server has {_LONGEST:,} bytes at most")
        content = await reader.readexactly(length)
        target = self._services.target(unquote(quoted))
        if target is None:
            raise ServiceError("the server is not one that may be asked")
        call = self._fetch(target, content, self._limits.seconds)
        calls.add(call)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, call.run)
        finally:
            calls.discard(call)
