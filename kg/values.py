"""Texts of records as canonical XSD lexical forms.

The store writes typed literals in canonical form (``85.50`` becomes ``85.5``), so the mapper does
it first: its triples and the store's are then the same. Each function takes the text as the
record has it and returns the canonical form, or None where the text is no such value.
"""

from __future__ import annotations

import calendar
import re
from datetime import date, datetime
from typing import Final

DECIMAL: Final = re.compile(r"([+-]?)(\d*)(?:\.(\d*))?", re.ASCII)
_INTEGER = re.compile(r"([+-]?)0*(\d+)", re.ASCII)
_EXPONENT = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))[eE]([+-]?\d{1,3})", re.ASCII)
_DATE = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?", re.ASCII)
_DATE_TIME = re.compile(
    r"(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.(\d+))?(Z|[+-]\d{2}:\d{2})?", re.ASCII
)

_TRUE = frozenset({"1", "true"})
_FALSE = frozenset({"0", "false"})


class Number(str):
    """A JSON number as its text, apart from a JSON string that holds the same text."""

    __slots__ = ()


def magnitude(integer: str) -> tuple[int, str]:
    """Return what orders canonical integers from 0 up, of any number of digits."""
    return len(integer), integer


# What would move the cursor, break the line or turn the reading direction of a terminal.
_CONTROL: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)


def visible(text: str) -> str:
    r"""Return *text* with control characters as escapes.

    >>> print(visible("a\tb\x1b[31m"))
    a\tb\x1b[31m
    """
    return _CONTROL.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), text)


def boolean(text: str) -> str | None:
    """Return ``true`` or ``false`` for 1, 0, true and false in any case (MAP-06), else None.

    >>> boolean("1"), boolean("False"), boolean("yes")
    ('true', 'false', None)
    """
    folded = text.strip().lower()
    if folded in _TRUE:
        return "true"
    return "false" if folded in _FALSE else None


def integer(text: str) -> str | None:
    """Return a canonical xsd:integer with every digit kept, or None.

    A number written with a fraction of zeros (``3.0``, as table software writes integers) counts.

    >>> integer("007"), integer("-0"), integer("12.0"), integer("12.5")
    ('7', '0', '12', None)
    """
    head, point, fraction = text.strip().partition(".")
    match = _INTEGER.fullmatch(head)
    if match is None or (point and fraction.strip("0")) or (point and not fraction):
        return None
    sign, digits = match.groups()
    return f"-{digits}" if sign == "-" and digits != "0" else digits


def decimal(text: str) -> str | None:
    """Return a canonical xsd:decimal with every digit kept, or None.

    A plain number, with an exponent or without; infinities and NaN are no decimals (MAP-05).

    >>> decimal("85.50"), decimal("85.0"), decimal("-.5"), decimal("1.91e-4"), decimal("NaN")
    ('85.5', '85', '-0.5', '0.000191', None)
    """
    text = text.strip()
    exponent = _EXPONENT.fullmatch(text)
    shift = 0
    if exponent:
        text, shift = exponent[1], int(exponent[2])
    match = DECIMAL.fullmatch(text)
    if match is None or not (match[2] or match[3]):
        return None
    sign, whole, fraction = match[1], match[2], match[3] or ""
    if shift > 0:
        fraction = fraction.ljust(shift, "0")
        whole, fraction = whole + fraction[:shift], fraction[shift:]
    elif shift < 0:
        whole = whole.rjust(-shift, "0")
        whole, fraction = whole[:shift], whole[shift:] + fraction
    whole, fraction = whole.lstrip("0") or "0", fraction.rstrip("0")
    number = f"{whole}.{fraction}" if fraction else whole
    return f"-{number}" if sign == "-" and number != "0" else number


def calendar_value(text: str) -> tuple[str, str] | None:
    """Return ``(datatype, text)`` of a year, month or day that exists, or None.

    The datatype is ``gYear``, ``gYearMonth`` or ``date`` of XSD. The year 0000 is none.

    >>> calendar_value("2021-06-15"), calendar_value("2021"), calendar_value("2021-02-30")
    (('date', '2021-06-15'), ('gYear', '2021'), None)
    """
    match = _DATE.fullmatch(text.strip())
    if match is None or match[1] == "0000":
        return None
    year, month, day = match.groups()
    if month is None:
        return "gYear", year
    if not 1 <= int(month) <= 12:
        return None
    if day is None:
        return "gYearMonth", f"{year}-{month}"
    if not 1 <= int(day) <= calendar.monthrange(int(year), int(month))[1]:
        return None
    return "date", f"{year}-{month}-{day}"


def date_time(text: str) -> str | None:
    """Return a canonical xsd:dateTime (``+00:00`` as ``Z``, no idle zeros), or None.

    >>> date_time("2026-09-24T18:15:14.50+00:00"), date_time("2026-09-24T25:00:00Z")
    ('2026-09-24T18:15:14.5Z', None)
    """
    match = _DATE_TIME.fullmatch(text.strip())
    if match is None:
        return None
    day, time, fraction, zone = match.groups()
    try:
        date.fromisoformat(day)
        datetime.fromisoformat(f"{day}T{time}{zone or ''}")
    except ValueError:
        return None
    seconds = f".{fraction.rstrip('0')}" if fraction and fraction.rstrip("0") else ""
    return f"{day}T{time}{seconds}{'Z' if zone in ('+00:00', '-00:00') else zone or ''}"


def scalar_text(text: str) -> tuple[str, bool]:
    """Return *text* with lone surrogates as U+FFFD, and whether there were any.

    A literal of RDF is a string of Unicode scalar values (RDF 1.1 Concepts, 3.3); everything
    else, control characters included, stays as it is (MAP-08).
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return re.sub("[\ud800-\udfff]", "\ufffd", text), True
    return text, False
