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
        self._is_whole = False  # nothing more is written
        self._first: bytes | None = b""  # read before it is asked for; None is the end

    def write(self, piece: bytes) -> None:
        """Pass *piece* on; for the thread. Raises :class:`ReaderGoneError`."""
        self._wait()
        self._put(piece)

    def end(self, last: bytes = b"") -> None:
        """Pass on the *last* piece, if there is any, and that it is; for the thread."""
        if last:
            self._wait()
            self._put(last, None)
        else:
            self._put(None)

    def fail(self, error: BaseException) -> None:
        """Say that there is no more because of *error*; for the thread."""
        self._put(error)

    def _wait(self) -> None:
        while not self._slots.acquire(timeout=1):
            if self._loop.is_closed():  # there will be no reader to make room
                raise ReaderGoneError

    def _put(self, *pieces: bytes | BaseException | None) -> None:
        if self._closed.is_set():
            raise ReaderGoneError
        try:
            self._loop.call_soon_threadsafe(self._take, pieces)
        except RuntimeError:  # the loop is closed: the server has ended
            raise ReaderGoneError from None

    def _take(self, pieces: tuple[bytes | BaseException | None, ...]) -> None:
        for piece in pieces:
            self._pieces.put_nowait(piece)
        self._is_whole = pieces[-1] is None

    async def begin(self) -> bytes | None:
        """Wait for the first piece, or for the end; raises what the writer ended with.

        Where all is there then, it is returned: nothing is left to be read.
        """
        first = await self._read()
        if first is None:
            return b""
        if self._is_whole and self._pieces.qsize() == 1:
            return first
        self._first = first
        return None

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
