"""Requests out of bytes (RFC 9112), by a parser that knows the grammar: llhttp, by httptools."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import httptools

from kg.protocol import ProblemError
from kg.server.exchange import Exchange, exchange
from kg.server.upload import Upload

_LONGEST_HEAD: Final = 1 << 17
"""Bytes of a request's line and headers; more than the protocol takes, which then says so."""


class Parser:
    """Begins an exchange for every head of a request that comes from *client*.

    *begin* is called with each; the body goes into its upload as it comes, and *wanted* is called
    when somebody waits for more of that.
    """

    def __init__(
        self,
        client: str,
        begin: Callable[[Exchange], object],
        wanted: Callable[[Upload], object],
    ) -> None:
        self._client = client
        self._begin = begin
        self._wanted = wanted
        self._parser = httptools.HttpRequestParser(self)
        self._target = b""
        self._headers: list[tuple[bytes, bytes]] = []
        self._read_of_head = 0
        self._body_head: bytes | None = None
        self._is_told_anew = False
        self.in_head = False
        """Whether a head has begun and is not at its end."""
        self.incoming: Upload | None = None
        """The body that is coming in."""

    def feed(self, data: bytes) -> bytes:
        """Take bytes in; return those that are to be fed again.

        Raises :class:`~kg.protocol.ProblemError` for what is no request; nothing more can be fed.
        """
        self._read_of_head += len(data)
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            self._go_on()
            return data[upgrade.args[0] :]
        except httptools.HttpParserInvalidMethodError:
            raise ProblemError(
                501, "the method of the request is none that the server knows"
            ) from None
        except httptools.HttpParserError:
            raise ProblemError(400, "the request is no HTTP/1.1") from None
        if self.in_head and self._read_of_head > _LONGEST_HEAD:
            raise _too_long(self._target)
        return b""

    def on_message_begin(self) -> None:
        """Begin a request."""
        if not self._is_told_anew:
            self.in_head, self._read_of_head = True, 0
            self._target, self._headers = b"", []

    def on_url(self, piece: bytes) -> None:
        """Take a piece of the request's target."""
        self._target += piece

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header line."""
        self._headers.append((name.lower(), value))

    def on_headers_complete(self) -> None:
        """Begin an exchange."""
        if self._is_told_anew:
            return
        self.in_head = False
        self.incoming = Upload(self._wanted)
        if self._parser.should_upgrade():
            self._body_head = _body_head(self._headers)
        self._begin(
            exchange(
                self._parser.get_method(),
                self._target,
                self._headers,
                self.incoming,
                client=self._client,
                version=self._parser.get_http_version(),
                keeps=self._parser.should_keep_alive(),
            )
        )

    def on_body(self, piece: bytes) -> None:
        """Take a piece of the request's body."""
        if self.incoming is not None:
            self.incoming.write(piece)

    def on_message_complete(self) -> None:
        """End a request."""
        if self.incoming is not None and self._body_head is None:
            self.incoming.end()
            self.incoming = None

    def _go_on(self) -> None:
        """Go on after a request that offers to go on in another protocol, as if it did not.

        The parser takes what follows, the body too, for that protocol's: it is told of it anew.
        """
        head, self._body_head = self._body_head, None
        if head is not None:
            self._parser = httptools.HttpRequestParser(self)
            self._is_told_anew = True
            self._parser.feed_data(head)
            self._is_told_anew = False


def _body_head(headers: list[tuple[bytes, bytes]]) -> bytes | None:
    """Return a head that has the same body as one with *headers*, or None if that has none."""
    told = [
        b"%b: %b\r\n" % (name, value)
        for name, value in headers
        if name in (b"content-length", b"transfer-encoding")
    ]
    return b"POST / HTTP/1.1\r\n%b\r\n" % b"".join(told) if told else None


def _too_long(target: bytes) -> ProblemError:
    if len(target) > _LONGEST_HEAD // 2:
        return ProblemError(
            414, "the address of the request is too long; send the query by POST to /sparql"
        )
    return ProblemError(431, f"the request's header lines are longer than {_LONGEST_HEAD} bytes")
