"""The page of a task."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kg.site import wording
from kg.site.descriptions import described, summary
from kg.site.facts import Facts
from kg.site.page import Page
from kg.site.things import lists
from kg.site.things.further import statements
from kg.site.things.identifiers import identifiers
from kg.site.things.origin import origins
from kg.site.view import View

SHOWN: Final = (
    *("rdfs:label", "dct:description", "skos:altLabel", "skos:broader", "foaf:page"),
    *("rdfs:seeAlso", "schema:sameAs", "owl:sameAs", "skos:exactMatch"),
)


def page(thing: Facts, view: View, address: str, given: Mapping[str, str]) -> Page:
    """Return the page of a task: what stands above and below it, its leaderboards and papers."""
    found, is_cut = lists.by_class("kg:task", thing.iri, view)
    boards, datasets = found.get("Leaderboard", []), found.get("Dataset", [])
    below, has_more_below = lists.some(f"?thing skos:broader <{thing.iri}>", view, 200)
    papers = lists.newest(found.get("Paper", []), view, is_cut=is_cut)
    name = view.name(thing.iri)
    return Page(
        name,
        "task.html",
        {
            "description": described(thing, view),
            "other_names": thing.texts("skos:altLabel"),
            "pages": [view.link(iri, wording.host(iri)) for iri in thing.iris("foaf:page")],
            "above": view.links(thing.iris("skos:broader")),
            "below": view.links(below),
            "has_more_below": has_more_below,
            "boards": lists.board_rows(boards, view),
            "board_count": len(boards),
            "datasets": view.links(datasets[: lists.SHOWN]),
            "has_more_datasets": len(datasets) > lists.SHOWN,
            "papers": papers,
            "identifiers": identifiers(thing, view),
            "records": origins(thing, view),
            "further": statements(thing, view, SHOWN),
            "slug": thing.text("kg:slug"),
        },
        summary=summary(thing)
        or f"{name}: {papers.counted} and {wording.count(len(boards), 'leaderboard')}.",
        iri=thing.iri,
    )
