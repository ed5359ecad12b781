"""A worker as the server holds it: a process to be killed and collected, and a connection."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import IO, Final

from kg.errors import StoreError
from kg.worker.frames import Kind, error
from kg.workers.connection import Connection

_LAST_WORDS: Final = 2000
"""Bytes of what a process wrote to its standard error that are looked at when it has died."""

_OUT_OF_MEMORY: Final = ("memory allocation of", "bad_alloc", "MemoryError")
"""What Rust, C++ and Python say before a process that gets no more memory ends."""


@dataclass(frozen=True, slots=True)
class Death:
    """How a process ended: its exit *code*, or a signal's number below zero, and last *words*."""

    code: int
    words: str

    @property
    def is_out_of_memory(self) -> bool:
        """Whether it ended because it got no more memory."""
        return any(words in self.words for words in _OUT_OF_MEMORY)

    def __str__(self) -> str:
        how = f"exit code {self.code}" if self.code >= 0 else signal.strsignal(-self.code)
        return f"{how}: {self.words}" if self.words else str(how)


@dataclass(eq=False)
class Process:
    """A process and the *connection* to it; *errors* is the file of its standard error.

    *kill* must do no harm where the process has ended. *collect* waits until it has, and returns
    its exit code, or the number of a signal below zero; nothing else collects it.
    """

    pid: int
    connection: Connection
    kill: Callable[[], None]
    collect: Callable[[], Awaitable[int]]
    errors: IO[bytes]
    _ended: asyncio.Task[Death] | None = field(default=None, init=False)

    async def ready(self) -> None:
        """Wait until the process says that it is.

        Raises :class:`~kg.errors.StoreError` where it cannot be; it has ended then.
        """
        try:
            received = await self.connection.receive()
            if received is not None and received[0] is Kind.ERROR:
                raise error(received[1])
        except BaseException:
            await self.ended()
            raise
        if received is None:
            raise StoreError(f"a worker could not start: {await self.ended()}")

    def ended(self) -> asyncio.Task[Death]:
        """Kill the process; return what waits until it has ended and tells how."""
        if self._ended is None:
            self.kill()
            self.connection.close()
            self._ended = asyncio.create_task(self._end())
        return self._ended

    async def _end(self) -> Death:
        with self.errors as errors:
            code = await self.collect()
            size = errors.seek(0, 2)
            errors.seek(max(0, size - _LAST_WORDS))
            return Death(code, errors.read().decode("utf-8", "replace").strip())
