"""Scores over time as a chart: places on a plane of fixed size, for a template to draw as SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Final

WIDTH: Final = 760
HEIGHT: Final = 340
LEFT: Final = 56
RIGHT: Final = 24
TOP: Final = 20
BOTTOM: Final = 36

MOST_POINTS: Final = 400
"""Points of the line that are drawn, and others: more cannot be told apart, and take long."""

_MOST_LABELS: Final = 8
_LABEL_WIDTH: Final = 150
_LABEL_HEIGHT: Final = 16
_LETTERS: Final = 22


@dataclass(frozen=True, slots=True)
class Point:
    """A score of something called *name*, that came on a *day* (as an ordinal of the calendar)."""

    day: int
    value: Decimal
    name: str
    text: str
    date: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A point on the plane, or a tick of an axis at *x* or *y*, with its *text*."""

    x: float
    y: float
    text: str
    is_best: bool = False
    anchor: str = "end"


@dataclass(frozen=True, slots=True)
class Chart:
    """What is drawn: *points*, the *line* of the best so far, *labels* of some, and two axes."""

    points: tuple[Mark, ...]
    line: str
    labels: tuple[Mark, ...]
    days: tuple[Mark, ...]
    values: tuple[Mark, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    bottom: int = HEIGHT - BOTTOM


def best(points: Sequence[Point], *, is_higher_better: bool) -> list[Point]:
    """Return the points that were better, when they came, than all before them, in order.

    Of points that came on one day the best counts.
    """
    sign = 1 if is_higher_better else -1
    found: list[Point] = []
    for point in sorted(points, key=lambda one: (one.day, -sign * one.value, one.name)):
        if not found or sign * point.value > sign * found[-1].value:
            found.append(point)
    return found


def chart(points: Sequence[Point], *, is_higher_better: bool | None) -> Chart | None:
    """Return the chart of *points*, or None where there are no two days to join.

    Where it *is_higher_better*, or lower (False), a line joins the best so far; where nobody knows
    there is none.
    """
    if len({point.day for point in points}) < 2:
        return None
    frontier = (
        best(points, is_higher_better=is_higher_better) if is_higher_better is not None else []
    )[-MOST_POINTS:]
    are_best = set(frontier)
    kept = frontier + [point for point in points if point not in are_best][:MOST_POINTS]
    days = [point.day for point in kept]
    values = [float(point.value) for point in kept]
    across = _Scale(min(days), max(days), LEFT + 8, WIDTH - RIGHT - 8)
    steps = _steps(min(values), max(values))
    up = _Scale(steps[0], steps[-1], HEIGHT - BOTTOM, TOP)

    def mark(point: Point, text: str) -> Mark:
        place = (across.at(point.day), up.at(float(point.value)))
        return Mark(*place, text, point in are_best)

    return Chart(
        tuple(mark(one, f"{one.name}: {one.text}, {one.date}") for one in kept),
        _line([mark(one, "") for one in frontier], WIDTH - RIGHT),
        _labels([mark(one, one.name) for one in frontier]),
        tuple(Mark(across.at(day), 0, text) for day, text in _dates(min(days), max(days))),
        tuple(Mark(0, up.at(step), _number(step, steps)) for step in steps),
    )


@dataclass(frozen=True, slots=True)
class _Scale:
    first: float
    last: float
    start: float
    end: float

    def at(self, value: float) -> float:
        share = (value - self.first) / (self.last - self.first or 1)
        return round(self.start + share * (self.end - self.start), 1)


def _line(marks: Sequence[Mark], end: float) -> str:
    """Return the path of the best so far: level until a better one comes."""
    if not marks:
        return ""
    parts = [f"M{marks[0].x} {marks[0].y}"]
    parts += [f"H{mark.x}V{mark.y}" for mark in marks[1:]]
    return "".join([*parts, f"H{end}"])


def _labels(marks: Sequence[Mark]) -> tuple[Mark, ...]:
    """Return the names of the best that find room, the last ones first.

    A name ends at its point, above it; one that would begin outside begins at its point.
    """
    placed: list[Mark] = []
    ends: list[float] = []  # where the placed names end on the right
    for mark in reversed(marks):
        text = mark.text if len(mark.text) <= _LETTERS else f"{mark.text[: _LETTERS - 1]}…"
        is_near_edge = mark.x < LEFT + _LABEL_WIDTH
        end = mark.x + _LABEL_WIDTH if is_near_edge else mark.x
        y = max(mark.y - 9, TOP - 6)
        if len(placed) < _MOST_LABELS and all(
            abs(end - other) > _LABEL_WIDTH or abs(y - one.y) > _LABEL_HEIGHT
            for one, other in zip(placed, ends, strict=True)
        ):
            x = mark.x - 4 if is_near_edge else mark.x
            placed.append(Mark(x, y, text, anchor="start" if is_near_edge else "end"))
            ends.append(end)
    return tuple(placed)


def _steps(low: float, high: float) -> list[float]:
    """Return round numbers from below *low* to above *high*, four to eight of them."""
    span = (high - low) or abs(high) or 1.0
    rough = span / 4
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * one for one in (1, 2, 2.5, 5, 10) if power * one >= rough)
    first, last = math.floor(low / step), math.ceil(high / step)
    if first == last:
        last += 1
    return [round(n * step, 12) for n in range(first, last + 1)]


def _number(value: float, steps: Sequence[float]) -> str:
    step = steps[1] - steps[0]
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    if digits < 6 and round(step, digits) != round(step, 9):  # 2.5 needs one digit more
        digits += 1
    return f"{value:,.{min(digits, 9)}f}" if abs(value) < 1e9 else f"{value:.3g}"


def _dates(first: int, last: int) -> list[tuple[int, str]]:
    """Return the beginnings of years, or three days where the years are too few, in words."""
    years = [
        date(year, 1, 1)
        for year in range(date.fromordinal(first).year, date.fromordinal(last).year + 1)
    ]
    inside = [(day.toordinal(), str(day.year)) for day in years if first <= day.toordinal() <= last]
    if len(inside) >= 3:
        every = math.ceil(len(inside) / 10)
        return inside[::every]
    return [
        (day, date.fromordinal(day).strftime("%Y-%m")) for day in (first, (first + last) // 2, last)
    ]
