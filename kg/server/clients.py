"""Which client a request comes from, where proxies stand before the server."""

from __future__ import annotations

from kg.protocol import Request


def client(request: Request, proxies: int) -> str:
    """Return the address of the client that made *request*, with so many *proxies* of ours between.

    Each proxy adds to the X-Forwarded-For header the address that it was asked from. What stands
    before those is what the client says of itself, and counts for nothing.

    >>> client(Request("GET", "/", b"", [("x-forwarded-for", "1.1.1.1, 2.2.2.2")]), 1)
    '2.2.2.2'
    """
    if proxies:
        told = [part.strip() for part in (request.header("x-forwarded-for") or "").split(",")]
        if len(told) >= proxies and told[-proxies]:
            return told[-proxies]
    return request.client
