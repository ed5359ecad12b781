"""How often one client may ask: a bucket of tokens for each address."""

from __future__ import annotations

import ipaddress
import math
from collections import OrderedDict
from typing import Final

_REMEMBERED: Final = 1 << 14
"""Clients that are remembered; beyond them the one that asked least recently is forgotten."""

_NETWORK: Final = 64
"""Bits of an IPv6 address that say whose it is: the others are the client's to choose."""


class Rates:
    """Lets every client ask *most* times in a minute: at once, or spread over it."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._per_second = most / 60
        # Address → what is left of its bucket, and when that was so.
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, address: str, now: float) -> int:
        """Take note that the client at *address* asks, at *now* seconds.

        Return 0, or in how many seconds it may ask again.
        """
        client = _client(address)
        left, since = self._buckets.pop(client, (float(self._most), now))
        left = min(self._most, left + (now - since) * self._per_second)
        is_allowed = left >= 1
        self._buckets[client] = (left - is_allowed, now)
        if len(self._buckets) > _REMEMBERED:
            self._buckets.popitem(last=False)
        return 0 if is_allowed else math.ceil((1 - left) / self._per_second)


def _client(address: str) -> str:
    """Return whose *address* it is."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv4Address):
        return str(ip)
    if ip.ipv4_mapped is not None:
        return str(ip.ipv4_mapped)
    return str(ipaddress.ip_network((ip, _NETWORK), strict=False))
