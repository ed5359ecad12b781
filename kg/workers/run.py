"""One evaluation in one worker, from the question until its last byte has gone."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from enum import StrEnum
from typing import Self

from kg.answers import Question
from kg.errors import BusyError, DeadlineError, KgError, WorkerDiedError
from kg.limits import Limits
from kg.protocol import Evaluation, Whole
from kg.worker import frames
from kg.worker.answering import out_of_memory
from kg.worker.frames import Kind
from kg.workers.process import Death, Process


class End(StrEnum):
    """How an evaluation has ended."""

    ANSWERED = "answered"
    """The answer is complete, or what was wrong with the query has been said."""
    DEADLINE = "deadline"
    GONE = "client gone"
    MEMORY = "memory"
    DIED = "died"
    UNASKED = "unasked"
    """The worker had died before it had read the question."""
    CLOSED = "closed"
    """There was to be no evaluation any more."""


class UnaskedError(WorkerDiedError):
    """A worker had died before it had read the question, which another may be asked then."""


class Run:
    """An evaluation by *process*, and the body of its answer.

    *over* is called once, with how it has ended and whether the process is fit for another one.
    """

    def __init__(self, process: Process, limits: Limits, over: Callable[[End, bool], None]) -> None:
        self._process = process
        self._limits = limits
        self._over = over
        self._end: End | None = None
        self._first: bytes | None = b""  # read before it is asked for; None is the end
        loop = asyncio.get_running_loop()
        self._deadline = loop.call_later(limits.seconds, self.stop, End.DEADLINE)

    async def begin(self, question: Question, forwarder: str | None = None) -> Evaluation:
        """Ask the worker; return when the first bytes of its answer are there, or all of them.

        Other servers are asked by *forwarder*. Raises what is wrong with the query, or what has
        stopped its evaluation: :class:`UnaskedError` where that was not of the query's making.
        """
        try:
            self._process.connection.send(frames.question_frame(question, forwarder))
            kind, payload = await self._received()
            if kind is not Kind.HEAD:
                await self._finished(kind, payload)
                raise AssertionError("an answer has no head")
            form, media_type = frames.head(payload)
            self._first = await self._piece()
            if self._first is not None and self._process.connection.ends_next:
                # Most answers are there as a whole, and their worker is free then.
                whole = Whole(self._first)
                await self._piece()
                return Evaluation(form, media_type, whole)
        except BaseException:
            self.stop(End.GONE)
            raise
        return Evaluation(form, media_type, self if self._first is not None else Whole())

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        piece, self._first = self._first, b""
        if piece == b"":
            piece = await self._piece()
        if piece is None:
            self._first = None
            raise StopAsyncIteration
        return piece

    async def aclose(self) -> None:
        """Read no more; the worker is killed if it has not said everything."""
        self._first = None
        self.stop(End.GONE)

    def stop(self, end: End) -> None:
        """End the evaluation and kill its worker, unless it has ended."""
        if self._end is None:
            self._ended(end, is_fit=False)

    def _ended(self, end: End, *, is_fit: bool) -> None:
        self._end = end
        self._deadline.cancel()
        self._over(end, is_fit)

    async def _piece(self) -> bytes | None:
        kind, payload = await self._received()
        if kind is Kind.BODY:
            return payload
        await self._finished(kind, payload)
        return None

    async def _finished(self, kind: Kind, payload: bytes) -> None:
        """Take in the end of an answer, which begins with this frame; raise what it tells."""
        problem = None
        if kind is Kind.ERROR:
            problem = frames.error(payload)
            kind, payload = await self._received()
        self._ended(End.ANSWERED, is_fit=not payload)
        if problem is not None:
            raise problem

    async def _received(self) -> tuple[Kind, bytes]:
        received = None if self._end else await self._process.connection.receive()
        if received is None:
            if self._end is None:
                death = await asyncio.shield(self._process.ended())
                # Known by now, and not before the connection has told it.
                is_unread = self._process.connection.is_unread
                self.stop(End.UNASKED if is_unread else _end_of(death))
            raise self._why()
        return received

    def _why(self) -> KgError:
        """Return the error for how the evaluation has ended."""
        if self._end is End.DEADLINE:
            return DeadlineError(
                f"the query took longer than {self._limits.seconds:g} seconds (--time-limit);"
                " ask for less, or more precisely",
                limit="--time-limit",
            )
        if self._end is End.MEMORY:
            return out_of_memory(self._limits.memory)
        if self._end is End.UNASKED:
            return UnaskedError("the process that was to evaluate the query was killed")
        if self._end is End.DIED:
            return WorkerDiedError("the process that evaluated the query died of it, or was killed")
        return BusyError("the query was given up, as the server ends", retry_after=1)


def _end_of(death: Death) -> End:
    if death.is_out_of_memory:
        return End.MEMORY
    return End.DEADLINE if death.code == -signal.SIGALRM else End.DIED
