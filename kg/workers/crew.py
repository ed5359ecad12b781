"""The workers that are there: new ones are started as they are needed, dead ones are buried."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, Final

from kg.errors import StoreError
from kg.workers.process import Process
from kg.workers.starting import Starter

_LOG: Final = logging.getLogger(__name__)

_FIRST_PAUSE: Final = 0.1
_LONGEST_PAUSE: Final = 5.0
"""Seconds before a start that has failed is tried again, each time twice as long."""


class Crew:
    """At most *most* workers, made by *starter*.

    *arrived* is called when one is there to be taken; *failed* when there is none and none could be
    started, twice in a row.
    """

    def __init__(
        self,
        starter: Starter,
        most: int,
        arrived: Callable[[], None],
        failed: Callable[[StoreError], None],
    ) -> None:
        self._starter = starter
        self._most = most
        self._arrived = arrived
        self._failed = failed
        self._idle: list[Process] = []
        self._taken: set[Process] = set()
        self._starting: set[asyncio.Task[None]] = set()
        self._dying: set[asyncio.Task[None]] = set()
        self._pause = 0.0
        self._wanted = 1
        self._retry: asyncio.TimerHandle | None = None
        self._is_closed = False
        self.started = 0

    def __len__(self) -> int:
        return len(self._idle) + len(self._taken)

    async def start(self) -> None:
        """Start the first worker; raises :class:`~kg.errors.StoreError` where it cannot."""
        await self._start()

    def take(self) -> Process | None:
        """Return a worker that has nothing to do, the one that was at work last; or None."""
        while self._idle:
            process = self._idle.pop()
            if not process.connection.is_closed:
                self._taken.add(process)
                return process
            self._bury(process, is_expected=False)
        return None

    def give_back(self, process: Process) -> None:
        """Take back a worker that is fit for another query."""
        self._taken.remove(process)
        if process.connection.is_closed:
            self._bury(process, is_expected=False)
        else:
            self._idle.append(process)

    def discard(self, process: Process, *, is_expected: bool) -> None:
        """Kill a worker that is not fit for another query; where that is odd, it is logged."""
        self._taken.remove(process)
        self._bury(process, is_expected=is_expected)

    def want(self, idle: int) -> None:
        """See to it that about *idle* workers are there that have nothing to do."""
        self._wanted = idle
        if self._is_closed or self._retry is not None:
            return
        missing = min(idle - len(self._idle), self._most - len(self)) - len(self._starting)
        for _ in range(missing):
            _keep(self._starting, self._begin())

    async def close(self) -> None:
        """Kill all workers and wait until they have ended."""
        self._is_closed = True
        if self._retry is not None:
            self._retry.cancel()
        for task in self._starting:
            task.cancel()
        await asyncio.gather(*self._starting, return_exceptions=True)
        for process in [*self._idle, *self._taken]:
            self._bury(process, is_expected=True)
        self._idle.clear()
        self._taken.clear()
        await asyncio.gather(*self._dying, return_exceptions=True)
        await self._starter.close()

    async def _start(self) -> None:
        process: Process | None = None

        def closed() -> None:  # while nothing is asked of it: otherwise whoever asks notices
            if process in self._idle:
                self._idle.remove(process)
                self._bury(process, is_expected=False)
                self.want(self._wanted)

        process = await self._starter.start(closed)
        self.started += 1
        self._idle.append(process)

    async def _begin(self) -> None:
        try:
            await self._start()
        except StoreError as error:
            _LOG.error("%s", error)
            is_first = not self._pause
            self._pause = min(2 * self._pause or _FIRST_PAUSE, _LONGEST_PAUSE)
            if self._retry is None:
                loop = asyncio.get_running_loop()
                self._retry = loop.call_later(self._pause, self._try_again)
            if not self and not is_first:
                self._failed(error)
        else:
            self._pause = 0.0
            self._arrived()

    def _try_again(self) -> None:
        self._retry = None
        self.want(self._wanted)

    def _bury(self, process: Process, *, is_expected: bool) -> None:
        ended = process.ended()

        async def burial() -> None:
            death = await ended
            if not is_expected:
                _LOG.warning("worker %d has ended: %s", process.pid, death)

        _keep(self._dying, burial())


def _keep(tasks: set[asyncio.Task[None]], work: Coroutine[Any, Any, None]) -> None:
    """Make a task of *work*, which is in *tasks* until it is done."""
    task = asyncio.create_task(work)
    tasks.add(task)
    task.add_done_callback(tasks.discard)
