"""Lists in pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Self

PARAMETER: Final = "page"
_LAST: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Paging:
    """The page *number*, from 1, of a list: what stands from *first* to before *last*.

    *pages* is how many there are, or None where that is not known; *has_next* says that more
    follows.
    """

    number: int
    first: int
    last: int
    pages: int | None
    has_next: bool

    @classmethod
    def of(cls, number: int, count: int, size: int) -> Self:
        """Return the page *number* of a list of *count*, or the last one where it has fewer."""
        pages = max(1, -(-count // size))
        number = min(number, pages)
        first = (number - 1) * size
        return cls(number, first, min(first + size, count), pages, number < pages)

    @property
    def is_needed(self) -> bool:
        """Whether there is more than one page."""
        return self.has_next or self.number > 1


def number_of(given: Mapping[str, str]) -> int:
    """Return which page the parameters of an address ask for; what is none asks for the first.

    >>> number_of({"page": "3"}), number_of({"page": "x"}), number_of({})
    (3, 1, 1)
    """
    text = given.get(PARAMETER, "")
    return (
        min(max(int(text), 1), _LAST)
        if text.isascii() and text.isdecimal() and len(text) < 10
        else 1
    )
