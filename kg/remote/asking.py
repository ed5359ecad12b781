"""A request to a server, by a thread that waits for its answer.

Proxies are those of the environment, as :mod:`urllib` has them.
"""

from __future__ import annotations

import errno
import http.client
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.message import Message
from typing import Any, Final

from kg import __version__
from kg.errors import EndpointError
from kg.remote import waiting
from kg.remote.address import MOST_REDIRECTIONS, REDIRECTIONS, Address
from kg.remote.refusals import BUSY, refusal

USER_AGENT: Final = f"paperkg/{__version__} (https://w3id.org/paperkg/)"
"""Who asks, and where whoever is asked learns more of it (RFC 9110, section 10.1.5)."""

CONNECT: Final = 10.0
"""Seconds in which a connection must be made."""

_PIECE: Final = 1 << 16
_REFUSAL: Final = 1 << 16
"""Bytes of a refusal that are looked at."""

# What a server that ends, or a proxy before it, does to the connections that it has.
_BROKEN: Final = (ConnectionResetError, BrokenPipeError, http.client.IncompleteRead)

_REASONS: Final = (
    (http.client.IncompleteRead, "the answer broke off"),
    ((ConnectionResetError, BrokenPipeError), "the connection broke before an answer came"),
    (http.client.HTTPException, "what answers does not speak HTTP"),
)


@dataclass(frozen=True, slots=True)
class Limits:
    """What is granted to a server: *seconds* of silence, and *size*, the bytes of an answer.

    *attempts* is how often it is asked where it is busy, or breaks off.
    """

    seconds: float = 300.0
    size: int = 1 << 30
    attempts: int = waiting.ATTEMPTS


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server answers: with 200, or why not."""

    status: int
    headers: Message
    content: bytes

    @property
    def content_type(self) -> str:
        """The value of Content-Type, or nothing."""
        return self.headers.get("Content-Type", "")


def ask(
    address: Address,
    content: bytes | None,
    headers: Mapping[str, str],
    *,
    limits: Limits,
    tell: Callable[[str], object] = lambda _: None,
) -> Reply:
    """Ask *address*: by POST with *content*, by GET without.

    What may be mended by waiting is waited for, as long as a server asks for but for no longer than
    :data:`~kg.remote.waiting.LONGEST`; *tell* is told so. Redirections are followed, to another
    server without Authorization. Raises :class:`~kg.errors.EndpointError` where no answer comes, or
    none that can be read.
    """
    for attempt in range(limits.attempts):
        is_last = attempt + 1 == limits.attempts
        told = None
        try:
            reply = _followed(address, content, headers, limits)
            if reply.status not in BUSY or is_last:
                return reply
            told = waiting.retry_after(reply.headers.get("Retry-After"))
            reason = refusal(reply.status)
            if told is not None and told > waiting.LONGEST:
                return reply
        except _BROKEN as error:
            if is_last:
                raise EndpointError(f"{address}: {_reason(error, limits)}") from error
            reason = _reason(error, limits)
        except (OSError, http.client.HTTPException) as error:
            raise EndpointError(f"{address}: {_reason(error, limits)}") from error
        seconds = waiting.pause(attempt, told)
        tell(f"{address}: {reason}; it is asked again in {seconds:.1f} s")
        time.sleep(seconds)
    raise AssertionError("the last attempt returns or raises")


def _followed(
    address: Address, content: bytes | None, headers: Mapping[str, str], limits: Limits
) -> Reply:
    for _ in range(MOST_REDIRECTIONS + 1):
        reply = _sent(address, content, headers, limits)
        if reply.status not in REDIRECTIONS:
            return reply
        to = address.moved(reply.headers.get("Location"))
        if not address.is_same_server(to):
            headers = {name: text for name, text in headers.items() if name != "Authorization"}
        address = to
    raise EndpointError(f"{address}: it sends the query on and on")


def _sent(
    address: Address, content: bytes | None, headers: Mapping[str, str], limits: Limits
) -> Reply:
    sent = {"User-Agent": USER_AGENT, "Accept-Encoding": "identity", **headers}
    request = urllib.request.Request(str(address), content, sent)  # noqa: S310 - HTTP: see Address
    try:
        response = _OPENER.open(request, timeout=limits.seconds)
    except urllib.error.HTTPError as refused:
        with refused:
            return Reply(refused.code, refused.headers, refused.read(_REFUSAL))
    except urllib.error.URLError as error:
        raise (error.reason if isinstance(error.reason, OSError) else error) from None
    with response:
        return Reply(response.status, response.headers, _read(response, address, limits))


def _read(response: http.client.HTTPResponse, address: Address, limits: Limits) -> bytes:
    coding = response.headers.get("Content-Encoding", "identity").lower()
    if coding not in ("", "identity"):
        raise EndpointError(f"{address}: its answer is compressed ({coding}), without being asked")
    pieces = []
    left = limits.size
    while piece := response.read(_PIECE):
        pieces.append(piece)
        left -= len(piece)
        if left < 0:
            raise EndpointError(
                f"{address}: its answer is longer than {limits.size:,} bytes;"
                " ask for less of it, with LIMIT for one"
            )
    if response.length:  # of what was promised
        raise http.client.IncompleteRead(b"", response.length)
    return b"".join(pieces)


class _Connection(http.client.HTTPConnection):
    def connect(self) -> None:
        silence, self.timeout = self.timeout, min(CONNECT, self.timeout or CONNECT)
        try:
            super().connect()
        except TimeoutError:
            told = f"no connection within {self.timeout:g} s"
            raise OSError(errno.EHOSTUNREACH, told) from None
        self.sock.settimeout(silence)


class _SecureConnection(_Connection, http.client.HTTPSConnection):
    pass


class _Http(urllib.request.HTTPHandler):
    def http_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_Connection, request)


class _Https(urllib.request.HTTPSHandler):
    def https_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        connection: Any = _SecureConnection
        return self.do_open(connection, request, context=ssl.create_default_context())


class _NoRedirection(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        """Leave a redirection to whoever asks."""


_OPENER: Final = urllib.request.build_opener(_Http, _Https, _NoRedirection)


def _reason(error: Exception, limits: Limits) -> str:
    for kind, reason in _REASONS:
        if isinstance(error, kind):
            return reason
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate cannot be trusted: {error.verify_message}"
    if isinstance(error, TimeoutError):
        return f"it does not answer in time ({limits.seconds:g} s)"
    why = error.strerror if isinstance(error, OSError) else None
    return f"it cannot be reached: {why or error or type(error).__name__}"
