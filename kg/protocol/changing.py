"""Queries whose answer is another each time (SPARQL 1.1, sections 17.4.2, 17.4.4 and 17.4.5)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from kg.errors import QueryError
from kg.sparql import scan

_WORDS: Final = ("NOW", "RAND", "UUID", "STRUUID", "SERVICE")
_REMEMBERED: Final = 4096
"""Characters of a text that is worth remembering."""
_MAYBE: Final = re.compile(rf"\b(?:{'|'.join(_WORDS)})\b", re.IGNORECASE | re.ASCII)


def is_changing(text: str) -> bool:
    """Say whether the query *text* calls a function that gives something else each time.

    Another server, asked by SERVICE, may answer another thing each time as well.

    >>> is_changing("SELECT (now() AS ?x) {}"), is_changing("SELECT ?now { ?now ?p 'NOW()' }")
    (True, False)
    """
    return (_is_changing if len(text) <= _REMEMBERED else _is_changing.__wrapped__)(text)


@lru_cache(maxsize=512)
def _is_changing(text: str) -> bool:
    if not _MAYBE.search(text):
        return False
    try:
        return any(token.is_word(*_WORDS) for token in scan(text))
    except QueryError:  # it is no query, and has no answer
        return True
