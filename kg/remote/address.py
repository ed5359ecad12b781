"""The address of a server, and where it may send a query on to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Self
from urllib.parse import quote, urljoin, urlsplit

from kg.errors import EndpointError, UsageError

MOST_REDIRECTIONS: Final = 5

REDIRECTIONS: Final = frozenset({301, 302, 307, 308})
"""Statuses that send a query on to another address, where the same is asked again.

Of 301 and 302 clients have made a GET without the query (RFC 9110, section 15.4); a query is safe,
so it may go out again as it is. 303 is none: what it leads to is no answer to a query.
"""

_PORTS: Final = {"http": 80, "https": 443}
_LEGAL: Final = "!$&'()*+,;=:@/?%-._~"
"""What may stand in a path and a query beside letters and digits (RFC 3986, section 3.3)."""


@dataclass(frozen=True, slots=True)
class Address:
    """An ``http`` or ``https`` address: what is asked is the *target*, a path with its query."""

    scheme: str
    host: str
    port: int
    target: str

    @classmethod
    def of(cls, url: str) -> Self:
        """Read an address; its fragment is no part of it.

        Raises :class:`~kg.errors.UsageError` for what is none, and for one with a password.
        """
        no_address = UsageError(f"{url!r} is no address of an endpoint; it begins with http://")
        try:
            parts = urlsplit(url)
            port = parts.port
            host = (parts.hostname or "").encode("idna").decode("ascii")
        except ValueError:
            raise no_address from None
        if not host or parts.scheme not in _PORTS:
            raise no_address
        if "@" in parts.netloc:
            raise UsageError(
                "an address with a name or a password in it is not taken:"
                " others see it; give a token by --token-file"
            )
        path = quote(parts.path or "/", safe=_LEGAL)
        if parts.query:
            path += f"?{quote(parts.query, safe=_LEGAL)}"
        return cls(parts.scheme, host, port or _PORTS[parts.scheme], path)

    @property
    def is_secure(self) -> bool:
        """Whether it is asked by TLS."""
        return self.scheme == "https"

    @property
    def authority(self) -> str:
        """The host, and the port where it is not the usual one, as the Host header has them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"

    def __str__(self) -> str:
        return f"{self.scheme}://{self.authority}{self.target}"

    def moved(self, location: str | None) -> Address:
        """Return the address that *location*, of a redirection, means.

        Raises :class:`~kg.errors.EndpointError` where that may not be asked: what was sent by TLS
        is not sent on without.
        """
        if location is None:
            raise EndpointError(f"{self}: it sends the query elsewhere and does not say where to")
        try:
            to = Address.of(urljoin(str(self), location))
        except (UsageError, ValueError):
            raise EndpointError(f"{self}: it sends the query to what is no address") from None
        if self.is_secure and not to.is_secure:
            raise EndpointError(f"{self}: it sends the query on without TLS, to {to}")
        return to

    def is_same_server(self, other: Address) -> bool:
        """Say whether another address is one of the same server, which may have the same secrets.

        A server that sends its clients on to TLS is the same one.
        """
        if self.host != other.host:
            return False
        if (self.scheme, self.port) == (other.scheme, other.port):
            return True
        return (self.scheme, self.port, other.scheme, other.port) == ("http", 80, "https", 443)
