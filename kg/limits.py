"""What one query may take, and what all at once may: every limit with the option that sets it."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, fields
from typing import Any, Final, NamedTuple

from kg.errors import UsageError

LEAST_MEMORY: Final = 64 << 20
"""Bytes without which a worker answers nothing of any size."""

DEEPEST: Final = 5_000
"""How deep brackets may be allowed to nest: with more the engine overflows any stack."""


class Shown(NamedTuple):
    """A limit as people are told it: the *option* that sets it, its *value* and *unit*.

    The value None means that there is no such limit.
    """

    option: str
    value: float | None
    unit: str


def _cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _limit(default: float | None, option: str, unit: str, least: float) -> Any:
    return field(default=default, metadata={"option": option, "unit": unit, "least": least})


@dataclass(frozen=True, slots=True)
class Limits:
    """What one query, and all at once, may take.

    Raises :class:`~kg.errors.UsageError` for values that cannot be, or that contradict each other.
    """

    seconds: float = _limit(30.0, "--time-limit", "s", 0.1)
    """From the moment that a worker gets the query until the last byte of the answer has gone."""

    queue_seconds: float = _limit(10.0, "--queue-time", "s", 0)
    """How long a query may wait for a worker."""

    queue: int = _limit(32, "--queue", "queries", 0)
    """How many queries may wait for a worker; one more is turned away at once."""

    workers: int = field(
        default_factory=lambda: max(2, 2 * _cores()),
        metadata={"option": "--workers", "unit": "queries", "least": 1},
    )
    """How many queries are evaluated at once, each in a process of its own.

    Twice the cores that there are: those that take long leave room to those that do not.
    """

    memory: int = _limit(1 << 30, "--memory-limit", "bytes", LEAST_MEMORY)
    """What a worker may use above what the store takes in it (kept on Linux only)."""

    rows: int | None = _limit(None, "--row-limit", "rows", 1)
    """How many solutions an answer may have, or triples where it is a graph."""

    answer_bytes: int | None = _limit(None, "--answer-limit", "bytes", 1)
    """How long an answer may be."""

    query_bytes: int = _limit(1 << 20, "--query-length", "bytes", 1)
    """How long a query may be, in UTF-8."""

    nesting: int = _limit(200, "--nesting", "levels", 1)
    """How deep the brackets of a query may nest."""

    patterns: int = _limit(100, "--patterns", "patterns", 1)
    """How many triple patterns may be joined: the engine plans them all at once, and slowly."""

    def __post_init__(self) -> None:
        for one in fields(self):
            value, least = getattr(self, one.name), one.metadata["least"]
            # Written so that it is wrong for NaN too.
            if value is not None and not least <= value < float("inf"):
                option, unit = one.metadata["option"], one.metadata["unit"]
                raise UsageError(f"{option} is at least {least:,} {unit}, and not {value:,}")
        if self.nesting > DEEPEST:
            raise UsageError(
                f"--nesting is at most {DEEPEST:,} levels: the engine survives no more"
            )
        # A row is a line end at least.
        if (self.rows or 0) > (self.answer_bytes or float("inf")):
            raise UsageError(
                f"--row-limit {self.rows:,} cannot be reached within --answer-limit"
                f" {self.answer_bytes:,} (bytes); raise the second or lower the first"
            )

    def shown(self) -> dict[str, Shown]:
        """Return every limit by the name of its field.

        >>> Limits(seconds=5).shown()["seconds"]
        Shown(option='--time-limit', value=5, unit='s')
        """
        return {
            one.name: Shown(one.metadata["option"], getattr(self, one.name), one.metadata["unit"])
            for one in fields(self)
        }
