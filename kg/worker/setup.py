"""What a worker is told when it starts."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Self

from kg.limits import Limits
from kg.services import NO_SERVICES, Services


@dataclass(frozen=True, slots=True)
class Setup:
    """The *store* to answer from, a folder, the *base* of its IRIs, and what a query may do.

    *server* is the process that has started it, without which it is to end.
    """

    store: str
    base: str
    limits: Limits
    server: int
    services: Services = NO_SERVICES

    def text(self) -> str:
        """Return it as an argument of a command."""
        hosts = sorted(self.services.hosts, key=str)
        return json.dumps([self.store, self.base, asdict(self.limits), self.server, hosts])

    @classmethod
    def of(cls, text: str) -> Self:
        """Read it from an argument of a command."""
        store, base, limits, server, hosts = json.loads(text)
        services = Services(frozenset((host, port) for host, port in hosts))
        return cls(store, base, Limits(**limits), server, services)
