"""The page of a leaderboard: a chart over time, and the results in the archive's order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final
from urllib.parse import urlencode

from kg.site import wording
from kg.site.chart import Point, chart
from kg.site.facts import Facts, Row
from kg.site.page import Page
from kg.site.paging import Paging, number_of
from kg.site.things.further import statements
from kg.site.things.measured import number
from kg.site.things.origin import origins_of
from kg.site.view import Link, View

SHOWN: Final = ("kg:task", "kg:dataset", "foaf:page", "rdfs:seeAlso", "rdfs:label")
MOST: Final = 3000
"""Results of one leaderboard that are read; the largest of the archive has about a thousand."""

_ON_A_PAGE: Final = 100
_COLUMNS: Final = 8
"""Metrics that have a column each."""


@dataclass(slots=True)
class Entry:
    """One result: *rank* is its place in the archive's order, *day* when it came."""

    result: str
    rank: int | None
    model: str
    paper: str | None
    title: str
    date: str
    uses_additional_data: bool | None
    texts: dict[str, str] = field(default_factory=dict)
    values: dict[str, Decimal] = field(default_factory=dict)


def page(thing: Facts, view: View, address: str, given: Mapping[str, str]) -> Page:
    """Return the page of a leaderboard."""
    entries = _entries(thing.iri, view)
    metrics = _metrics(entries, view)
    chosen = _chosen(metrics, given.get("metric"))
    asked = given.get("better") if given.get("better") in ("higher", "lower") else None
    known = _known(chosen.iri, view) if chosen else None
    is_higher = {"higher": True, "lower": False}.get(asked or "", known)
    if is_higher is None and chosen is not None:
        is_higher = _by_order(entries, chosen.iri)
    paging = Paging.of(number_of(given), len(entries), _ON_A_PAGE)
    shown = entries[paging.first : paging.last]
    columns = _columns(metrics, chosen)
    name = view.name(thing.iri)
    return Page(
        name,
        "leaderboard.html",
        {
            "task": view.link(thing.iri_of("kg:task")),
            "dataset": view.link(thing.iri_of("kg:dataset")),
            "pages": [view.link(iri, wording.host(iri)) for iri in thing.iris("foaf:page")],
            "count": len(entries),
            "is_cut": len(entries) == MOST,
            "metrics": [(one, _query(metric=one.name, better=asked)) for one in metrics],
            "chosen": chosen,
            "columns": columns,
            "further_metrics": len(metrics) > len(columns),
            "chart": chart(_points(entries, chosen), is_higher_better=is_higher)
            if chosen
            else None,
            "undated": sum(
                1
                for one in entries
                if chosen and chosen.iri in one.values and wording.day_number(one.date) is None
            ),
            "is_higher_better": is_higher,
            "is_known": known is not None and asked is None,
            "is_asked": asked is not None,
            "directions": [
                (word, _query(metric=chosen.name, better=word)) for word in ("higher", "lower")
            ]
            if chosen
            else [],
            "rows": shown,
            "has_code": _with_code(shown, view),
            "link": view.link,
            "paging": paging,
            "query": _query(metric=given.get("metric"), better=asked),
            "records": origins_of(entries[0].result, view) if entries else [],
            "further": statements(thing, view, SHOWN),
            "slug": thing.text("kg:slug"),
            "metric_name": chosen.name if chosen else None,
        },
        summary=f"{wording.count(len(entries), 'result')} of {name}, in the archive's order.",
        iri=thing.iri,
    )


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric of a leaderboard, by which so many *results* were measured."""

    iri: str
    name: str
    link: Link
    results: int


def _entries(iri: str, view: View) -> list[Entry]:
    # Small blocks, each from ?result on: in one block the engine would read every measurement.
    rows = view.rows(
        f"""SELECT ?result ?rank ?model ?extra ?paper ?title ?given ?own ?issued {{
          {{ SELECT ?result {{ ?result kg:leaderboard <{iri}> }} LIMIT {MOST} }}
          OPTIONAL {{ ?result kg:archiveRank ?rank }}
          OPTIONAL {{ ?result kg:modelName ?model }}
          OPTIONAL {{ ?result kg:usesAdditionalData ?extra }}
          OPTIONAL {{ ?result kg:paperTitle ?given }}
          OPTIONAL {{ ?result dct:issued ?own }}
          OPTIONAL {{ ?result kg:paper ?paper }}
          OPTIONAL {{ ?result kg:paper/dct:title ?title }}
          OPTIONAL {{ ?result kg:paper/dct:issued ?issued }}
        }}"""
    )
    entries = {row["result"].value: _entry(row) for row in rows}
    for row in view.rows(
        f"""SELECT ?result ?metric ?raw ?value {{
          ?result kg:leaderboard <{iri}> .
          OPTIONAL {{ ?result kg:measurement ?m . ?m kg:metric ?metric ; kg:rawValue ?raw }}
          OPTIONAL {{ ?result kg:measurement ?m . ?m kg:value ?value }}
        }}"""
    ):
        entry = entries.get(row["result"].value)
        if entry is None or "metric" not in row:
            continue
        entry.texts.setdefault(row["metric"].value, row["raw"].value)
        value = number(row["value"].value) if "value" in row else None
        if value is not None:
            entry.values.setdefault(row["metric"].value, value)
    return sorted(
        entries.values(),
        key=lambda one: (one.rank is None, one.rank or 0, one.model.casefold(), one.result),
    )


def _entry(row: Row) -> Entry:
    def text(*names: str) -> str | None:
        return next((row[name].value for name in names if name in row), None)

    rank = text("rank")
    return Entry(
        row["result"].value,
        int(rank) if rank is not None else None,
        text("model") or "result",
        text("paper"),
        text("title", "given") or "",
        text("own", "issued") or "",
        {"true": True, "false": False}.get(text("extra") or ""),
    )


def _metrics(entries: Sequence[Entry], view: View) -> list[Metric]:
    """Return the metrics, those by which most results were measured first."""
    counted = Counter(iri for entry in entries for iri in entry.texts)
    view.learn(counted)
    found = [Metric(iri, view.name(iri), view.link(iri), n) for iri, n in counted.items()]
    return sorted(found, key=lambda one: (-one.results, one.name.casefold(), one.name))


def _chosen(metrics: Sequence[Metric], name: str | None) -> Metric | None:
    return next((one for one in metrics if one.name == name), metrics[0] if metrics else None)


def _columns(metrics: Sequence[Metric], chosen: Metric | None) -> list[Metric]:
    first = list(metrics[:_COLUMNS])
    return [chosen, *first[:-1]] if chosen and chosen not in first else first


def _known(metric: str, view: View) -> bool | None:
    return view.said([metric]).of(metric).flag("kg:higherIsBetter")


def _by_order(entries: Sequence[Entry], metric: str) -> bool | None:
    """Say whether the archive's order puts higher values of a metric first, or lower ones.

    None where it does neither: it may go by another metric.
    """
    values = [
        one.values[metric] for one in entries if one.rank is not None and metric in one.values
    ]
    if len(values) < 2 or values[0] == values[-1]:
        return None
    if values == sorted(values, reverse=True):
        return True
    return False if values == sorted(values) else None


def _points(entries: Sequence[Entry], metric: Metric) -> list[Point]:
    return [
        Point(day, one.values[metric.iri], one.model, one.texts[metric.iri], wording.day(one.date))
        for one in entries
        if metric.iri in one.values and (day := wording.day_number(one.date)) is not None
    ]


def _with_code(entries: Sequence[Entry], view: View) -> set[str]:
    """Return the papers among *entries* to which code is linked."""
    papers = {one.paper for one in entries if one.paper}
    if not papers:
        return set()
    nodes = " ".join(f"<{iri}>" for iri in sorted(papers))
    found = view.rows(f"SELECT DISTINCT ?p {{ VALUES ?p {{ {nodes} }} ?p kg:codeLink ?link }}")
    return {row["p"].value for row in found}


def _query(**given: str | None) -> str:
    chosen = {name: value for name, value in given.items() if value}
    return f"?{urlencode(chosen)}" if chosen else ""
