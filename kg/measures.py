"""Metric values: the one documented reading of what a leaderboard row says, or none.

A metric value of the archive is free text. Its text is always kept; beside it stands a number
where the text can be read in exactly one way. No number is better than a wrong one: pairs,
products, ranges, bounds, guesses and words have none.

What is read, after a byte order mark, white space at the ends, markdown bold (``**…**``) and
footnote marks at the end (``* † ‡ § ¶ &``) were set aside:

=====================  ==========================  ==================================
a text such as         has the value               why
=====================  ==========================  ==================================
``85.5`` ``-.46``      85.5, -0.46                 a plain number
``1.91e-4``            0.000191                    a plain number with an exponent
``57.37 %`` ``79%%``   57.37, 79, unit percent     the percent sign is the unit
``40M`` ``3.2m``       40000000, 3200000           k, M and B (any case) scale the number
``0.57 ± 0.23``        0.57, uncertainty 0.23      also ``+-`` and ``+/-``, percent at either
``1,514,187``          1514187                     groups of three after one to three digits
``76,2%``              76.2, unit percent          one comma that cannot part thousands
``33.3 (Titan Xp)``    33.3                        a note, if it holds no number of its own
=====================  ==========================  ==================================

``2,200`` is 2200 and not 2.2: a comma parts thousands where the first group has one to three
digits and does not begin with 0, and each later group has three.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from kg.values import decimal

PERCENT: Final = "percent"

_SCALES: Final = {"k": "e3", "m": "e6", "b": "e9"}
_INVISIBLE: Final = "\ufeff\u200b"
_BOLD = re.compile(r"\*\*([^*]+)\*\*")
_FOOTNOTE = re.compile(r"\s*[*†‡§¶&]+$")
_NOTE = re.compile(r"([^()]+?)\s*\(([^()]*)\)")
_NUMBER_IN_NOTE = re.compile(r"(?<![\w.])[+-]?\d[\d.,]*%?(?![\w.])")
_PLUS_MINUS = re.compile(r"(.+?)\s*(?:±|\+/-|\+-)\s*(.+)")
_PERCENT_SIGN = re.compile(r"\s*%+$")
_SCALED = re.compile(r"([\d.]+)\s?([kmb])", re.IGNORECASE | re.ASCII)
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?", re.ASCII)
_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Measure:
    """A number that was read: canonical decimals, and the *unit* (``percent`` or None)."""

    value: str
    unit: str | None = None
    uncertainty: str | None = None


def read(text: str) -> Measure | None:
    """Return the one reading of a metric's text, or None where there is none or more than one.

    >>> read("83.6% ±0.07")
    Measure(value='83.6', unit='percent', uncertainty='0.07')
    >>> read("2,200").value, read("76,2%").value, read("87.9/92.8")
    ('2200', '76.2', None)
    """
    text = _plain(text)
    if match := _PLUS_MINUS.fullmatch(text):
        return _with_uncertainty(match[1], match[2])
    if match := _NOTE.fullmatch(text):
        if _NUMBER_IN_NOTE.search(match[2]):
            return None
        text = match[1]
    return _quantity(text)


def _plain(text: str) -> str:
    text = text.strip().strip(_INVISIBLE).strip()
    if match := _BOLD.fullmatch(text):
        text = match[1].strip()
    # The minus sign of typesetting is the hyphen of computers.
    return _FOOTNOTE.sub("", text).replace("\u2212", "-")


def _with_uncertainty(text: str, spread: str) -> Measure | None:
    value, uncertainty = _quantity(text), _quantity(spread)
    if value is None or uncertainty is None or uncertainty.value.startswith("-"):
        return None
    if uncertainty.unit and not value.unit:
        value = Measure(value.value, uncertainty.unit)  # "83.6 ± 0.1%": the sign closes both
    return Measure(value.value, value.unit, uncertainty.value)


def _quantity(text: str) -> Measure | None:
    number = _PERCENT_SIGN.sub("", text)
    unit = PERCENT if number != text else None
    if unit is None and (match := _SCALED.fullmatch(number)):
        value = decimal(f"{match[1]}{_SCALES[match[2].lower()]}")
    elif _THOUSANDS.fullmatch(number):
        value = decimal(number.replace(",", ""))
    elif _DECIMAL_COMMA.fullmatch(number):
        value = decimal(number.replace(",", "."))
    else:
        value = decimal(number)
    return None if value is None else Measure(value, unit)
