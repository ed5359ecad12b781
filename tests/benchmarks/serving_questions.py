"""What the servers are asked: look-ups of things that the store has, and queries that take long."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self, cast
from urllib.parse import urlencode

import pyoxigraph as ox

from kg.catalogue import Catalogue
from kg.iris import DEFAULT_BASE
from kg.opened import Opened
from kg.snapshot import SnapshotFolder

PAPERS: Final = 2_000
"""Papers that are looked up in turn: more than any server remembers the queries of."""
LEADERBOARDS: Final = 100
"""Leaderboards that are asked for in turn, those with the most results."""

ROWS: Final = "SELECT ?s ?p ?o { ?s ?p ?o } LIMIT %d"
_HOLDING: Final = (
    "SELECT (COUNT(*) AS ?n)"
    ' { ?s <http://purl.org/dc/terms/%s> ?text FILTER(CONTAINS(LCASE(?text), "graph")) }'
)
STRINGS: Final = _HOLDING % "title"
HEAVY: Final = _HOLDING % "abstract"
"""Reads the abstracts of all papers."""
_PATTERN: Final = "SELECT ?p ?o { <%s> ?p ?o }"

_LINKED: Final = "SELECT DISTINCT ?thing { ?thing kg:codeLink ?link } LIMIT %d"
_RANKED: Final = (
    "SELECT ?thing { ?result kg:leaderboard ?thing } GROUP BY ?thing"
    " ORDER BY DESC(COUNT(?result)) ?thing LIMIT %d"
)
_KG: Final = {"kg": f"{DEFAULT_BASE}ns#"}


@dataclass(frozen=True, slots=True)
class Lookups:
    """The same questions as *paths* of a canned query, and as the *texts* that it evaluates."""

    paths: list[str]
    texts: list[str]


@dataclass(frozen=True, slots=True)
class Questions:
    """The look-ups of one store: *thing* is one of its papers."""

    thing: str
    code: Lookups
    patterns: list[str]
    leaderboards: Lookups

    @classmethod
    def of(cls, store_dir: Path) -> Self:
        """Return those of the store in a folder."""
        opened = Opened.of(SnapshotFolder(store_dir).built())
        papers = list(_things(opened, _LINKED % PAPERS))
        ranked = list(_things(opened, _RANKED % LEADERBOARDS))
        return cls(
            f"<{papers[0]}>",
            _lookups("paper-code", "paper", papers, opened.base),
            [_PATTERN % paper for paper in papers],
            _lookups("leaderboard", "leaderboard", ranked, opened.base),
        )


def _things(opened: Opened, text: str) -> Iterator[str]:
    answer = opened.store.query(text, prefixes=_KG)
    for solution in cast("ox.QuerySolutions", answer):
        yield cast("ox.NamedNode", solution["thing"]).value


def _lookups(name: str, parameter: str, things: list[str], base: str) -> Lookups:
    query = Catalogue.load().get(name)
    slugs = [thing.removeprefix(f"{base}{parameter}/") for thing in things]
    return Lookups(
        [f"/queries/{name}?{urlencode({parameter: slug})}&format=json" for slug in slugs],
        [_bare(query.bind({parameter: slug}, base)) for slug in slugs],
    )


def _bare(text: str) -> str:
    """Return a canned query without its header, which is a comment."""
    return "\n".join(line for line in text.split("\n") if not line.startswith("#+"))
