"""The server's end of the socket to a worker: questions go out, frames come in."""

from __future__ import annotations

import asyncio
import os
import socket
from collections import deque
from collections.abc import Callable
from typing import Final, Self, cast

from kg.worker.frames import HEADER, LONGEST, Kind

_HELD: Final = 1 << 18
"""Bytes that are held for a reader: with more than these, the worker is made to wait."""


class Connection(asyncio.Protocol):
    """One connection; *closed* is called when the worker has closed it, or died."""

    def __init__(self, closed: Callable[[], None]) -> None:
        self._closed = closed
        self._bytes = bytearray()
        self._frames: deque[tuple[Kind, bytes]] = deque()
        self._held = 0
        self._is_paused = False
        self._reader: asyncio.Future[None] | None = None
        self._transport: asyncio.Transport
        self.is_unread = False
        """Whether the worker ended before it had read all that was sent to it.

        The system tells: by a reset instead of the end, or by refusing what is sent.
        """

    @classmethod
    async def over(cls, server_end: socket.socket, closed: Callable[[], None]) -> Self:
        """Take over a socket, which the connection closes."""
        loop = asyncio.get_running_loop()
        _, connection = await loop.create_unix_connection(lambda: cls(closed), sock=server_end)
        return connection

    def send(self, frame: bytes) -> None:
        """Send a frame, as soon as the worker takes it."""
        self._transport.write(frame)

    def send_with(self, content: bytes, descriptors: list[int]) -> None:
        """Send a few bytes, and the files of *descriptors* with them (which stay open here)."""
        descriptor = self._transport.get_extra_info("socket").fileno()
        with socket.socket(fileno=os.dup(descriptor)) as plain:
            socket.send_fds(plain, [content], descriptors)

    async def receive(self) -> tuple[Kind, bytes] | None:
        """Wait for a frame; None is the end. One coroutine at a time may wait."""
        while not self._frames:
            if self.is_closed:
                return None
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader
        kind, payload = self._frames.popleft()
        self._held -= len(payload)
        if self._is_paused and self._held < _HELD and not self.is_closed:
            self._is_paused = False
            self._transport.resume_reading()
        return kind, payload

    @property
    def ends_next(self) -> bool:
        """Whether the end of an answer is there, to be received without waiting."""
        return bool(self._frames) and self._frames[0][0] is Kind.END

    @property
    def is_closed(self) -> bool:
        """Whether nothing comes any more."""
        return self._transport.is_closing()

    def close(self) -> None:
        """Close the connection at once; what has come and was not received is dropped."""
        self._frames.clear()
        self._transport.abort()
        self._wake()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin; for the event loop."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Take in what has come; for the event loop."""
        self._bytes += data
        start = 0
        while len(self._bytes) - start >= HEADER.size:
            kind, length = HEADER.unpack_from(self._bytes, start)
            end = start + HEADER.size + length
            if length > LONGEST:  # no worker of ours says so much
                self.close()
                return
            if len(self._bytes) < end:
                break
            self._frames.append((Kind(kind), bytes(self._bytes[start + HEADER.size : end])))
            self._held += length
            start = end
        del self._bytes[:start]
        if self._held > _HELD and not self._is_paused:
            self._is_paused = True
            self._transport.pause_reading()
        if self._frames:
            self._wake()

    def connection_lost(self, exc: Exception | None) -> None:
        """End; for the event loop."""
        self.is_unread = isinstance(exc, ConnectionError)
        self._wake()
        self._closed()

    def _wake(self) -> None:
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)
