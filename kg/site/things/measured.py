"""The scores of a result."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from kg.site.facts import Facts
from kg.site.view import Link, View


@dataclass(frozen=True, slots=True)
class Score:
    """What one metric gave: the *text* of the record, and the number that it reads as, if any."""

    metric: Link
    iri: str
    text: str
    value: Decimal | None
    unit: str | None = None
    uncertainty: str | None = None
    anchor: str | None = None


def scores(result: Facts, view: View) -> tuple[Score, ...]:
    """Return the scores of a result, by the names of their metrics."""
    found = [
        Score(
            view.link(metric),
            metric,
            measurement.text("kg:rawValue") or "",
            number(measurement.text("kg:value")),
            measurement.text("kg:unit"),
            measurement.text("kg:uncertainty"),
            measurement.iri.partition("#")[2] or None,
        )
        for measurement in result.parts("kg:measurement")
        for metric in measurement.iris("kg:metric")
    ]
    return tuple(sorted(found, key=lambda score: score.metric.text.casefold()))


def number(text: str | None) -> Decimal | None:
    """Return a decimal of the graph, or None where there is none."""
    try:
        return Decimal(text) if text is not None else None
    except InvalidOperation:
        return None
