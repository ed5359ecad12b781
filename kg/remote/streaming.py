"""A request to a server, by a coroutine that passes the answer on as it comes.

It is cancelled at any time, and the connection ends with it. Proxies are not used.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable, Mapping
from typing import Final, Self

import httptools

from kg.remote.address import MOST_REDIRECTIONS, REDIRECTIONS, Address
from kg.remote.asking import CONNECT, USER_AGENT

_PIECE: Final = 1 << 16
_HEAD: Final = 1 << 16
"""Bytes that the head of an answer may have."""


class BrokenError(Exception):
    """A server gives no answer, or no whole one; ``str()`` says why, for whoever asked it.

    *may_come_again* says that the next time may be another one.
    """

    def __init__(self, reason: str, *, may_come_again: bool = False) -> None:
        super().__init__(reason)
        self.may_come_again = may_come_again


class _Head:
    """What the parser says of an answer."""

    def __init__(self) -> None:
        self.headers: dict[str, str] = {}
        self.has_begun = False
        self.is_whole = False
        self.pieces: list[bytes] = []

    def on_header(self, name: bytes, value: bytes) -> None:
        self.headers[name.decode("latin-1").lower()] = value.decode("latin-1")

    def on_headers_complete(self) -> None:
        self.has_begun = True

    def on_body(self, piece: bytes) -> None:
        self.pieces.append(piece)

    def on_message_complete(self) -> None:
        self.is_whole = True


class Streamed:
    """An answer: its *status* and *headers* (names in lower case), and its bytes as they come.

    Iterating raises :class:`BrokenError` where it breaks off. It must be closed.
    """

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, address: Address
    ) -> None:
        self.address = address
        self._reader = reader
        self._writer = writer
        self._head = _Head()
        self._parser = httptools.HttpResponseParser(self._head)
        self.status = 0

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers of the answer, their names in lower case."""
        return self._head.headers

    async def begin(self, request: bytes) -> None:
        """Send *request*, and read the head of the answer; raises OSError too."""
        self._writer.write(request)
        await self._writer.drain()
        length = 0
        while not self._head.has_begun:
            length += await self._feed()
            if length > _HEAD and not self._head.has_begun:
                raise BrokenError("its answer has no end of a head")
        self.status = self._parser.get_status_code()
        if 100 <= self.status < 200:
            raise BrokenError("it waits for more than a query")

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        while not self._head.pieces:
            if self._head.is_whole:
                raise StopAsyncIteration
            await self._feed()
        piece = b"".join(self._head.pieces)
        self._head.pieces.clear()
        return piece

    async def _feed(self) -> int:
        try:
            data = await self._reader.read(_PIECE)
            if data:
                self._parser.feed_data(data)
        except httptools.HttpParserError:
            raise BrokenError("what answers does not speak HTTP") from None
        except OSError:
            raise BrokenError("its answer broke off", may_come_again=True) from None
        if not data and not self._head.is_whole:
            framed = {"content-length", "transfer-encoding"} & self.headers.keys()
            if framed or not self._head.has_begun:
                raise BrokenError("its answer broke off", may_come_again=True)
            self._head.is_whole = True  # its end is that of the connection
        return len(data)

    async def read(self, most: int) -> bytes:
        """Return the body, or the first *most* bytes of it."""
        content = b""
        async for piece in self:
            content += piece
            if len(content) >= most:
                break
        return content[:most]

    async def aclose(self) -> None:
        """Let go of the connection, at once."""
        self.close()

    def close(self) -> None:
        """Let go of the connection, at once."""
        self._writer.transport.abort()


async def send(
    address: Address,
    content: bytes,
    headers: Mapping[str, str],
    *,
    trust: Callable[[], ssl.SSLContext] = ssl.create_default_context,
) -> Streamed:
    """Ask *address* by POST with *content*; redirections are followed.

    Another server gets no Authorization. Raises :class:`BrokenError`, and
    :class:`~kg.errors.EndpointError` for a redirection that leads nowhere.
    """
    for _ in range(MOST_REDIRECTIONS + 1):
        reply = await _sent(address, content, headers, trust)
        if reply.status not in REDIRECTIONS:
            return reply
        reply.close()
        to = address.moved(reply.headers.get("location"))
        if not address.is_same_server(to):
            headers = {name: text for name, text in headers.items() if name != "Authorization"}
        address = to
    raise BrokenError("it sends the query on and on")


async def _sent(
    address: Address,
    content: bytes,
    headers: Mapping[str, str],
    trust: Callable[[], ssl.SSLContext],
) -> Streamed:
    fields = {
        "Host": address.authority,
        "User-Agent": USER_AGENT,
        "Accept-Encoding": "identity",
        "Content-Length": str(len(content)),
        "Connection": "close",
        **headers,
    }
    head = f"POST {address.target} HTTP/1.1\r\n"
    head += "".join(f"{name}: {text}\r\n" for name, text in fields.items())
    reply = Streamed(*await _connected(address, trust), address)
    try:
        await reply.begin(f"{head}\r\n".encode("latin-1") + content)
    except OSError:
        reply.close()
        raise BrokenError("the connection broke", may_come_again=True) from None
    except BaseException:
        reply.close()
        raise
    return reply


async def _connected(
    address: Address, trust: Callable[[], ssl.SSLContext]
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    context = trust() if address.is_secure else None
    try:
        async with asyncio.timeout(CONNECT):
            return await asyncio.open_connection(
                address.host, address.port, ssl=context, limit=_PIECE
            )
    except ssl.SSLCertVerificationError as error:
        raise BrokenError(f"its certificate cannot be trusted: {error.verify_message}") from None
    except TimeoutError:
        raise BrokenError("it cannot be reached in time", may_come_again=True) from None
    except OSError as error:
        raise BrokenError(f"it cannot be reached: {error.strerror or error}") from None
