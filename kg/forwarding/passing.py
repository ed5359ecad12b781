"""The bytes of an answer that a server elsewhere gives, within the limits that it has here."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Self

from kg.errors import AnswerLimitError, DeadlineError, ServiceError
from kg.limits import Limits
from kg.remote.streaming import BrokenError, Streamed


class Passing:
    """The body of an answer, which is there until *deadline* (of the event loop's clock).

    *over* is called once, when there is no more of it or nobody wants it.
    """

    def __init__(self, deadline: float, limits: Limits, over: Callable[[], object]) -> None:
        self.deadline = deadline
        self._limits = limits
        self._over: Callable[[], object] | None = over
        self._reply: Streamed | None = None
        self._ready: bytes | None = None
        self._size = 0

    @asynccontextmanager
    async def in_time(self) -> AsyncIterator[None]:
        """Give up what is awaited in a ``with`` block at the deadline, with DeadlineError."""
        try:
            async with asyncio.timeout_at(self.deadline):
                yield
        except TimeoutError:
            raise DeadlineError(
                f"the query took longer than {self._limits.seconds:g} seconds (--time-limit);"
                " ask for less, or more precisely",
                limit="--time-limit",
            ) from None

    def pass_on(self, reply: Streamed) -> None:
        """Be the body of *reply*, which it closes."""
        self._reply = reply

    def hold(self, content: bytes) -> None:
        """Be *content*, which is there already."""
        self._end()
        self._check(len(content))
        self._ready = content or None

    async def begin(self) -> None:
        """Wait for the first bytes, or for the end."""
        self._ready = await self._next()

    async def all(self, most: int) -> bytes:
        """Return all of it.

        Raises :class:`~kg.errors.AnswerLimitError` for more than *most* bytes.
        """
        pieces = []
        size = 0
        while piece := await self._next():
            pieces.append(piece)
            size += len(piece)
            if size > most:
                raise AnswerLimitError(
                    f"the answer, of which all must be there before it is written, is longer than"
                    f" {most:,} bytes; ask for less of it, or for another format"
                )
        return b"".join(pieces)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        piece, self._ready = self._ready, None
        if piece is None:
            async with self.in_time():
                piece = await self._next()
        if piece is None:
            raise StopAsyncIteration
        return piece

    async def aclose(self) -> None:
        """Let go of the server's answer, which ends with it."""
        self._ready = None
        self._end()

    async def _next(self) -> bytes | None:
        if self._reply is None:
            return None
        try:
            piece = await anext(self._reply, None)
        except BrokenError as error:
            raise ServiceError(f"the server behind this one: {error}") from None
        if piece is None:
            self._end()
        else:
            self._check(len(piece))
        return piece

    def _check(self, size: int) -> None:
        self._size += size
        most = self._limits.answer_bytes
        if most is not None and self._size > most:
            raise AnswerLimitError(
                f"the answer is longer than {most:,} bytes (--answer-limit); ask for less of it,"
                " with LIMIT for one",
                limit="--answer-limit",
            )

    def _end(self) -> None:
        reply, self._reply = self._reply, None
        if reply is not None:
            reply.close()
        over, self._over = self._over, None
        if over is not None:
            over()
