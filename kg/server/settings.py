"""How a server is to serve, beside the limits of queries."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import urlsplit

from kg.errors import UsageError
from kg.limits import Limits
from kg.protocol import Tokens
from kg.server.access_log import AccessLog
from kg.services import NO_SERVICES, Services


@dataclass(frozen=True, slots=True)
class Settings:
    """How a server serves, and to whom.

    *services* are the servers that a query may ask. With *in_memory* the store is held there.
    *cache* is how many bytes of answers are kept. There may be *connections* at once, and at the
    end answers under way have *grace* seconds. With *tokens* the server is private; *rate* is how
    often a client may ask in a minute. So many *proxies* of ours stand before it; *address* is the
    one at which clients find it, where that is not what they write in their requests.

    Raises :class:`~kg.errors.UsageError` for what cannot be, or contradicts itself.
    """

    limits: Limits = field(default_factory=Limits)
    services: Services = NO_SERVICES
    in_memory: bool = False
    cache: int = 64 << 20
    connections: int = 4096
    grace: float = 5.0
    tokens: Tokens | None = None
    rate: int | None = None
    proxies: int = 0
    address: str | None = None
    access_log: AccessLog | None = None

    def __post_init__(self) -> None:
        at_once = self.limits.workers + self.limits.queue
        if self.connections < at_once:
            raise UsageError(
                f"--connections {self.connections:,} leaves no way to have {at_once:,} queries"
                " evaluated (--workers) and waiting (--queue); raise the first or lower the others"
            )
        if self.address is not None:
            parts = urlsplit(self.address)
            if parts.scheme not in ("http", "https") or not parts.netloc or parts.query:
                raise UsageError(
                    f"--public-url {self.address}: it is no address that begins with http:// or"
                    " https://"
                )
