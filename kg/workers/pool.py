"""Queries evaluated in processes that can be killed, a bounded number at once.

A worker serves many queries, one at a time. It is killed when a query takes longer than it may and
when nobody waits for its answer any more; it ends by itself when it takes too much memory. So that
the next query need not wait for a new one, there is one more than is at work.
"""

from __future__ import annotations

import asyncio
import math
import os
import re
from collections import Counter, deque
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kg.answers import Question
from kg.errors import BusyError, StoreError, UsageError
from kg.limits import Limits
from kg.protocol import Evaluation
from kg.services import NO_SERVICES, Services
from kg.sparql import refuse_length
from kg.worker.setup import Setup
from kg.workers.crew import Crew
from kg.workers.forking import FromMemory
from kg.workers.forwarder import Forwarder
from kg.workers.process import Process
from kg.workers.run import End, Run, UnaskedError
from kg.workers.starting import FromDisk

_KILLED: Final = (End.DEADLINE, End.GONE, End.MEMORY, End.DIED)
_UNEXPECTED: Final = (End.MEMORY, End.DIED, End.UNASKED)
_SERVICE: Final = re.compile("SERVICE", re.IGNORECASE)
_SHARE: Final = 0.1
"""Of the mean time of an evaluation, what the last one counts for."""


@dataclass(frozen=True, slots=True)
class PoolStatus:
    """What a pool is doing: *workers* are there, of which *busy* are at work on a query each.

    *waiting* queries have no worker yet. Since the beginning *started* workers have been made,
    *answered* queries were answered or refused for what is wrong with them, and others ended with
    the death of their worker: *killed* has their number by the reason. *turned_away* found no room.
    """

    workers: int
    busy: int
    waiting: int
    started: int
    answered: int
    killed: Mapping[str, int]
    turned_away: int


