"""What a leaderboard holds, as its page reads it: results, metrics, scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, TypeAlias

from kg.site.facts import Row
from kg.site.things.measured import number
from kg.site.view import Link, View

MOST: Final = 2000
"""Results of one leaderboard that are read; the largest of the archive has about a thousand."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One result: *rank* is its place in the archive's order, *date* when it came."""

    result: str
    rank: int | None
    model: str
    date: str


@dataclass(frozen=True, slots=True)
class Shown:
    """A result in the table, and the *link* to its paper; *texts* were reported, by metric."""

    entry: Entry
    paper: str | None
    link: Link
    uses_additional_data: bool | None
    texts: Mapping[str, str]


Scores: TypeAlias = Mapping[str, tuple[str, Decimal]]
"""By result, what was reported by one metric, where it reads as a number."""


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric of a leaderboard, by which so many *results* were measured."""

    iri: str
    name: str
    link: Link
    results: int


# Small blocks, each from ?result on: in one block the engine would read every measurement.
_OF_BOARD: Final = "{{ SELECT ?result {{ ?result kg:leaderboard <{}> }} LIMIT {} }}"
_MEASURED: Final = (
    "OPTIONAL { ?result kg:measurement ?m . ?m kg:metric ?metric ; kg:rawValue ?raw }"
)


def entries(iri: str, view: View) -> list[Entry]:
    """Return the results of a leaderboard in the archive's order, at most :data:`MOST`."""
    rows = view.rows(
        f"""SELECT ?result ?rank ?model ?own ?issued {{
          {_OF_BOARD.format(iri, MOST)}
          OPTIONAL {{ ?result kg:archiveRank ?rank }}
          OPTIONAL {{ ?result kg:modelName ?model }}
          OPTIONAL {{ ?result dct:issued ?own }}
          OPTIONAL {{ ?result kg:paper/dct:issued ?issued }}
        }}"""
    )
    found = {
        row["result"].value: Entry(
            row["result"].value,
            int(rank) if (rank := _text(row, "rank")) is not None else None,
            _text(row, "model") or "result",
            _text(row, "own", "issued") or "",
        )
        for row in rows
    }
    return sorted(
        found.values(),
        key=lambda one: (one.rank is None, one.rank or 0, one.model.casefold(), one.result),
    )


def _text(row: Row, *names: str) -> str | None:
    """Return the value of the first of some variables that a row has."""
    return next((row[name].value for name in names if name in row), None)


def shown(results: Sequence[Entry], view: View) -> list[Shown]:
    """Return what the table tells of some results."""
    if not results:
        return []
    some = f"VALUES ?result {{ {' '.join(f'<{one.result}>' for one in results)} }}"
    told = view.rows(
        f"""SELECT ?result ?extra ?given ?page ?paper ?title {{
          {some}
          OPTIONAL {{ ?result kg:usesAdditionalData ?extra }}
          OPTIONAL {{ ?result kg:paperTitle ?given }}
          OPTIONAL {{ ?result kg:paperPage ?page }}
          OPTIONAL {{ ?result kg:paper ?paper }}
          OPTIONAL {{ ?result kg:paper/dct:title ?title }}
        }}"""
    )
    by_result = {row["result"].value: row for row in told}
    texts: dict[str, dict[str, str]] = {one.result: {} for one in results}
    for row in view.rows(f"SELECT ?result ?metric ?raw {{ {some} {_MEASURED} }}"):
        if "metric" in row:
            texts[row["result"].value].setdefault(row["metric"].value, row["raw"].value)
    return [
        Shown(
            one,
            _text(row, "paper"),
            _paper(row, view),
            {"true": True, "false": False}.get(_text(row, "extra") or ""),
            texts[one.result],
        )
        for one in results
        for row in (by_result[one.result],)
    ]


def _paper(row: Row, view: View) -> Link:
    """Return the link to the paper of a result: here, or else where the record has it."""
    paper, title = _text(row, "paper"), _text(row, "title", "given") or ""
    if paper is not None:
        return view.link(paper, title or None)
    is_address = title.startswith(("https://", "http://")) and " " not in title
    page = _text(row, "page") or (title if is_address else None)
    text = title.partition("//")[2] if is_address else title
    return view.link(page, text or (page or "").partition("//")[2])


def metrics(iri: str, view: View) -> list[Metric]:
    """Return the metrics, those by which most results were measured first."""
    rows = view.rows(
        f"""SELECT ?metric (COUNT(DISTINCT ?result) AS ?n) {{
          {_OF_BOARD.format(iri, MOST)} {_MEASURED}
        }} GROUP BY ?metric"""
    )
    counted = {row["metric"].value: int(row["n"].value) for row in rows if "metric" in row}
    view.learn(counted)
    found = [Metric(iri, view.name(iri), view.link(iri), n) for iri, n in counted.items()]
    return sorted(found, key=lambda one: (-one.results, one.name.casefold(), one.name))


def scores(iri: str, metric: str, view: View) -> Scores:
    """Return the scores of a leaderboard's results by one metric."""
    rows = view.rows(
        f"""SELECT ?result ?raw ?value {{
          {_OF_BOARD.format(iri, MOST)} {_MEASURED}
          OPTIONAL {{ ?result kg:measurement ?m . ?m kg:value ?value }}
          FILTER(?metric = <{metric}>)
        }}"""
    )
    found: dict[str, tuple[str, Decimal]] = {}
    for row in rows:
        value = number(_text(row, "value"))
        if value is not None:
            found.setdefault(row["result"].value, (row["raw"].value, value))
    return found


def known(metric: str, view: View) -> bool | None:
    """Say whether higher is better by a metric, as it says itself; None where it does not."""
    return view.said([metric]).of(metric).flag("kg:higherIsBetter")


def with_code(rows: Sequence[Shown], view: View) -> set[str]:
    """Return the papers of *rows* to which code is linked."""
    papers = {one.paper for one in rows if one.paper}
    if not papers:
        return set()
    nodes = " ".join(f"<{iri}>" for iri in sorted(papers))
    return set(view.iris(f"SELECT DISTINCT ?p {{ VALUES ?p {{ {nodes} }} ?p kg:codeLink ?link }}"))
