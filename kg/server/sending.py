"""A response on the wire: HTTP/1.1 framing (RFC 9112, sections 6 and 7)."""

from __future__ import annotations

import time
from email.utils import formatdate
from functools import lru_cache
from http import HTTPStatus
from typing import Final

from kg.protocol import Response
from kg.server.outgoing import Outgoing

_STATUS_LINES: Final = {
    status.value: f"HTTP/1.1 {status.value} {status.phrase}\r\nDate: " for status in HTTPStatus
}
_AT_ONCE: Final = 1 << 18
"""Bytes that are written at once."""
_WITHOUT_CONTENT: Final = (204, 304)


class CutError(Exception):
    """A response that was begun and cannot be completed: its connection is to be broken.

    *sent* bytes of its content went out. Where *is_framed*, the client can tell from a connection
    that is closed as usual that some are missing.
    """

    def __init__(self, sent: int, *, is_framed: bool) -> None:
        super().__init__("the response was cut")
        self.sent = sent
        self.is_framed = is_framed


async def send(
    response: Response, outlet: Outgoing, *, version: str, is_head: bool, keeps: bool
) -> tuple[int, bool]:
    """Send *response* to a client that speaks HTTP *version* (1.0 or 1.1).

    *is_head* says that the request was HEAD, *keeps* that the connection may go on. Return how
    many bytes of content were sent, and whether the connection goes on. What the body raises
    before its first bytes is raised; after them, and for a body of another length than the
    response has said, :class:`CutError` is.
    """
    declared = response.headers.get("Content-Length")
    bare = is_head or response.status in _WITHOUT_CONTENT
    chunked = not bare and declared is None and version != "1.0"
    is_framed = chunked or declared is not None
    keeps = keeps and (bare or is_framed)
    before = _head(response, chunked=chunked, keeps=keeps, version=version)
    sent = 0
    if not bare:
        try:
            async for piece in response.body:
                # In parts, each of which has its time to be read.
                for start in range(0, len(piece), _AT_ONCE):
                    part = piece[start : start + _AT_ONCE]
                    framed = b"%x\r\n%b\r\n" % (len(part), part) if chunked else part
                    outlet.write(before + framed)
                    before, sent = b"", sent + len(part)
                    await outlet.drain()
        except Exception as error:
            if before:
                raise
            raise CutError(sent, is_framed=is_framed) from error
        if declared is not None and sent != int(declared):
            raise CutError(sent, is_framed=is_framed)
    if before or chunked:
        outlet.write(before + (b"0\r\n\r\n" if chunked else b""))
        await outlet.drain()
    return sent, keeps


def _head(response: Response, *, chunked: bool, keeps: bool, version: str) -> bytes:
    lines = [_STATUS_LINES[response.status], _date(int(time.time())), "\r\n"]
    for name, value in response.headers.items():
        lines += (name, ": ", value, "\r\n")
    if chunked:
        lines.append("Transfer-Encoding: chunked\r\n")
    if not keeps:
        lines.append("Connection: close\r\n")
    elif version == "1.0":
        lines.append("Connection: keep-alive\r\n")
    lines.append("\r\n")
    return "".join(lines).encode("latin-1")


@lru_cache(maxsize=1)
def _date(second: int) -> str:
    """Return a time as the Date header has it."""
    return formatdate(second, usegmt=True)