class Pool:
    """Evaluates queries on the store in the folder *store*; an :class:`~kg.protocol.Evaluate`.

    *base* is the IRI below which its things have theirs. With *in_memory* the store is loaded from
    the product of its snapshot, and workers are forked from the process that holds it. *services*
    are the servers that a query may ask. A pool belongs to the event loop in which it is made, and
    to its thread, with which its workers end.
    """

    def __init__(
        self,
        store: Path,
        base: str,
        limits: Limits,
        *,
        in_memory: bool = False,
        services: Services = NO_SERVICES,
    ) -> None:
        if os.name != "posix":
            raise UsageError("workers need a system that can pass them a socket, such as Linux")
        setup = Setup(str(store), base, limits, os.getpid(), services)
        starter = FromMemory(setup) if in_memory else FromDisk(setup)
        self._limits = limits
        self._crew = Crew(starter, limits.workers + 1, self._hand_out, self._give_up)
        self._forwarder = Forwarder(services, limits) if services.hosts else None
        self._waiting: deque[asyncio.Future[Process]] = deque()
        self._runs: set[Run] = set()
        self._busy = 0
        self._quiet = asyncio.Event()
        self._is_closed = False
        self._mean = 0.0  # seconds that an evaluation takes
        self._ends: Counter[End] = Counter()
        self._turned_away = 0

    async def start(self) -> None:
        """Return when the first worker is ready.

        Raises :class:`~kg.errors.StoreError` where the store cannot be opened.
        """
        try:
            await self._crew.start()
            if self._forwarder is not None:
                await self._forwarder.start()
        except BaseException:
            await self._crew.close()
            raise
        self._hand_out()

    async def __call__(self, question: Question) -> Evaluation:
        """Evaluate a question; see :class:`~kg.protocol.Evaluate`."""
        refuse_length(question.text, self._limits)
        # Every worker that is idle may be dead without anybody knowing it yet.
        for _ in range(self._limits.workers + 1):
            with suppress(UnaskedError):
                return await self._evaluated(question)
        return await self._evaluated(question)

    async def _evaluated(self, question: Question) -> Evaluation:
        process = await self._turn()
        begun = asyncio.get_running_loop().time()
        forwarder = self._forwarder
        if forwarder and not _SERVICE.search(question.text):
            forwarder = None
        address = forwarder.open() if forwarder else None

        def over(end: End, is_fit: bool) -> None:
            self._runs.discard(run)
            if forwarder and address:
                forwarder.close(address)
            self._mean += _SHARE * (asyncio.get_running_loop().time() - begun - self._mean)
            self._ends[end] += 1
            self._free(process, is_fit=is_fit, is_expected=end not in _UNEXPECTED)

        run = Run(process, self._limits, over)
        self._runs.add(run)
        return await run.begin(question, address)

    async def close(self, grace: float) -> None:
        """End; queries that are there, waiting or under way, have *grace* seconds to be answered.

        So have those that come meanwhile: whoever closes a pool stops asking it first.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(grace):
                while self._busy or self._waiting:
                    self._quiet.clear()
                    await self._quiet.wait()
        self._is_closed = True
        for turn in self._waiting:
            if not turn.done():
                turn.set_exception(BusyError("the server ends", retry_after=1))
        for run in list(self._runs):
            run.stop(End.CLOSED)
        await self._crew.close()
        if self._forwarder is not None:
            await self._forwarder.stop()

    def status(self) -> PoolStatus:
        """Return what the pool is doing now, and has done."""
        return PoolStatus(
            workers=len(self._crew),
            busy=self._busy,
            waiting=len(self._waiting),
            started=self._crew.started,
            answered=self._ends[End.ANSWERED],
            killed={end: self._ends[end] for end in _KILLED},
            turned_away=self._turned_away,
        )

    async def _turn(self) -> Process:
        """Wait for a worker, in the order in which queries come; raises BusyError."""
        if self._is_closed:
            raise BusyError("the server ends", retry_after=1)
        turn: asyncio.Future[Process] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        self._hand_out()
        if turn.done():
            return turn.result()
        # Those for whom a worker is only being started are not in the queue.
        if len(self._waiting) > self._limits.queue + self._limits.workers - self._busy:
            self._waiting.remove(turn)
            raise self._busy_error(f"{self._limits.queue:,} queries wait already (--queue)")
        expiry = asyncio.get_running_loop().call_later(
            self._limits.queue_seconds, self._expire, turn
        )
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled() and not turn.exception():
                self._free(turn.result(), is_fit=True, is_expected=True)
            raise
        finally:
            expiry.cancel()
            if turn in self._waiting:
                self._waiting.remove(turn)
            self._quiet.set()

    def _expire(self, turn: asyncio.Future[Process]) -> None:
        if not turn.done():
            waited = f"no worker was free for {self._limits.queue_seconds:g} seconds (--queue-time)"
            turn.set_exception(self._busy_error(waited))

    def _busy_error(self, why: str) -> BusyError:
        self._turned_away += 1
        wait = self._mean * (1 + len(self._waiting) / self._limits.workers)
        return BusyError(f"{why}; ask again later", retry_after=max(1, math.ceil(wait)))

    def _hand_out(self) -> None:
        """Give workers to those who wait, as far as there are any."""
        while self._waiting and self._busy < self._limits.workers:
            if self._waiting[0].done():
                self._waiting.popleft()
                continue
            process = self._crew.take()
            if process is None:
                break
            self._waiting.popleft().set_result(process)
            self._busy += 1
        self._crew.want(1 + len(self._waiting))

    def _free(self, process: Process, *, is_fit: bool, is_expected: bool) -> None:
        self._busy -= 1
        if is_fit:
            self._crew.give_back(process)
        else:
            self._crew.discard(process, is_expected=is_expected)
        self._hand_out()
        self._quiet.set()

    def _give_up(self, error: StoreError) -> None:
        """Tell those who wait that there is no worker and none can be started."""
        for turn in self._waiting:
            if not turn.done():
                turn.set_exception(error)
