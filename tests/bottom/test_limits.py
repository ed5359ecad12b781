from __future__ import annotations

import math

import pytest

from kg.errors import UsageError
from kg.limits import DEEPEST, LEAST_MEMORY, Limits


def test_every_limit_has_an_option_and_a_unit_of_its_own() -> None:
    shown = Limits().shown()
    assert shown.keys() == set(Limits.__slots__)
    options = [limit.option for limit in shown.values()]
    assert all(option.startswith("--") for option in options)
    assert len(set(options)) == len(options)
    assert all(limit.unit for limit in shown.values())


def test_a_limit_is_shown_as_it_is() -> None:
    shown = Limits(workers=3, rows=7).shown()
    assert shown["workers"] == ("--workers", 3, "queries")
    assert shown["rows"] == ("--row-limit", 7, "rows")
    assert shown["answer_bytes"] == ("--answer-limit", None, "bytes")


def test_by_default_two_queries_are_evaluated_at_least() -> None:
    assert Limits().workers >= 2


@pytest.mark.parametrize(
    ("values", "option"),
    [
        ({"seconds": 0}, "--time-limit"),
        ({"seconds": math.nan}, "--time-limit"),
        ({"seconds": math.inf}, "--time-limit"),
        ({"queue_seconds": -1}, "--queue-time"),
        ({"queue": -1}, "--queue"),
        ({"workers": 0}, "--workers"),
        ({"memory": LEAST_MEMORY - 1}, "--memory-limit"),
        ({"rows": 0}, "--row-limit"),
        ({"answer_bytes": 0}, "--answer-limit"),
        ({"query_bytes": 0}, "--query-length"),
        ({"nesting": 0}, "--nesting"),
        ({"nesting": DEEPEST + 1}, "--nesting"),
        ({"patterns": 0}, "--patterns"),
        ({"rows": 1_000, "answer_bytes": 999}, "--row-limit 1,000 cannot be reached"),
    ],
)
def test_what_cannot_be_or_contradicts_itself_is_refused(
    values: dict[str, float], option: str
) -> None:
    with pytest.raises(UsageError, match=f"^{option}"):
        Limits(**values)  # type: ignore[arg-type]


def test_what_is_just_not_too_little_is_accepted() -> None:
    Limits(0.1, 0, 0, 1, LEAST_MEMORY, 1, 1, 1, 1, 1)
    Limits(nesting=DEEPEST, rows=1_000, answer_bytes=1_000)
