"""The page of a metric."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kg.site.facts import Facts
from kg.site.page import Page
from kg.site.things import lists
from kg.site.things.further import statements
from kg.site.view import View

SHOWN: Final = ("rdfs:label", "kg:higherIsBetter")
_READ: Final = 1500
"""Measurements that are followed to their leaderboards: a common metric has tens of thousands."""


def page(thing: Facts, view: View, address: str, given: Mapping[str, str]) -> Page:
    """Return the page of a metric: the leaderboards that go by it."""
    rows = view.rows(
        f"""SELECT ?measurement ?board {{
          {{ SELECT ?measurement {{ ?measurement kg:metric <{thing.iri}> }} LIMIT {_READ} }}
          ?result kg:measurement ?measurement . ?result kg:leaderboard ?board
        }}"""
    )
    found = list(dict.fromkeys(row["board"].value for row in rows))
    name = view.name(thing.iri)
    return Page(
        name,
        "metric.html",
        {
            "is_higher_better": thing.flag("kg:higherIsBetter"),
            "boards": lists.largest_boards(found, view),
            "is_cut": len(rows) >= _READ or len(found) > lists.SHOWN,
            "further": statements(thing, view, SHOWN),
        },
        summary=f"{name}: a metric of leaderboards.",
        iri=thing.iri,
    )
