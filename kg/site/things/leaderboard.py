"""The page of a leaderboard: a chart over time, and the results in the archive's order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import urlencode

from kg.site import wording
from kg.site.chart import Point, chart
from kg.site.facts import Facts
from kg.site.page import Page
from kg.site.paging import Paging, number_of
from kg.site.things import entries
from kg.site.things.entries import Entry, Metric, Scores
from kg.site.things.further import statements
from kg.site.things.origin import origins_of
from kg.site.view import View

SHOWN: Final = (
    *("kg:task", "kg:dataset", "kg:metric", "kg:metricOrder"),
    *("foaf:page", "rdfs:seeAlso", "rdfs:label"),
)
_ON_A_PAGE: Final = 100
_COLUMNS: Final = 8
"""Metrics that have a column each."""


def page(thing: Facts, view: View, address: str, given: Mapping[str, str]) -> Page:
    """Return the page of a leaderboard."""
    results = entries.entries(thing.iri, view)
    metrics = entries.metrics(thing.iri, view)
    chosen = _chosen(metrics, given.get("metric"))
    asked = given.get("better") if given.get("better") in ("higher", "lower") else None
    scores = entries.scores(thing.iri, chosen.iri, view) if chosen else {}
    known = entries.known(chosen.iri, view) if chosen else None
    is_higher = {"higher": True, "lower": False}.get(asked or "", known)
    if is_higher is None and chosen is not None:
        is_higher = _by_order(results, scores)
    paging = Paging.of(number_of(given), len(results), _ON_A_PAGE)
    shown = entries.shown(results[paging.first : paging.last], view)
    columns = _columns(metrics, chosen)
    points = _points(results, scores)
    name = view.name(thing.iri)
    return Page(
        name,
        "leaderboard.html",
        {
            "task": view.link(thing.iri_of("kg:task")),
            "dataset": view.link(thing.iri_of("kg:dataset")),
            "pages": [view.link(iri, wording.host(iri)) for iri in thing.iris("foaf:page")],
            "count": len(results),
            "is_cut": len(results) == entries.MOST,
            "metrics": [(one, _query(metric=one.name, better=asked)) for one in metrics],
            "chosen": chosen,
            "columns": columns,
            "further_metrics": len(metrics) > len(columns),
            "chart": chart(points, is_higher_better=is_higher),
            "undated": sum(one.result in scores for one in results) - len(points),
            "is_higher_better": is_higher,
            "is_known": known is not None and asked is None,
            "is_asked": asked is not None,
            "directions": [
                (word, _query(metric=chosen.name, better=word)) for word in ("higher", "lower")
            ]
            if chosen
            else [],
            "rows": shown,
            "has_code": entries.with_code(shown, view),
            "link": view.link,
            "paging": paging,
            "query": _query(metric=given.get("metric"), better=asked),
            "records": origins_of(results[0].result, view) if results else [],
            "further": statements(thing, view, SHOWN),
            "slug": thing.text("kg:slug"),
            "metric_name": chosen.name if chosen else None,
        },
        summary=f"{wording.count(len(results), 'result')} of {name}, in the archive's order.",
        iri=thing.iri,
    )


def _chosen(metrics: Sequence[Metric], name: str | None) -> Metric | None:
    return next((one for one in metrics if one.name == name), metrics[0] if metrics else None)


def _columns(metrics: Sequence[Metric], chosen: Metric | None) -> list[Metric]:
    first = list(metrics[:_COLUMNS])
    return [chosen, *first[:-1]] if chosen and chosen not in first else first


def _by_order(results: Sequence[Entry], scores: Scores) -> bool | None:
    """Say whether the archive's order puts higher values of a metric first, or lower ones.

    None where it does neither: it may go by another metric.
    """
    values = [
        scores[one.result][1] for one in results if one.rank is not None and one.result in scores
    ]
    if len(values) < 2 or values[0] == values[-1]:
        return None
    if values == sorted(values, reverse=True):
        return True
    return False if values == sorted(values) else None


def _points(results: Sequence[Entry], scores: Scores) -> list[Point]:
    return [
        Point(day, value, one.model, reported, wording.day(one.date))
        for one in results
        if one.result in scores and (day := wording.day_number(one.date)) is not None
        for reported, value in (scores[one.result],)
    ]


def _query(**given: str | None) -> str:
    chosen = {name: value for name, value in given.items() if value}
    return f"?{urlencode(chosen)}" if chosen else ""
