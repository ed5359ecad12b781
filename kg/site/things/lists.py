"""Papers and leaderboards as rows of tables, and bounded lists of things."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kg.site import wording
from kg.site.facts import Facts
from kg.site.view import Link, View

READ: Final = 1000
"""Things that a list looks at, where it has no other bound."""

SHOWN: Final = 50
"""Things that a list shows."""


@dataclass(frozen=True, slots=True)
class PaperRow:
    """A paper in a list, with the number of samples that are linked to it."""

    paper: Link
    date: str
    venue: str
    has_code: bool
    samples: int


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A leaderboard in a list, with the number of its results, and of the first of them its scores.

    A score is what was reported, and the name of the metric.
    """

    board: Link
    task: Link
    dataset: Link
    results: int
    model: str
    scores: tuple[tuple[str, str], ...]


def paper_rows(iris: Sequence[str], view: View) -> list[PaperRow]:
    """Return papers as rows, in the order in which they are given."""
    # What leads elsewhere is only counted, so no names of it are looked up.
    excerpt = view.said(iris, "dct:title", "dct:issued", "kg:venue", "kg:venueYear")
    linked = {"kg:codeLink": set[str](), "kg:sampleLink": set[str]()}
    samples: Counter[str] = Counter()
    nodes = " ".join(f"<{iri}>" for iri in iris)
    for property_, found in linked.items():
        for row in view.rows(
            f"SELECT ?paper ?link {{ VALUES ?paper {{ {nodes} }} ?paper {property_} ?link }}"
        ):
            found.add(row["paper"].value)
            samples[row["paper"].value] += property_ == "kg:sampleLink"
    view.learn(iris)
    return [
        _paper_row(excerpt.of(iri), iri in linked["kg:codeLink"], samples[iri], view)
        for iri in iris
    ]


def _paper_row(paper: Facts, has_code: bool, samples: int, view: View) -> PaperRow:
    venue = " ".join(filter(None, (paper.text("kg:venue"), paper.text("kg:venueYear"))))
    date = wording.day(paper.text("dct:issued") or "")
    return PaperRow(view.link(paper.iri), date, venue, has_code, samples)


def board_rows(iris: Sequence[str], view: View) -> list[BoardRow]:
    """Return leaderboards as rows, in the order in which they are given."""
    if not iris:
        return []
    excerpt = view.said(iris, "kg:task", "kg:dataset")
    counts = _result_counts(iris, view)
    view.learn(iris)
    first = _first_results(iris, view)
    return [
        BoardRow(
            view.link(iri),
            view.link(excerpt.of(iri).iri_of("kg:task")),
            view.link(excerpt.of(iri).iri_of("kg:dataset")),
            counts.get(iri, 0),
            *first.get(iri, ("", ())),
        )
        for iri in iris
    ]


def largest_boards(iris: Sequence[str], view: View) -> list[BoardRow]:
    """Return those of some leaderboards that have most results as rows."""
    if not iris:
        return []
    counts = _result_counts(iris, view)
    return board_rows(sorted(iris, key=lambda iri: (-counts.get(iri, 0), iri))[:SHOWN], view)


def _result_counts(iris: Sequence[str], view: View) -> dict[str, int]:
    nodes = " ".join(f"<{iri}>" for iri in iris)
    rows = view.rows(
        f"""SELECT ?board (COUNT(?result) AS ?n) {{
          VALUES ?board {{ {nodes} }} ?result kg:leaderboard ?board
        }} GROUP BY ?board"""
    )
    return {row["board"].value: int(row["n"].value) for row in rows}


def _first_results(
    boards_: Sequence[str], view: View
) -> dict[str, tuple[str, tuple[tuple[str, str], ...]]]:
    """Return of each leaderboard the model that is first in the archive's order, and its scores."""
    nodes = " ".join(f"<{iri}>" for iri in boards_)
    rows = view.rows(
        f"""SELECT ?board ?result {{
          VALUES ?board {{ {nodes} }}
          ?result kg:leaderboard ?board . ?result kg:archiveRank ?rank FILTER(?rank = 1)
        }}"""
    )
    first: dict[str, str] = {}
    for row in sorted(rows, key=lambda row: row["result"].value):
        first.setdefault(row["board"].value, row["result"].value)
    results = view.said(list(first.values()), "kg:modelName", "kg:measurement")
    # By a list of measurements: in one pattern the engine would read every measurement there is.
    measured = view.said(
        [iri for result in first.values() for iri in results.of(result).iris("kg:measurement")],
        *("kg:metric", "kg:rawValue"),
    )
    return {
        board: (
            results.of(result).text("kg:modelName") or "",
            tuple(
                (score, view.name(one.iri_of("kg:metric") or ""))
                for one in map(measured.of, results.of(result).iris("kg:measurement")[:3])
                if (score := one.text("kg:rawValue"))
            ),
        )
        for board, result in first.items()
    }


def some(pattern: str, view: View, most: int = SHOWN) -> tuple[list[str], bool]:
    """Return the things that *pattern* binds to ``?thing``, and whether there are more."""
    rows = view.rows(f"SELECT DISTINCT ?thing {{ {pattern} }} LIMIT {most + 1}")
    found = [row["thing"].value for row in rows]
    return found[:most], len(found) > most
