"""The status and the members that each error of ours has as a problem."""

from __future__ import annotations

import pytest

from kg.errors import (
    AnswerError,
    AnswerLimitError,
    BusyError,
    DeadlineError,
    KgError,
    LimitError,
    MemoryLimitError,
    ParameterError,
    QueryError,
    ServiceError,
    UsageError,
    WorkerDiedError,
)
from kg.protocol import ProblemError


@pytest.mark.parametrize(
    ("error", "status", "members"),
    [
        (UsageError("e"), 400, {}),
        (ParameterError("p", "e"), 400, {"parameter": "p"}),
        (QueryError("e", line=1, column=2), 400, {"line": 1, "column": 2}),
        (
            LimitError("e", limit="--nesting", line=1, column=2),
            400,
            {"line": 1, "column": 2, "limit": "--nesting"},
        ),
        (LimitError("e", limit="--query-length"), 413, {"limit": "--query-length"}),
        (AnswerError("e"), 406, {}),
        (AnswerLimitError("e", limit="--row-limit"), 500, {"limit": "--row-limit"}),
        (MemoryLimitError("e", limit="--memory-limit"), 500, {"limit": "--memory-limit"}),
        (WorkerDiedError("e"), 500, {}),
        (ServiceError("e"), 502, {}),
        (DeadlineError("e", limit="--time-limit"), 504, {"limit": "--time-limit"}),
        (BusyError("e", retry_after=7), 503, {}),
    ],
)
def test_an_error_has_its_status_and_members(
    error: KgError, status: int, members: dict[str, object]
) -> None:
    problem = ProblemError.of(error)
    assert (problem.status, problem.detail, problem.members) == (status, "e", members)


def test_whoever_finds_no_room_is_told_when_to_come_again() -> None:
    problem = ProblemError.of(BusyError("e", retry_after=7))
    assert problem.headers == {"Retry-After": "7"}
    assert problem.response([]).headers["Retry-After"] == "7"
