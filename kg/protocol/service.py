"""What an endpoint serves, as far as the protocol must know it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeAlias

from kg.catalogue import Catalogue
from kg.limits import Limits
from kg.partitions import Counts
from kg.protocol.question import Evaluate
from kg.protocol.request import Request
from kg.protocol.response import Response
from kg.protocol.tokens import Tokens
from kg.services import NO_SERVICES, Services

_MOST_WRITTEN: Final = 64

Pages: TypeAlias = Callable[[Request, Evaluate, "Service"], Awaitable[Response | None]]


@dataclass(frozen=True, slots=True)
class Service:
    """One snapshot, served, or another server's data.

    *snapshot* is its id, empty where the data are another server's, of which nothing is known;
    *base* is the IRI below which its things have theirs, against which relative IRIs are resolved
    too; *triples* counts its default graph and *named_graphs* each of its named graphs. *catalogue*
    holds the canned queries, *limits* are those of every query, and *services* the servers that it
    may ask.

    *counts* are what is known of its default graph, *examples* the IRIs of a few of its things and
    *dumps* its files, by the names that they are had under. *created* is when it was made, as
    xsd:dateTime has it.

    *pages* answer what the routes of the protocol do not, and before them what they choose to:
    they return None for what they leave to it.

    *address* is that of the server where it is not the one that clients write, without a slash at
    its end. With *tokens* it is private: who has none of them gets nothing. *is_well* says whether
    queries are answered, and *metrics* gives the text of ``/metrics``. *written* is what
    :meth:`once` remembers.
    """

    snapshot: str
    base: str
    triples: int
    named_graphs: Mapping[str, int] = field(default_factory=dict)
    catalogue: Catalogue = field(default_factory=lambda: Catalogue({}))
    limits: Limits = field(default_factory=Limits)
    services: Services = NO_SERVICES
    counts: Counts = field(default_factory=Counts)
    examples: tuple[str, ...] = ()
    dumps: Mapping[str, Path] = field(default_factory=dict)
    created: str | None = None
    pages: Pages | None = None
    address: str | None = None
    tokens: Tokens | None = None
    is_well: Callable[[], bool] = lambda: True
    metrics: Callable[[], str] = lambda: ""
    written: dict[object, bytes] = field(default_factory=dict, init=False, repr=False)

    @property
    def is_elsewhere(self) -> bool:
        """Whether the data are another server's: they may change at any time, uncounted."""
        return not self.snapshot

    def root(self, request: Request) -> str:
        """Return the address of the server, without a slash at its end, as *request* knows it.

        Raises :class:`~kg.protocol.ProblemError` where it names none.
        """
        return self.address or request.root

    def once(self, key: Hashable, write: Callable[[], bytes]) -> bytes:
        """Return what was written under *key*, or what *write* returns now."""
        content = self.written.get(key)
        if content is None:
            content = write()
            if len(self.written) >= _MOST_WRITTEN:  # clients may ask for it at many addresses
                self.written.clear()
            self.written[key] = content
        return content
