"""An HTTP request, as a value, and what of it every route reads."""

from __future__ import annotations

import re
from collections.abc import AsyncIterable, Sequence
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import unquote_to_bytes

from kg.protocol.problem import ProblemError
from kg.protocol.response import Whole

LONGEST_TARGET: Final = 1 << 16
"""Bytes that a request's path and query string may have together."""

_AUTHORITY: Final = re.compile(r"(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Request:
    """A request: *path* decoded, *query_string* as it was sent, header names in lower case.

    *client* is the address that it comes from, *version* that of the HTTP it is made in.
    """

    method: str
    path: str
    query_string: bytes = b""
    headers: Sequence[tuple[str, str]] = ()
    body: AsyncIterable[bytes] = field(default_factory=Whole)
    scheme: str = "http"
    client: str = ""
    version: str = "1.1"

    def lines(self, name: str) -> list[str]:
        """Return the values of all header lines called *name* (in lower case)."""
        return [value for key, value in self.headers if key == name]

    def header(self, name: str) -> str | None:
        """Return the value of the header *name*: its lines as one list; None if it has none."""
        return ", ".join(self.lines(name)) or None

    @property
    def root(self) -> str:
        """The address of the server as the client wrote it, without a slash at its end.

        Raises :class:`ProblemError` where the Host header is none.
        """
        host = self.header("host") or ""
        if not _AUTHORITY.fullmatch(host):
            raise ProblemError(400, "the Host header names no host")
        return f"{self.scheme}://{host}"

    @property
    def parameters(self) -> list[tuple[str, str]]:
        """The parameters of the address, in order.

        Raises :class:`ProblemError` for an address that is too long (414) and for bytes that are
        no UTF-8.
        """
        if len(self.path) + len(self.query_string) > LONGEST_TARGET:
            raise ProblemError(
                414,
                f"the address is longer than {LONGEST_TARGET} bytes;"
                " send the query by POST to /sparql",
            )
        return parameters(self.query_string)

    async def content(self, limit: int) -> bytes | None:
        """Return the body, or None if it is longer than *limit* bytes."""
        length = self.header("content-length") or ""
        if length.isdecimal() and int(length) > limit:
            return None
        gathered = bytearray()
        async for piece in self.body:
            gathered += piece
            if len(gathered) > limit:
                return None
        return bytes(gathered)


def parameters(encoded: bytes) -> list[tuple[str, str]]:
    """Decode ``application/x-www-form-urlencoded`` pairs, in order: once, and as UTF-8.

    Raises :class:`ProblemError` for bytes that are no UTF-8.

    >>> parameters(b"query=ASK+%7B%7D&format")
    [('query', 'ASK {}'), ('format', '')]
    """
    pairs = []
    for part in encoded.split(b"&"):
        if part:
            name, _, value = part.partition(b"=")
            pairs.append((_decoded(name), _decoded(value)))
    return pairs


def _decoded(part: bytes) -> str:
    return utf8(unquote_to_bytes(part.replace(b"+", b" ")), "a parameter")


def utf8(content: bytes, what: str) -> str:
    """Decode UTF-8; raises :class:`ProblemError` that says of *what* that it is none."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ProblemError(400, f"{what} is no UTF-8 at byte {error.start}") from None
