"""Content codings: how the bytes of an answer are packed for the way.

RFC 9110, sections 8.4 and 12.5.3:

::

    Accept-Encoding  = #( codings [ weight ] )
    codings          = content-coding / "identity" / "*"
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, Protocol, Self

from kg.media_types import WEIGHT
from kg.protocol.response import Body, Whole

try:
    import zstandard
except ImportError:
    zstandard = None  # type: ignore[assignment]  # the name of a module that is not there

IDENTITY: Final = "identity"
SMALL: Final = 1024
"""Bytes below which an answer is not worth packing: it goes in one packet either way."""

_EVERYWHERE: Final = "gzip"
"""The coding for a client that takes any."""

_SOON: Final = 0.005
"""Seconds that the first piece of an answer waits for the end, which would say how long it is."""
_LEVEL: Final = 4  # of gzip: JSON of answers gets hardly smaller beyond it, and much later
_ZSTD_LEVEL: Final = 3
_IN_THREAD: Final = 1 << 14
"""Bytes that take so long to pack that others would wait for it."""


class Packer(Protocol):
    """Packs one stream of bytes."""

    def pack(self, piece: bytes) -> bytes:
        """Return *piece* packed, so that all of it can be read out of what was returned so far."""
        ...

    def end(self) -> bytes:
        """Return the end of the stream."""
        ...


class _Gzip:
    def __init__(self) -> None:
        self._stream = zlib.compressobj(_LEVEL, zlib.DEFLATED, 16 + zlib.MAX_WBITS)

    def pack(self, piece: bytes) -> bytes:
        return self._stream.compress(piece) + self._stream.flush(zlib.Z_SYNC_FLUSH)

    def end(self) -> bytes:
        return self._stream.flush(zlib.Z_FINISH)


class _Zstd:
    def __init__(self) -> None:
        self._stream = zstandard.ZstdCompressor(level=_ZSTD_LEVEL).compressobj()

    def pack(self, piece: bytes) -> bytes:
        packed = self._stream.compress(piece)
        return packed + self._stream.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)

    def end(self) -> bytes:
        return self._stream.flush(zstandard.COMPRESSOBJ_FLUSH_FINISH)


CODINGS: Final[dict[str, Callable[[], Packer]]] = (
    {"zstd": _Zstd, "gzip": _Gzip} if zstandard else {"gzip": _Gzip}
)
"""The codings that there are, the best first."""


@lru_cache(maxsize=64)
def coding(accept_encoding: Sequence[str], *, is_small: bool = False) -> str | None:
    """Return the coding that the client wants most, or None where it accepts none that there is.

    *accept_encoding* are the values of the Accept-Encoding lines. Without any the client gets the
    bytes as they are: it need not know of codings at all. What *is_small* is not packed, unless
    the client wants it so.

    >>> coding(("gzip;q=0.5, br",)), coding(("*;q=0",)), coding(())
    ('gzip', None, 'identity')
    """
    if not accept_encoding:
        return IDENTITY
    weights = dict(_weights(",".join(accept_encoding)))
    rest = weights.pop("*", None)
    # What is not named is not wanted, but for the bytes as they are, which always may come.
    of_identity = weights.get(IDENTITY, 0.0001 if rest is None else min(rest, 0.0001))
    if of_identity and is_small:
        return IDENTITY
    best, chosen = (of_identity, IDENTITY) if of_identity else (0.0, None)
    for name in reversed(CODINGS):
        weight = weights.get(name, rest or 0.0 if name == _EVERYWHERE else 0.0)
        if weight and weight >= best:
            best, chosen = weight, name
    return chosen


def _weights(text: str) -> list[tuple[str, float]]:
    found = []
    for element in text.split(","):
        name, *parameters = (part.strip().lower() for part in element.split(";"))
        weight = next((p[2:].strip() for p in parameters if p.startswith("q=")), "1")
        if name and WEIGHT.fullmatch(weight):
            found.append((name.removeprefix("x-"), float(weight)))
    return found


async def packed(content: bytes, name: str) -> bytes:
    """Return *content* packed by the coding *name*."""
    packer = CODINGS[name]()

    def pack() -> bytes:
        return packer.pack(content) + packer.end()

    return await asyncio.to_thread(pack) if len(content) > _IN_THREAD else pack()


class Packed:
    """A body packed as it comes: of what it has given so far, all can be unpacked."""

    def __init__(self, body: Body, name: str) -> None:
        self._body = body
        self._packer = CODINGS[name]()
        self._is_at_end = False

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        if self._is_at_end:
            raise StopAsyncIteration
        try:
            piece = await anext(self._body)
        except StopAsyncIteration:
            self._is_at_end = True
            return self._packer.end()
        if len(piece) > _IN_THREAD:
            return await asyncio.to_thread(self._packer.pack, piece)
        return self._packer.pack(piece)

    async def aclose(self) -> None:
        """Let go of what makes the bytes."""
        await self._body.aclose()


async def begun(body: Body) -> Body:
    """Return *body*, of which the beginning was read: as a whole where that is all of it.

    Raises what the body raises before its first bytes; it is closed then.
    """
    if isinstance(body, Whole):
        return body
    following: asyncio.Future[bytes | None] | None = None
    try:
        first = await anext(body, b"")
        following = asyncio.ensure_future(anext(body, None))
        await asyncio.wait((following,), timeout=_SOON)
        if following.done() and following.result() is None:
            await body.aclose()
            return Whole(first)
    except BaseException:
        if following is not None:
            following.cancel()
        await body.aclose()
        raise
    return _Begun(body, first, following)


class _Begun:
    """A *body* of which the *first* piece was read, and perhaps the *following* one is being."""

    def __init__(self, body: Body, first: bytes, following: asyncio.Future[bytes | None]) -> None:
        self._body = body
        self._first = first
        self._following: asyncio.Future[bytes | None] | None = following

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        if self._first:
            first, self._first = self._first, b""
            return first
        if self._following is not None:
            piece, self._following = await self._following, None
            if piece is None:
                raise StopAsyncIteration
            return piece
        return await anext(self._body)

    async def aclose(self) -> None:
        """Let go of what makes the bytes."""
        if self._following is not None:
            self._following.cancel()
        await self._body.aclose()
