"""A query passed on to a server of the internet, and to nothing else that its name may lead to.

A name is looked up once, every address that it has is looked at, and the connection goes to one of
those: a name that leads elsewhere the next time leads nowhere here. No redirection is followed.
"""

from __future__ import annotations

import http.client
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from kg import __version__
from kg.errors import ServiceError
from kg.services import Target, is_public

LONGEST: Final = 16 << 20
"""Bytes that the answer of another server may have; it is held as a whole."""

_ACCEPT: Final = "application/sparql-results+json, application/sparql-results+xml;q=0.9"


def addresses_of(host: str, port: int) -> list[str]:
    """Look a name up; raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in found]


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server has answered."""

    content_type: str
    content: bytes


class Fetch:
    """One query, *content*, asked of *target*; for a thread, while another one may give it up.

    *seconds* is how long a server may be silent. What looks a name up, what says whether an address
    may be asked and whose certificates are trusted is as it should be, but for tests. Raises
    :class:`~kg.errors.ServiceError`.
    """

    def __init__(
        self,
        target: Target,
        content: bytes,
        seconds: float,
        *,
        look_up: Callable[[str, int], list[str]] = addresses_of,
        may_ask: Callable[[str], bool] = is_public,
        trust: Callable[[], ssl.SSLContext] = ssl.create_default_context,
    ) -> None:
        self._target = target
        self._content = content
        self._seconds = seconds
        self._look_up = look_up
        self._may_ask = may_ask
        self._trust = trust
        self._socket: socket.socket | None = None
        self._is_given_up = False

    def run(self) -> Reply:
        """Ask, and return what is answered."""
        host = self._target.host
        try:
            return self._ask(self._address())
        except ssl.SSLError as error:
            raise ServiceError(f"{host} cannot be trusted: {error.reason}") from None
        except TimeoutError:
            raise ServiceError(f"{host} does not answer in time") from None
        except OSError as error:
            reason = error.strerror or "the connection broke"
            raise ServiceError(f"{host} cannot be reached: {reason}") from None
        except http.client.HTTPException:
            raise ServiceError(f"{host} gave no answer of HTTP, or no whole one") from None

    def give_up(self) -> None:
        """End it; for another thread."""
        self._is_given_up = True
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)

    def _address(self) -> str:
        found = self._look_up(self._target.host, self._target.port)
        if not found or not all(map(self._may_ask, found)):
            raise ServiceError(f"{self._target.host} is no server of the public internet")
        return found[0]

    def _ask(self, address: str) -> Reply:
        target = self._target
        with socket.create_connection((address, target.port), self._seconds) as plain:
            used = plain
            if target.is_secure:
                used = self._trust().wrap_socket(
                    plain, server_hostname=target.host, do_handshake_on_connect=False
                )
            with used:
                self._socket = used
                if self._is_given_up:
                    raise TimeoutError
                if isinstance(used, ssl.SSLSocket):
                    used.do_handshake()
                connection = http.client.HTTPConnection(target.host, target.port)
                connection.sock = used
                connection.auto_open = 0  # to this address, and by no connection of its own
                connection.request("POST", target.path, self._content, self._headers())
                return self._reply(connection.getresponse())

    def _headers(self) -> dict[str, str]:
        target = self._target
        is_usual = target.port == (443 if target.is_secure else 80)
        return {
            "Host": target.host if is_usual else f"{target.host}:{target.port}",
            "Accept": _ACCEPT,
            "Content-Type": "application/sparql-query",
            "User-Agent": f"paperkg/{__version__}",
            "Connection": "close",
        }

    def _reply(self, response: http.client.HTTPResponse) -> Reply:
        host = self._target.host
        if 300 <= response.status < 400:
            raise ServiceError(f"{host} sends the query elsewhere, where it is not sent")
        if response.status != 200:
            raise ServiceError(f"{host} answers {response.status}")
        if response.headers.get("Content-Encoding", "identity").lower() != "identity":
            raise ServiceError(f"{host} gave a compressed answer, which was not asked for")
        content = response.read(LONGEST + 1)
        if len(content) > LONGEST:
            raise ServiceError(f"{host} gave an answer of more than {LONGEST:,} bytes")
        return Reply(response.headers.get_content_type(), content)
