"""What an endpoint serves, as far as the protocol must know it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kg.catalogue import Catalogue


@dataclass(frozen=True, slots=True)
class Service:
    """One snapshot, served.

    *snapshot* is its id, *base* the IRI below which its things have theirs, against which relative
    IRIs are resolved too; *triples* counts its default graph and *named_graphs* each of its named
    graphs. *catalogue* holds the canned queries.
    """

    snapshot: str
    base: str
    triples: int
    named_graphs: Mapping[str, int] = field(default_factory=dict)
    catalogue: Catalogue = field(default_factory=lambda: Catalogue({}))
