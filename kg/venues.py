"""Where a paper was published: the venue, year and month in the archive's one text.

The archive writes them behind one another, the month as a number or not at all: ``ACL 2022 5``,
``Findings (NAACL) 2022 7``, ``ICLR 2020``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_TEXT: Final = re.compile(
    r"\s*(?P<venue>\S.*?)\s+(?P<year>(?:19|20)[0-9]{2})(?:\s+(?P<month>0?[1-9]|1[0-2]))?\s*"
)


@dataclass(frozen=True, slots=True)
class Venue:
    """A venue with the year and, where the text has one, the month; both as xsd:integer writes."""

    name: str
    year: str
    month: str | None


def parse(text: str) -> Venue | None:
    """Return the venue in *text*, or None where it does not read as venue, year and month.

    Nothing is guessed: a text without a year, with a month that is none, or with anything behind
    them is no venue of ours.

    >>> parse("ACL 2022 5")
    Venue(name='ACL', year='2022', month='5')
    >>> parse("ICLR 2020"), parse("ACL 2022 13"), parse("2022 5"), parse("Nature 582")
    (Venue(name='ICLR', year='2020', month=None), None, None, None)
    """
    match = _TEXT.fullmatch(text)
    if match is None:
        return None
    month = match["month"]
    return Venue(match["venue"], match["year"], month and month.lstrip("0"))
