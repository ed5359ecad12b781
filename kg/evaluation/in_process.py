"""Evaluation in threads of this process.

It fits one person's own store: a query can neither be stopped nor bounded while the engine works
without writing, it only ends when its next bytes find no reader.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from kg.answers import CHUNK, Answer, answer
from kg.errors import without_frames
from kg.evaluation.channel import Channel, ReaderGoneError
from kg.evaluation.threads import Threads
from kg.limits import Limits
from kg.protocol.question import Evaluation, Question
from kg.protocol.response import Whole
from kg.sparql import QueryForm
from kg.store import Store

AT_ONCE: Final = 4
"""Queries that are evaluated at once; the others wait, in the order in which they came."""


class InProcess:
    """Evaluates queries on *store*; an :class:`~kg.protocol.Evaluate`.

    Of *limits* those of the text and of the answer are kept.
    """

    def __init__(
        self, store: Store, base: str, *, at_once: int = AT_ONCE, limits: Limits | None = None
    ) -> None:
        self._store = store
        self._base = base
        self._limits = limits
        self._free = asyncio.Semaphore(at_once)
        self._threads = Threads()

    async def __call__(self, question: Question) -> Evaluation:
        """Evaluate a question; see :class:`~kg.protocol.Evaluate`."""
        head: list[tuple[QueryForm, str | None]] = []
        await self._free.acquire()
        try:
            channel = self._begin(question, head)
        except BaseException:  # no thread has begun that would give its turn back
            self._free.release()
            raise
        try:
            whole = await channel.begin()
        except BaseException:
            channel.close()
            raise
        form, media_type = head[0]
        return Evaluation(form, media_type, channel if whole is None else Whole(whole))

    def _begin(self, question: Question, head: list[tuple[QueryForm, str | None]]) -> Channel:
        """Start the thread that answers; *head* gets its form and media type before any bytes."""
        loop = asyncio.get_running_loop()
        channel = Channel()

        def work() -> None:
            # Everything about one result happens in one thread; only bytes leave it.
            try:
                answered = answer(self._store, question, self._base, self._limits)
                head.append((answered.form, answered.media_type))
                _write(answered, channel)
            except ReaderGoneError:
                pass
            except BaseException as error:
                with suppress(ReaderGoneError):
                    channel.fail(without_frames(error))
            finally:
                _give_back(loop, self._free)

        self._threads.run(work)
        return channel


def _write(answered: Answer, channel: Channel) -> None:
    """Write an answer to its end, which goes with the last piece: a short one comes as a whole."""
    last = b""

    def pass_on(piece: bytes) -> None:
        nonlocal last
        if not piece:
            return
        if last:
            channel.write(last)
        # The answer goes on after a whole chunk, mostly, and ends with a part of one.
        last = piece if len(piece) < CHUNK else b""
        if not last:
            channel.write(piece)

    answered.write(pass_on)
    channel.end(last)


def _give_back(loop: asyncio.AbstractEventLoop, free: asyncio.Semaphore) -> None:
    try:
        loop.call_soon_threadsafe(free.release)
    except RuntimeError:  # the loop is closed: nobody waits
        return
