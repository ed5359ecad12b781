"""A server: sockets that listen, one event loop, and an orderly end."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from types import FrameType
from typing import Final, Protocol

from kg.errors import UsageError
from kg.server.connection import Connection
from kg.server.hub import Answers, Hub, Times

_BACKLOG: Final = 1024
_LAST_WORDS: Final = 1
"""Seconds in which an answer that is given up may say so."""

_OPEN_FILES: Final = 1 << 16


class Application(Answers, Protocol):
    """What is served: it is started before the first request, and closed after the last."""

    async def start(self, hub: Hub) -> None:
        """Make ready; raises :class:`~kg.errors.KgError` where that cannot be."""
        ...

    async def close(self) -> None:
        """Let go of everything."""
        ...


class Server:
    """Serves *application* on one event loop.

    There may be *most* connections; at the end answers under way have *grace* seconds.
    """

    def __init__(
        self, application: Application, *, most: int, grace: float, times: Times | None = None
    ) -> None:
        self._application = application
        self._grace = grace
        self._hub = Hub(application, most, times or Times())
        self._loop: asyncio.AbstractEventLoop | None = None
        self._end = asyncio.Event()
        self._signals: list[int] = []

    def run(self, sockets: Sequence[socket.socket], started: Callable[[], object]) -> None:
        """Serve on *sockets* until :meth:`stop` or a signal; *started* is called when it does.

        Raises KeyboardInterrupt after an interrupt; a second one ends it at once.
        """
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            runner.run(self._run(sockets, started))
        if signal.SIGINT in self._signals:
            raise KeyboardInterrupt

    def stop(self) -> None:
        """End in order; for any thread."""
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # it has ended already
                self._loop.call_soon_threadsafe(self._end.set)

    async def _run(self, sockets: Sequence[socket.socket], started: Callable[[], object]) -> None:
        self._loop = asyncio.get_running_loop()
        with self._signals_taken():
            await self._application.start(self._hub)
            try:
                servers = [
                    await self._loop.create_server(
                        lambda: Connection(self._hub), sock=one, backlog=_BACKLOG
                    )
                    for one in sockets
                ]
                started()
                await self._end.wait()
                for server in servers:
                    server.close()
                await self._finish()
            finally:
                await self._application.close()

    async def _finish(self) -> None:
        """End the connections: those without an answer under way at once, the others in time."""
        self._hub.is_ending = True
        for connection in list(self._hub.connections):
            connection.finish()
        await self._all_gone(self._grace)
        for connection in list(self._hub.connections):
            connection.give_up()
        await self._all_gone(_LAST_WORDS)

    async def _all_gone(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._hub.connections and len(self._signals) < 2:
                    await asyncio.sleep(0.01)

    @contextlib.contextmanager
    def _signals_taken(self) -> Iterator[None]:
        """Have an interrupt and a request to terminate end the server in order."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def ended(number: int, _: FrameType | None) -> None:
            self._signals.append(number)
            self.stop()

        before = {one: signal.signal(one, ended) for one in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens at *host* and *port*.

    Raises :class:`~kg.errors.UsageError` where the address cannot be had.
    """
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family, backlog=_BACKLOG)
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError(
            f"{host} port {port} cannot be served: {reason}; give another by --host or --port"
        ) from error


def allow_files(number: int) -> int:
    """Let this process have *number* open files and more, if it may; return how many it may."""
    try:
        import resource  # noqa: PLC0415 - not on Windows, which has no such limit
    except ImportError:
        return number
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = max(soft, min(hard, max(number, _OPEN_FILES)))
    if wanted != soft:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return wanted


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    try:
        import uvloop  # noqa: PLC0415 - not on Windows
    except ImportError:
        return asyncio.new_event_loop
    return uvloop.new_event_loop
