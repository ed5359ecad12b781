"""The page of a result: one row of a leaderboard."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kg.site import wording
from kg.site.facts import Facts
from kg.site.page import Page
from kg.site.things.further import statements
from kg.site.things.measured import scores
from kg.site.things.origin import origins
from kg.site.view import View

SHOWN: Final = (
    *("kg:leaderboard", "kg:paper", "kg:task", "kg:dataset", "kg:modelName", "kg:archiveRank"),
    *("kg:archiveRankOf", "kg:usesAdditionalData", "kg:measurement", "kg:rowCount"),
    *("kg:paperTitle", "kg:paperPage", "dct:issued", "kg:modelPage"),
)


def page(thing: Facts, view: View, address: str, given: Mapping[str, str]) -> Page:
    """Return the page of a result."""
    board, paper = thing.iri_of("kg:leaderboard"), thing.iri_of("kg:paper")
    model = thing.text("kg:modelName") or "A result"
    title = f"{model} on {view.name(board)}" if board else model
    outside = thing.iri_of("kg:paperPage")
    return Page(
        title,
        "result.html",
        {
            "model": model,
            "board": view.link(board),
            "task": view.link(thing.iri_of("kg:task")),
            "dataset": view.link(thing.iri_of("kg:dataset")),
            "paper": view.link(paper or outside, None if paper else thing.text("kg:paperTitle")),
            "rank": thing.number("kg:archiveRank"),
            "of": thing.number("kg:archiveRankOf"),
            "uses_additional_data": thing.flag("kg:usesAdditionalData"),
            "scores": scores(thing, view),
            "times": thing.number("kg:rowCount"),
            "issued": [wording.day(text) for text in thing.texts("dct:issued")],
            "model_pages": [
                view.link(iri, wording.host(iri)) for iri in thing.iris("kg:modelPage")
            ],
            "records": origins(thing, view),
            "further": statements(thing, view, SHOWN),
        },
        summary=f"{title}, as the archive reports it.",
        iri=thing.iri,
    )
