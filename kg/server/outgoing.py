"""The bytes that go out over a connection, as fast as the client reads them."""

from __future__ import annotations

import asyncio
import socket
import struct
from typing import Final

_RESET: Final = struct.pack("ii", 1, 0)
"""What has a socket be closed by a reset (socket(7): SO_LINGER)."""


class Outgoing:
    """What is written to *transport*; a client has so many *seconds* to read some of it."""

    def __init__(self, transport: asyncio.Transport, seconds: float) -> None:
        self._transport = transport
        self._seconds = seconds
        self._full: asyncio.Future[None] | None = None

    def write(self, data: bytes) -> None:
        """Send *data* on, at once or later."""
        self._transport.write(data)

    async def drain(self) -> None:
        """Wait until the client has read enough for more; raises TimeoutError if it does not."""
        if self._full is not None:
            async with asyncio.timeout(self._seconds):
                await self._full

    def pause(self) -> None:
        """Note that the client reads more slowly than it is sent to."""
        self._full = asyncio.get_running_loop().create_future()

    def resume(self) -> None:
        """Note that there is room again, or that there is nobody to wait for."""
        if self._full is not None and not self._full.done():
            self._full.set_result(None)
        self._full = None

    def reset(self) -> None:
        """Close so that the client sees that it was not in order; what is not sent yet is lost."""
        sock = self._transport.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        self._transport.abort()
