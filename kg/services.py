"""The servers that a query may ask by SERVICE: none, but for those that are named."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final, Self
from urllib.parse import quote, urlsplit

from kg.errors import UsageError

# RFC 1123, section 2.1, with a port or without; a name has a letter, and two labels at least.
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_HOST: Final = re.compile(rf"((?:{_LABEL}\.)+{_LABEL})(?::([0-9]{{1,5}}))?")
_PORTS: Final = {"http": 80, "https": 443}

# Addresses that lead to others of another kind: NAT64, 6to4, Teredo.
_TRANSLATED: Final = tuple(
    map(IPv6Network, ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32"))
)

_LEGAL: Final = "!$&'()*+,;=:@/?%-._~"
"""What may stand in a path and a query beside letters and digits (RFC 3986, section 3.3)."""


@dataclass(frozen=True, slots=True)
class Target:
    """What is asked: a *path* (with its query) of a *host* at a *port*, by TLS or without."""

    host: str
    port: int
    is_secure: bool
    path: str


@dataclass(frozen=True, slots=True)
class Services:
    """The servers that may be asked, each as a name and its port, None for the usual ones."""

    hosts: frozenset[tuple[str, int | None]] = frozenset()

    @classmethod
    def of(cls, options: Iterable[str]) -> Self:
        """Read ``HOST`` and ``HOST:PORT``; raises :class:`~kg.errors.UsageError`."""
        return cls(frozenset(map(_host, options)))

    def target(self, iri: str) -> Target | None:
        """Return what the IRI of a SERVICE asks, or None where that may not be asked."""
        try:
            parts = urlsplit(iri)
            port = parts.port
        except ValueError:
            return None
        usual = _PORTS.get(parts.scheme)
        host = (parts.hostname or "").lower()
        if usual is None or "@" in parts.netloc or parts.fragment:
            return None
        is_allowed = (host, port or usual) in self.hosts or (
            (host, None) in self.hosts and port in (None, usual)
        )
        if not is_allowed:
            return None
        path = quote(parts.path or "/", safe=_LEGAL)
        if parts.query:
            path += f"?{quote(parts.query, safe=_LEGAL)}"
        return Target(host, port or usual, parts.scheme == "https", path)


NO_SERVICES: Final = Services()


@dataclass(frozen=True, slots=True)
class Route:
    """How a query asks other servers: those that it may ask, through *address*.

    There the server itself listens, asks on behalf of the query, and decides again whether it may.
    """

    services: Services
    address: str

    def through(self, iri: str) -> str:
        """Return the IRI by which the engine asks what *iri* is."""
        return self.address + quote(iri, safe="")


def is_public(address: str) -> bool:
    """Say whether an address is one of the public internet, and of nothing nearer.

    >>> is_public("93.184.215.14"), is_public("10.0.0.1"), is_public("::ffff:127.0.0.1")
    (True, False, False)
    """
    try:
        parsed: IPv4Address | IPv6Address = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped is not None:
            return is_public(str(parsed.ipv4_mapped))
        if any(parsed in network for network in _TRANSLATED):
            return False
    return parsed.is_global and not parsed.is_multicast and not parsed.is_reserved


def _host(option: str) -> tuple[str, int | None]:
    match = _HOST.fullmatch(option)
    port = int(match[2]) if match and match[2] else None
    if not match or match[1][-1].isdigit() or (port is not None and not 0 < port < 1 << 16):
        raise UsageError(
            f"--allow-service {option}: it is no name of a server of the internet, such as"
            " query.wikidata.org or example.org:8443"
        )
    return match[1].lower(), port
