"""The index of names, open for reading, and how it answers a text that somebody typed."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from kg.errors import StoreError, UsageError
from kg.search.builder import LONGEST, ROOM
from kg.search.hits import Hit, folded
from kg.search.things import KINDS

FILE: Final = "search.sqlite"
"""The name that the index has in the folder of a snapshot."""

LIMIT: Final = 20
"""Hits that are given where nothing else is said."""

_WORDS: Final = 16
"""Words of a text that are looked for; the rest is left out of account."""

_SHORTEST: Final = 3
"""Characters of a word that stands for all words that begin with it; the last may be shorter."""

# The shorter of two names that begin with a text is nearer to it, and the text itself is nearest;
# that one comes first of all names, so it is among those that are looked at.
_BY_BEGINNING: Final = """
SELECT thing FROM (
  SELECT folded, thing FROM name WHERE folded >= ? AND folded < ? AND {of_kinds}
  ORDER BY folded LIMIT 10000
) GROUP BY thing ORDER BY min(length(folded)), min(folded), thing LIMIT ?"""
_BY_WORDS: Final = """
SELECT rowid AS thing FROM word WHERE word MATCH ? AND {of_kinds}
ORDER BY bm25(word, 2.0, 1.0), rowid LIMIT ?"""
_SHOWN: Final = "SELECT iri, name, slug, detail FROM thing WHERE id = ?"
_LISTED: Final = "SELECT iri, name, slug, detail FROM thing WHERE id >= ? AND id < ? ORDER BY id"


class Index:
    """The index of names in the file *path*; to be closed.

    Threads may share it: they take turns. It goes on answering after the file was removed.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._turn = threading.Lock()
        with self._errors():
            # Nobody writes to it any more: SQLite need not look for locks and journals.
            address = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
            self._database = sqlite3.connect(address, uri=True, check_same_thread=False)

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open the index in the file *path*.

        Raises :class:`~kg.errors.StoreError` where there is none, or none that can be read.
        """
        if not path.is_file():
            raise StoreError(
                f"{path.parent}: this snapshot has no index of names; kg build makes one"
            )
        index = cls(path)
        try:
            index.search("a", limit=1)
        except StoreError:
            index.close()
            raise
        return index

    def search(
        self, text: str, kinds: Collection[str] | None = None, limit: int = LIMIT
    ) -> list[Hit]:
        """Return the things whose names have all words of *text*, the nearest first.

        First come those that are called so, then those of which a name begins so, then all others
        by bm25. Case and accents do not count, and words may be cut short. *kinds* are some of
        :data:`~kg.search.KINDS`; none stands for all. Any text may be given: one without letters
        and digits finds nothing. Raises :class:`~kg.errors.UsageError` for a kind that is none and
        a limit below 1.
        """
        ranges = _ranges(kinds)
        if limit < 1:
            raise UsageError(f"the limit is {limit}, and it must be 1 at least")
        beginning = folded(text)[:LONGEST]
        if not beginning:
            return []
        with self._turn, self._errors():
            found = self._numbers(
                _BY_BEGINNING, [beginning, f"{beginning}\U0010ffff"], ranges, limit
            )
            if len(found) < limit:
                more = self._numbers(_BY_WORDS, [_expression(text)], ranges, limit)
                found = list(dict.fromkeys([*found, *more]))[:limit]
            return [self._hit(number) for number in found]

    def listing(self, kind: str, first: int = 0, limit: int = LIMIT) -> list[Hit]:
        """Return things of a *kind* in the order of the product, from number *first* (0, …) on.

        Raises :class:`~kg.errors.UsageError` for a kind that is none.
        """
        ((begin, end),) = _ranges([kind])
        numbers = range(begin + first, min(begin + first + limit, end + 1))
        with self._turn, self._errors():
            rows = self._database.execute(_LISTED, [numbers.start, numbers.stop]).fetchall()
        return [Hit(kind, *row) for row in rows]

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _numbers(
        self, query: str, values: list[str], ranges: Sequence[tuple[int, int]], limit: int
    ) -> list[int]:
        column = "rowid" if "MATCH" in query else "thing"
        of_kinds = " OR ".join(f"{column} BETWEEN {first} AND {last}" for first, last in ranges)
        rows = self._database.execute(query.format(of_kinds=f"({of_kinds})"), [*values, limit])
        return [number for (number,) in rows]

    def _hit(self, number: int) -> Hit:
        iri, name, slug, detail = self._database.execute(_SHOWN, [number]).fetchone()
        return Hit(KINDS[number // ROOM], iri, name, slug, detail)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(
                f"{self._path}: the index of names cannot be read; build it again ({error})"
            ) from error


def _ranges(kinds: Collection[str] | None) -> list[tuple[int, int]]:
    """Return the numbers that the things of *kinds* may have: first and last."""
    chosen = sorted(set(kinds or KINDS))
    for kind in chosen:
        if kind not in KINDS:
            raise UsageError(f"{kind!r} is none of the kinds {', '.join(KINDS)}")
    places = [KINDS.index(kind) for kind in chosen]
    return [(place * ROOM, (place + 1) * ROOM - 1) for place in places]


def _expression(text: str) -> str:
    """Return an FTS5 expression that finds what has all words of *text*.

    Quoted, a word is no syntax, whatever it holds (FTS5, section 3.1); SQLite splits it as it split
    the names, and one without any letter or digit counts for nothing.
    """
    readable = text.encode("utf-8", "replace").decode("utf-8").replace("\0", " ").replace('"', " ")
    words = readable.split()[:_WORDS]
    return " ".join(
        f'"{word}"' + ("*" if len(word) >= _SHORTEST or word is words[-1] else "") for word in words
    )
