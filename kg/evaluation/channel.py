"""Bytes from a thread to a coroutine, a bounded number of pieces at a time."""

from __future__ import annotations

import asyncio
import threading
from typing import Final, Self

_CAPACITY: Final = 8
"""Pieces that may be under way: beyond them the writing thread waits for the reader."""


class ReaderGoneError(Exception):
    """Nobody reads any more; raised in the thread that writes, which is to stop."""


class Channel:
    """One writer, a thread, and one reader, a coroutine of the running event loop.

    The reader iterates over the pieces, none of which is empty, and closes the channel.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._slots = threading.Semaphore(_CAPACITY)
        self._pieces: asyncio.Queue[bytes | BaseException | None] = asyncio.Queue()
        self._closed = threading.Event()
        self._first: bytes | None = b""  # read before it is asked for; None is the end

    def write(self, piece: bytes) -> None:
        """Pass *piece* on; for the thread. Raises :class:`ReaderGoneError`."""
        while not self._slots.acquire(timeout=1):
            if self._loop.is_closed():  # there will be no reader to make room
                raise ReaderGoneError
        self._put(piece)

    def end(self, error: BaseException | None = None) -> None:
        """Say that there is no more, because of *error* or because all is there; for the thread."""
        self._put(error)

    def _put(self, piece: bytes | BaseException | None) -> None:
        if self._closed.is_set():
            raise ReaderGoneError
        try:
            self._loop.call_soon_threadsafe(self._pieces.put_nowait, piece)
        except RuntimeError:  # the loop is closed: the server has ended
            raise ReaderGoneError from None

    async def begin(self) -> None:
        """Wait for the first piece, or for the end; raises what the writer ended with."""
        self._first = await self._read()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        piece, self._first = self._first, b""
        if piece == b"":
            piece = await self._read()
        if piece is None:
            self._first = None
            raise StopAsyncIteration
        return piece

    async def aclose(self) -> None:
        """Read no more."""
        self.close()

    def close(self) -> None:
        """Read no more: the writer's next piece raises."""
        self._closed.set()
        self._slots.release()

    async def _read(self) -> bytes | None:
        piece = await self._pieces.get()
        if isinstance(piece, BaseException):
            raise piece
        self._slots.release()
        return piece
