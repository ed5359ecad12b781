"""Workers started from memory: forked by a process that holds the store."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import tempfile
from contextlib import ExitStack, suppress

from kg.errors import StoreError
from kg.store import reason
from kg.worker.setup import Setup
from kg.worker.zygote import FORK, NUMBER, REAP
from kg.workers.connection import Connection
from kg.workers.process import Process
from kg.workers.starting import Closed, run


class FromMemory:
    """Starts a process that loads the store, and has it fork workers."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._turn = asyncio.Lock()
        self._zygote: _Zygote | None = None

    async def start(self, closed: Closed) -> Process:
        """Fork a worker, after loading the store where that is to be done first, or again."""
        async with self._turn:
            if self._zygote is None or self._zygote.is_gone:
                await self.close()
                self._zygote = _Zygote(await run("memory", self._setup, lambda: None))
                await self._zygote.ready()
            zygote = self._zygote
        process = await zygote.fork(closed)
        await process.ready()
        return process

    async def close(self) -> None:
        """End the process that holds the store, even while it loads it."""
        zygote, self._zygote = self._zygote, None
        if zygote is not None:
            await zygote.end()


class _Zygote:
    """The process that forks, as the server holds it; see :mod:`kg.worker.zygote`."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._turn = asyncio.Lock()

    @property
    def is_gone(self) -> bool:
        """Whether it forks no more."""
        return self._process.connection.is_closed

    async def fork(self, closed: Closed) -> Process:
        """Fork a worker, without waiting until it is ready; raises StoreError."""
        with ExitStack() as opened:
            try:
                server_end, worker_end = map(opened.enter_context, socket.socketpair())
                errors = opened.enter_context(tempfile.TemporaryFile())
            except OSError as error:
                raise StoreError(f"a worker could not be started: {reason(error)}") from error
            descriptors = [worker_end.fileno(), errors.fileno()]
            pid = await self._asked(FORK + bytes(NUMBER), descriptors)
            worker_end.close()
            connection = await Connection.over(server_end, closed)
            opened.pop_all()

        def kill() -> None:
            # With the zygote its workers go, and others may have their numbers.
            if not self.is_gone:
                with suppress(ProcessLookupError):  # they have gone this moment
                    os.kill(pid, signal.SIGKILL)

        async def collect() -> int:
            try:
                status = await self._asked(REAP + pid.to_bytes(NUMBER, "big"), [])
            except StoreError:  # as does every worker when the zygote has died
                return -signal.SIGKILL
            return os.waitstatus_to_exitcode(status)

        return Process(pid, connection, kill, collect, errors)

    async def ready(self) -> None:
        """Wait until it has loaded the store; raises :class:`~kg.errors.StoreError`."""
        await self._process.ready()

    async def end(self) -> None:
        """End it, and with it the workers that are left."""
        await self._process.ended()

    async def _asked(self, request: bytes, descriptors: list[int]) -> int:
        """Return what is replied to a request; raises StoreError where nothing is."""
        async with self._turn:
            received = None
            try:
                if not self.is_gone:
                    self._process.connection.send_with(request, descriptors)
                    received = await self._process.connection.receive()
            except OSError:  # it has gone this moment
                pass
            except BaseException:  # what is replied later must not answer another request
                self._process.kill()
                raise
        if received is None:
            raise StoreError("the process that holds the store in memory has died")
        return int.from_bytes(received[1], "big")
