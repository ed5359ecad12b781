"""The body of a request as it comes in."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final, Self

PLENTY: Final = 1 << 18
"""Bytes that may wait for whoever reads them; beyond them no more are taken from the socket."""


class Upload:
    """One writer, the connection, and one reader, an async iterator over pieces of bytes.

    *wanted* is called when the reader waits: the socket may not be read at the time. Where
    *is_held_back*, the client waits to be told to go on (RFC 9110, section 10.1.1). Iteration
    raises what :meth:`end` was given.
    """

    def __init__(self, wanted: Callable[[Upload], object], *, is_held_back: bool = False) -> None:
        self._wanted = wanted
        self._pieces: deque[bytes] = deque()
        self._waiting: asyncio.Future[None] | None = None
        self._error: Exception | None = None
        self.is_held_back = is_held_back
        self.is_dropped = False
        """Whether nobody reads any more."""
        self.is_complete = False
        """Whether all of it has come in."""
        self.size = 0
        """Bytes that wait to be read."""
        self.dropped = 0
        """Bytes that came when nobody read any more."""

    def write(self, piece: bytes) -> None:
        """Add a piece, unless nobody reads."""
        if self.is_dropped:
            self.dropped += len(piece)
        else:
            self.size += len(piece)
            self._pieces.append(piece)
            self._wake()

    def end(self, error: Exception | None = None) -> None:
        """Say that there is no more: all is there, or *error* keeps it from coming."""
        self._error = error
        self.is_complete = error is None
        self._wake()

    def drop(self) -> None:
        """Read no more of it."""
        self.is_dropped = True
        self._pieces.clear()
        self.size = 0

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        while not self._pieces:
            if self._error is not None:
                raise self._error
            if self.is_complete:
                raise StopAsyncIteration
            self._waiting = asyncio.get_running_loop().create_future()
            self._wanted(self)
            await self._waiting
        piece = self._pieces.popleft()
        self.size -= len(piece)
        return piece

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)
