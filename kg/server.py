"""The protocol on a socket: an ASGI application, and uvicorn to run it.

ASGI 3.0, HTTP (https://asgi.readthedocs.io/en/latest/specs/www.html).
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, MutableMapping
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar, cast

import uvicorn

from kg.catalogue import Catalogue
from kg.errors import KgError, UsageError
from kg.evaluation import InProcess
from kg.opened import Opened
from kg.protocol import Evaluate, Request, Response, Service, failure, handle, unavailable

Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]

T = TypeVar("T")

_LOG: Final = logging.getLogger(__name__)

_LONGEST_HEAD: Final = 1 << 17
"""Bytes of a request's line and headers; more than the protocol takes, which then says so."""

_GRACE: Final = 2
"""Seconds that answers under way have when the server is to end."""


class Application:
    """The protocol as an ASGI application."""

    def __init__(self, evaluate: Evaluate, service: Service) -> None:
        self._evaluate = evaluate
        self._service = service

    @classmethod
    def of(cls, store_dir: Path, catalogue: Catalogue | None = None) -> Application:
        """Serve the current snapshot of the folder *store_dir*.

        *catalogue* holds the canned queries; without one they are those that paperkg ships.

        Raises :class:`~kg.errors.StoreError` where there is none.
        """
        opened = Opened.at(store_dir)
        manifest = opened.snapshot.manifest
        service = Service(
            opened.snapshot.id,
            opened.base,
            cast("int", manifest["triples"]),
            cast("dict[str, int]", manifest.get("graphs", {})),
            catalogue or Catalogue.load(),
        )
        return cls(InProcess(opened.store, opened.base), service)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; its client gone, the work for it is given up."""
        if scope["type"] != "http":
            return
        pieces: asyncio.Queue[bytes | None] = asyncio.Queue(1)
        response: Response | None = None
        request = Request(
            scope["method"],
            scope["path"],
            scope["query_string"],
            [(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]],
            _body(pieces),
            scope["scheme"],
        )
        receiving = asyncio.create_task(_receive(receive, pieces))
        try:
            response = await _unless(receiving, self._response(request))
            if response is not None:
                await _unless(receiving, _send(response, send))
        except asyncio.CancelledError:  # the server is to end, and has waited long enough
            if response is None:
                response = await unavailable(request)
                await _send(response, send)
        finally:
            receiving.cancel()
            if response is not None:
                await response.body.aclose()

    async def _response(self, request: Request) -> Response:
        try:
            return await handle(request, self._evaluate, self._service)
        except Exception:
            _LOG.exception("a fault in answering %s %s", request.method, request.path)
            return await failure(request)


async def _unless(gone: asyncio.Task[None], work: Coroutine[Any, Any, T]) -> T | None:
    """Return what *work* gives, or None if *gone* ends before it does; *work* then is given up."""
    working = asyncio.create_task(work)
    try:
        await asyncio.wait((working, gone), return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else None
    finally:
        working.cancel()


async def _send(response: Response, send: Send) -> None:
    headers = [
        (name.lower().encode("latin-1"), value.encode("latin-1"))
        for name, value in response.headers.items()
    ]
    try:
        await send({"type": "http.response.start", "status": response.status, "headers": headers})
        async for piece in response.body:
            await send({"type": "http.response.body", "body": piece, "more_body": True})
    except Exception as error:
        # Without its last message the response is not complete, and uvicorn breaks the
        # connection: what has been sent must not look like all there is.
        _LOG.error("an answer broke off: %s", error, exc_info=not isinstance(error, KgError))
        return
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _receive(receive: Receive, pieces: asyncio.Queue[bytes | None]) -> None:
    """Pass the body of a request on, then wait until its client has gone."""
    while (message := await receive())["type"] == "http.request":
        if message.get("body"):
            await pieces.put(message["body"])
        if not message.get("more_body"):
            await pieces.put(None)


async def _body(pieces: asyncio.Queue[bytes | None]) -> AsyncIterator[bytes]:
    while (piece := await pieces.get()) is not None:
        yield piece


def serve(
    application: Application, *, host: str, port: int, started: Callable[[str], object]
) -> None:
    """Serve until a signal ends it; *started* is told the address, in which port 0 is a free one.

    Raises :class:`~kg.errors.UsageError` where the address cannot be had, and KeyboardInterrupt
    after an interrupt.
    """
    with _listening(host, port) as listening:
        shown = f"[{host}]" if ":" in host else host
        started(f"http://{shown}:{listening.getsockname()[1]}")
        server(application).run([listening])


def server(application: Application) -> uvicorn.Server:
    """Return the server for *application*, quiet but for errors."""
    return uvicorn.Server(
        uvicorn.Config(
            application,
            http="h11",
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            h11_max_incomplete_event_size=_LONGEST_HEAD,
            timeout_graceful_shutdown=_GRACE,
        )
    )


def _listening(host: str, port: int) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family, backlog=1024)
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError(
            f"{host} port {port} cannot be served: {reason}; give another by --host or --port"
        ) from error
