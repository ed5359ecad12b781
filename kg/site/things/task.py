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
from kg.site.things.related import related
from kg.site.view import View

SHOWN: Final = (
    *("rdfs:label", "dct:description", "skos:altLabel", "skos:broader", "foaf:page"),
    "kg:sourcePage",
    *("rdfs:seeAlso", "schema:sameAs", "owl:sameAs", "skos:exactMatch"),
)


def page(thing: Facts, view: View, address: str, given: Mapping[str, str]) -> Page:
    """Return the page of a task: what stands above and below it, its leaderboards and papers."""
    papers = related("paper", "task", thing.iri, view)
    boards = related("leaderboard", "task", thing.iri, view)
    datasets = related("dataset", "task", thing.iri, view)
    below = related("task", "task", thing.iri, view)
    name = view.name(thing.iri)
    return Page(
        name,
        "task.html",
        {
            "description": described(thing, view),
            "other_names": thing.texts("skos:altLabel"),
            "pages": [
                view.link(iri, wording.host(iri))
                for iri in (*thing.iris("foaf:page"), *thing.iris("kg:sourcePage"))
            ],
            "counted": [one.counted for one in (papers, boards) if one.count],
            "above": view.links(thing.iris("skos:broader")),
            "below": below,
            "below_links": view.links(below.iris),
            "boards": boards,
            "board_rows": lists.board_rows(boards.iris, view),
            "datasets": datasets,
            "dataset_links": view.links(datasets.iris),
            "papers": papers,
            "paper_rows": lists.paper_rows(papers.iris, view),
            "identifiers": identifiers(thing, view),
            "records": origins(thing, view),
            "further": statements(thing, view, SHOWN),
        },
        summary=summary(thing) or f"{name}: {papers.counted} and {boards.counted}.",
        iri=thing.iri,
    )
