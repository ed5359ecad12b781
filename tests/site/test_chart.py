"""Where the marks of a chart stand."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.site import chart as charts
from kg.site.chart import Point, best, chart

START = date(2018, 1, 1).toordinal()


def points(*pairs: tuple[int, str]) -> list[Point]:
    return [
        Point(START + day, Decimal(value), f"m{n}", value, "then")
        for n, (day, value) in enumerate(pairs)
    ]


def test_the_best_so_far_are_those_better_than_all_before() -> None:
    given_ = points((0, "1"), (10, "3"), (5, "2"), (20, "3"), (30, "2.5"), (40, "4"))
    assert [one.name for one in best(given_, is_higher_better=True)] == ["m0", "m2", "m1", "m5"]
    assert [one.name for one in best(given_, is_higher_better=False)] == ["m0"]


def test_of_one_day_only_the_best_counts() -> None:
    assert [one.name for one in best(points((0, "1"), (0, "2")), is_higher_better=True)] == ["m1"]


@pytest.mark.parametrize("given_", [[], points((0, "1")), points((3, "1"), (3, "2"))])
def test_one_day_is_no_course_of_time(given_: list[Point]) -> None:
    assert chart(given_, is_higher_better=True) is None


def test_without_a_direction_there_is_no_line() -> None:
    drawn = chart(points((0, "1"), (9, "2")), is_higher_better=None)
    assert drawn is not None
    assert (drawn.line, drawn.labels) == ("", ())
    assert not any(mark.is_best for mark in drawn.points)


def test_axes_have_round_numbers_and_years() -> None:
    drawn = chart(points((0, "71.3"), (400, "88.6"), (1500, "90.2")), is_higher_better=True)
    assert drawn is not None
    assert [mark.text for mark in drawn.values] == ["70", "75", "80", "85", "90", "95"]
    assert [mark.text for mark in drawn.days] == ["2018", "2019", "2020", "2021", "2022"]


@pytest.mark.parametrize(
    ("low", "high", "shown"),
    [
        ("0.001", "0.004", ["0.001", "0.002", "0.003", "0.004"]),
        ("-3", "5", ["-4", "-2", "0", "2", "4", "6"]),
        ("7", "7", None),
        ("1e12", "5e12", None),
    ],
)
def test_ticks_enclose_the_values(low: str, high: str, shown: list[str] | None) -> None:
    drawn = chart(points((0, low), (400, high)), is_higher_better=True)
    assert drawn is not None
    texts = [mark.text for mark in drawn.values]
    assert shown in (None, texts)
    assert len(texts) == len(set(texts))


values = st.decimals("-1e9", "1e9", allow_nan=False, places=4)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 4000), values), min_size=2, max_size=60),
    st.sampled_from([True, False, None]),
)
def test_every_mark_stands_within_the_plane(
    pairs: list[tuple[int, Decimal]], is_higher_better: bool | None
) -> None:
    given_ = [Point(START + day, value, "m", str(value), "") for day, value in pairs]
    drawn = chart(given_, is_higher_better=is_higher_better)
    if drawn is None:
        assert len({day for day, _ in pairs}) < 2
        return
    for mark in (*drawn.points, *drawn.labels):
        assert charts.LEFT - 5 <= mark.x <= charts.WIDTH - charts.RIGHT
        assert 0 <= mark.y <= charts.HEIGHT - charts.BOTTOM
    assert 2 <= len(drawn.values) <= 8


def test_more_points_than_can_be_told_apart_are_not_drawn() -> None:
    many = points(*((n % 900, "1") for n in range(2000)), (1000, "2"))
    drawn = chart(many, is_higher_better=True)
    assert drawn is not None
    assert len(drawn.points) == charts.MOST_POINTS + 2
    assert sum(mark.is_best for mark in drawn.points) == 2


def test_the_labels_of_the_best_do_not_overlap() -> None:
    steps = points(*((n * 10, str(n)) for n in range(100)))
    drawn = chart(steps, is_higher_better=True)
    assert drawn is not None
    ends = [(mark.x + (150 if mark.anchor == "start" else 0), mark.y) for mark in drawn.labels]
    assert len(drawn.labels) >= 4
    for n, (x, y) in enumerate(ends):
        for other_x, other_y in ends[n + 1 :]:
            assert abs(x - other_x) > 100 or abs(y - other_y) > 15


def test_a_day_of_a_year_or_month_is_its_first() -> None:
    assert date(2021, 1, 1) + timedelta(days=165) == date(2021, 6, 15)
