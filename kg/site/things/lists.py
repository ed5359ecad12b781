"""Bounded lists of what points to a thing: papers, leaderboards, samples.

A popular task has tens of thousands of papers. A list here reads at most so many, says where it
does not have all, and leads to the canned query that does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kg.namespaces import KG
from kg.site import wording
from kg.site.facts import Facts
from kg.site.view import Link, View

READ: Final = 1000
"""Things that a list looks at."""

_LOOKED_AT: Final = 3000
"""Things that have a property, that are told apart by their classes."""

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
class Papers:
    """The newest papers of a list that has *count*, or more where it *is_cut*."""

    rows: tuple[PaperRow, ...]
    count: int
    is_cut: bool

    @property
    def counted(self) -> str:
        """How many there are, in words."""
        return (
            f"more than {self.count:,} papers"
            if self.is_cut
            else wording.count(self.count, "paper")
        )


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A leaderboard in a list, with the number of its results and the first of them."""

    board: Link
    task: Link
    dataset: Link
    results: int
    model: str
    score: str


def by_class(property_: str, iri: str, view: View) -> tuple[dict[str, list[str]], bool]:
    """Return the things whose *property_* is *iri* by the local names of their classes.

    Whether there are more than were looked at comes beside them; of those, leaderboards and
    datasets are all there, which are few beside papers and results.
    """
    rows = view.rows(
        f"""SELECT ?thing ?class {{
          {{ SELECT ?thing {{ ?thing {property_} <{iri}> }} LIMIT {_LOOKED_AT + 1} }}
          ?thing a ?class
        }}"""
    )
    found: dict[str, dict[str, None]] = {}
    for row in rows:
        name = row["class"].value.removeprefix(KG)
        found.setdefault(name, {})[row["thing"].value] = None
    is_cut = len({row["thing"].value for row in rows}) > _LOOKED_AT
    for name in ("Dataset", "Leaderboard") if is_cut else ():
        # From the class on: they are fewer than what has the property.
        all_ = view.rows(
            f"SELECT ?thing {{ ?thing a kg:{name} FILTER EXISTS {{ ?thing {property_} <{iri}> }} }}"
        )
        found[name] = dict.fromkeys(row["thing"].value for row in all_)
    return {name: list(iris) for name, iris in found.items()}, is_cut


def papers(pattern: str, view: View) -> Papers:
    """Return the papers that *pattern* binds to ``?paper``, the newest of those that are read."""
    rows = view.rows(f"SELECT DISTINCT ?paper {{ {pattern} }} LIMIT {READ + 1}")
    iris = [row["paper"].value for row in rows]
    return newest(iris, view, is_cut=len(iris) > READ)


def newest(iris: Sequence[str], view: View, *, is_cut: bool = False) -> Papers:
    """Return the newest of some papers, of which at most :data:`READ` are read.

    There are more than are given where the list *is_cut*.
    """
    is_cut = is_cut or len(iris) > READ
    iris = iris[:READ]
    excerpt = view.said(iris, "dct:issued")
    dates = {iri: excerpt.of(iri).text("dct:issued") or "" for iri in iris}
    shown = sorted(dates, key=lambda iri: (dates[iri], iri), reverse=True)[:SHOWN]
    return Papers(tuple(paper_rows(shown, view)), len(iris), is_cut)


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


def board_rows(iris: Sequence[str], view: View, *, by_results: bool = True) -> list[BoardRow]:
    """Return leaderboards as rows: those with most results first, or as they are given."""
    if not iris:
        return []
    nodes = " ".join(f"<{iri}>" for iri in iris)
    excerpt = view.said(iris, "kg:task", "kg:dataset")
    counts = {
        row["board"].value: int(row["n"].value)
        for row in view.rows(
            f"""SELECT ?board (COUNT(?result) AS ?n) {{
              VALUES ?board {{ {nodes} }} ?result kg:leaderboard ?board
            }} GROUP BY ?board"""
        )
    }
    view.learn(iris)
    kept = list(iris)
    if by_results:
        kept.sort(key=lambda iri: (-counts.get(iri, 0), view.name(iri).casefold()))
    kept = kept[:SHOWN]
    first = _first_results(kept, view)
    return [
        BoardRow(
            view.link(iri),
            view.link(excerpt.of(iri).iri_of("kg:task")),
            view.link(excerpt.of(iri).iri_of("kg:dataset")),
            counts.get(iri, 0),
            *first.get(iri, ("", "")),
        )
        for iri in kept
    ]


def _first_results(boards_: Sequence[str], view: View) -> dict[str, tuple[str, str]]:
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
            ", ".join(
                f"{view.name(one.iri_of('kg:metric') or '')} {one.text('kg:rawValue')}"
                for one in map(measured.of, results.of(result).iris("kg:measurement")[:3])
            ),
        )
        for board, result in first.items()
    }


def some(pattern: str, view: View, most: int = SHOWN) -> tuple[list[str], bool]:
    """Return the things that *pattern* binds to ``?thing``, and whether there are more."""
    rows = view.rows(f"SELECT DISTINCT ?thing {{ {pattern} }} LIMIT {most + 1}")
    found = [row["thing"].value for row in rows]
    return found[:most], len(found) > most
