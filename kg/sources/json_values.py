"""JSON values out of text that is there as a whole (:mod:`kg.sources.json_stream` has the others).

RFC 8259, with Python's ``NaN``, ``Infinity`` and ``-Infinity`` besides. Numbers are kept as their
text (:class:`~kg.values.Number`), so no digit is lost and none is too many. An object that repeats
a key is an :class:`Object`, so that its reader can refuse it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Final

from kg.values import Number

LONGEST: Final = 64 * 1024 * 1024
"""The longest single value, in characters: one record fits into memory, a broken file may not."""


class JsonError(Exception):
    """A text is no JSON; *line* and *column* count from 1, *reason* is without them.

    *is_cut* says that it is the beginning of one, *is_passed* that what stands behind the fault
    was read all the same.
    """

    def __init__(self, reason: str, line: int, column: int, *, is_cut: bool = False) -> None:
        super().__init__(f"line {line}, column {column}: {reason}")
        self.reason = reason
        self.line = line
        self.column = column
        self.is_cut = is_cut
        self.is_passed = False


class Object(dict[str, object]):
    """A JSON object that says a key more than once; the last value of each key is kept."""

    def __init__(self, pairs: Iterable[tuple[str, object]], duplicates: tuple[str, ...]) -> None:
        super().__init__(pairs)
        self.duplicates = duplicates


def from_pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return the object of *pairs*, an :class:`Object` where a key stands in two of them."""
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    count = Counter(key for key, _ in pairs)
    return Object(pairs, tuple(key for key, times in count.items() if times > 1))


DECODER: Final = json.JSONDecoder(
    object_pairs_hook=from_pairs, parse_float=Number, parse_int=Number, parse_constant=Number
)
TOO_DEEP: Final = "the value is nested too deep"


def sentence(message: str) -> str:
    """Return a message of the decoder as the beginning of a sentence of ours."""
    return message[:1].lower() + message[1:].removesuffix(" starting at").removesuffix(" at")


def decode(text: str) -> object:
    """Return the value of a *text* that is one whole JSON value; raises :class:`JsonError`.

    >>> decode('{"a": [1.50, NaN]}')
    {'a': ['1.50', 'NaN']}
    """
    try:
        return DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise JsonError(sentence(error.msg), error.lineno, error.colno) from None
    except RecursionError:
        raise JsonError(TOO_DEEP, 1, 1) from None
