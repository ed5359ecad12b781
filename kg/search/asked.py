"""A search as an address asks for it: ``q=TEXT``, ``kind=KIND`` (repeated), ``limit=N``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Self

from kg.errors import UsageError
from kg.search.hits import Hit, hits_as_json
from kg.search.index import LIMIT, Index
from kg.search.things import KINDS

MOST: Final = 1000
"""Hits that may be asked for at once."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is searched: a *text*, among things of some *kinds* (none: all), *limit* hits."""

    text: str
    kinds: tuple[str, ...] = ()
    limit: int = LIMIT

    @classmethod
    def of(cls, parameters: Iterable[tuple[str, str]]) -> Self:
        """Read the parameters of an address; others than those of a search are left alone.

        An empty ``kind`` or ``limit``, as a form sends it, is none. Raises
        :class:`~kg.errors.UsageError` for a kind that is none, and for a limit that is no number
        or out of range.

        >>> Asked.of([("q", "squad"), ("kind", "dataset"), ("limit", "5")])
        Asked(text='squad', kinds=('dataset',), limit=5)
        """
        text, kinds, limit = "", list[str](), LIMIT
        for name, value in parameters:
            if name == "q":
                text = value
            elif name == "kind" and value:
                if value not in KINDS:
                    raise UsageError(f"kind={value} is none of {', '.join(KINDS)}")
                kinds.append(value)
            elif name == "limit" and value:
                if not (value.isascii() and value.isdecimal() and len(value) < 9):
                    raise UsageError(f"limit={value} is no number from 1 to {MOST}")
                limit = int(value)
                if not 1 <= limit <= MOST:
                    raise UsageError(f"limit={value} is no number from 1 to {MOST}")
        return cls(text, tuple(kinds), limit)

    def hits(self, index: Index) -> list[Hit]:
        """Search *index*."""
        return index.search(self.text, self.kinds, self.limit)

    def answer(self, index: Index) -> dict[str, object]:
        """Search *index* and return the answer in values that JSON has."""
        return hits_as_json(self.text, self.hits(index))
