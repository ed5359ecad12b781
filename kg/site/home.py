"""The first page: what this graph is, how much it has, and questions to begin with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from kg import void
from kg.catalogue import Catalogue
from kg.namespaces import KG
from kg.site import snippets
from kg.site.page import Page
from kg.site.things import lists
from kg.site.view import View

_COUNTED: Final = (
    ("Paper", "papers", "/papers"),
    ("Task", "tasks", "/tasks"),
    ("Dataset", "datasets", "/datasets"),
    ("Method", "methods", "/methods"),
    ("Leaderboard", "leaderboards", "/leaderboards"),
    ("Result", "results", "/ns#Result"),
    ("Repo", "repositories", "/ns#Repo"),
    ("Sample", "code samples", "/ns#Sample"),
)
_READ: Final = 2000
"""Results and samples that are looked at for something to begin with."""


@dataclass(frozen=True, slots=True)
class Example:
    """A question in words, and the address of its answer."""

    words: str
    href: str


def page(
    view: View,
    *,
    counts: dict[str, int],
    triples: int,
    created: str | None,
    root: str,
    catalogue: Catalogue,
) -> Page:
    """Return the first page of a graph of so many *triples*, of which *counts* are by class."""
    boards = lists.board_rows(_boards(view), view)
    ran = lists.paper_rows(_papers_that_ran(view), view)
    return Page(
        "paperkg",
        "home.html",
        {
            "counts": [
                (counts.get(KG + name, 0), words, view.addresses.here(path))
                for name, words, path in _COUNTED
            ],
            "triples": triples,
            "created": created,
            "boards": boards,
            "papers": ran,
            "examples": _examples(view, boards, ran, catalogue),
            "licence": view.link(void.LICENCE),
            "snippets": snippets.of_endpoint(root),
        },
        summary="A knowledge graph of machine-learning papers, their code, datasets and results.",
        licences=(void.LICENCE,),
    )


def _boards(view: View) -> list[str]:
    """Return the leaderboards with most results among those that are looked at."""
    rows = view.rows(
        f"""SELECT ?board (COUNT(*) AS ?n) {{
          {{ SELECT ?board {{ ?result kg:leaderboard ?board }} LIMIT {_READ} }}
        }} GROUP BY ?board ORDER BY DESC(?n) ?board LIMIT 5"""
    )
    return [row["board"].value for row in rows if "board" in row]


def _papers_that_ran(view: View) -> list[str]:
    """Return some papers with samples, those first of which most ran."""
    rows = view.rows(
        f"""SELECT ?paper (COUNT(*) AS ?n) {{
          {{ SELECT ?sample {{ ?sample kg:verificationLevel ?level FILTER(?level > 0) }}
            LIMIT {_READ} }}
          ?link kg:sample ?sample . ?paper kg:sampleLink ?link
        }} GROUP BY ?paper ORDER BY DESC(?n) ?paper LIMIT 5"""
    )
    return [row["paper"].value for row in rows if "paper" in row]


def _examples(
    view: View, boards: list[lists.BoardRow], papers: list[lists.PaperRow], catalogue: Catalogue
) -> list[Example]:
    """Return questions that have an answer in this graph."""
    found = []

    def add(words: str, query: str, **given: str) -> None:
        if query in catalogue.queries:
            address = view.addresses.here(f"/queries/{query}")
            found.append(Example(words, f"{address}?{urlencode(given)}" if given else address))

    for board in boards[:1]:
        add(
            f"Who leads {board.board.text}?",
            "leaderboard",
            leaderboard=_key(board.board.href, "leaderboard"),
        )
    for paper in papers[:1]:
        key = _key(paper.paper.href, "paper")
        add(
            f"Which code samples of “{paper.paper.text}” were run, and what came of it?",
            "paper-samples",
            paper=key,
        )
        add(f"Where is the code of “{paper.paper.text}”, official first?", "paper-code", paper=key)
    add("Which papers have a code sample that ran?", "papers-that-ran")
    add("Which frameworks is the linked code written in?", "frameworks")
    add("Which official code has a permissive licence?", "permissive-code")
    add("Where does the same code stand in several places?", "same-code")
    add("What is missing or odd?", "oddities")
    return found


def _key(href: str | None, kind: str) -> str:
    return (href or "").partition(f"/{kind}/")[2]
