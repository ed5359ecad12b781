"""How long to wait before a query is sent again."""

from __future__ import annotations

import random
import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

ATTEMPTS: Final = 4
"""How often a query is sent, the first time included."""

LONGEST: Final = 60.0
"""Seconds beyond which nobody is made to wait; a server that asks for more is left alone."""

_FIRST: Final = 0.5
_DIGITS: Final = re.compile(r"[0-9]{1,9}", re.ASCII)


def retry_after(value: str | None, now: datetime | None = None) -> float | None:
    """Return how many seconds a Retry-After header means, None for none (RFC 9110, 10.2.3).

    >>> retry_after("120"), retry_after("soon"), retry_after(None)
    (120.0, None, None)
    """
    text = (value or "").strip()
    if _DIGITS.fullmatch(text):
        return float(text)
    try:
        at = parsedate_to_datetime(text)
    except ValueError:
        return None
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return max(0.0, (at - (now or datetime.now(UTC))).total_seconds())


def pause(attempt: int, told: float | None) -> float:
    """Return how many seconds to wait after the *attempt*, the first of which is 0.

    It doubles each time, and differs by chance, so that those who were turned away together do not
    come back together. What the server has *told* is waited at least.
    """
    longest = _FIRST * 2**attempt
    chosen = random.uniform(longest / 2, longest)  # noqa: S311  it is no secret
    return max(chosen, told or 0.0)
