"""The index of names in the making.

Its tables: ``thing`` has what is shown of each thing, under numbers that tell its kind (see
:data:`ROOM`); ``name`` has all of its names, folded, to be found by their beginnings; ``word`` is
the full-text index of their words. SQLite writes the same file for the same things.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from kg.errors import StoreError
from kg.search.hits import folded
from kg.search.things import KINDS, Thing, Things
from kg.sorting import Block

ROOM: Final = 1 << 40
"""How many numbers a kind has: those of kind *k* begin at ``k * ROOM``."""

LONGEST: Final = 200
"""Characters of a folded name that are compared as a whole."""

_TABLES: Final = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE thing (id INTEGER PRIMARY KEY, iri TEXT, name TEXT, slug TEXT, detail TEXT);
CREATE TABLE name (folded TEXT, thing INTEGER, PRIMARY KEY (folded, thing)) WITHOUT ROWID;
CREATE VIRTUAL TABLE word USING fts5 (
    name, others, content = '', tokenize = "unicode61 remove_diacritics 2"
);
BEGIN
"""


class Builder:
    """Makes the index in the file *path*, which must not exist, of sorted N-Triples.

    Give it all of them by :meth:`scan` and then call :meth:`finish`; what it holds in memory does
    not grow with them. All raise :class:`~kg.errors.StoreError` where the file cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._things = Things()
        self._next = [kind * ROOM for kind in range(len(KINDS))]
        with self._errors():
            self._database = sqlite3.connect(path, isolation_level=None)
            self._database.executescript(_TABLES)

    def scan(self, parts: Iterable[Sequence[bytes]]) -> None:
        """Take in the next triples: subject, predicate and the rest of the line of each."""
        self._add(self._things.scan(parts))

    def finish(self) -> None:
        """Write what is left and close the file."""
        self._add(self._things.end())
        with self._errors():
            self._database.execute("INSERT INTO word (word) VALUES ('optimize')")
            self._database.execute("COMMIT")
        self.close()

    def close(self) -> None:
        """Let go of the file, finished or not."""
        self._database.close()

    def _add(self, things: Iterable[Thing]) -> None:
        shown, names, words = [], [], []
        for thing in things:
            kind = KINDS.index(thing.kind)
            number = self._next[kind]
            self._next[kind] += 1
            shown.append((number, thing.iri, thing.name, thing.slug, thing.detail))
            whole = (folded(name) for name in (thing.name, *thing.others, *thing.keys))
            names += [(name[:LONGEST], number) for name in dict.fromkeys(whole) if name]
            words.append((number, thing.name, "\n".join(thing.others)))
        with self._errors():
            self._database.executemany("INSERT INTO thing VALUES (?, ?, ?, ?, ?)", shown)
            self._database.executemany("INSERT OR IGNORE INTO name VALUES (?, ?)", names)
            self._database.executemany(
                "INSERT INTO word (rowid, name, others) VALUES (?, ?, ?)", words
            )

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(f"{self._path}: the index of names: {error}") from error


def build(path: Path, blocks: Iterable[Block]) -> None:
    """Make the index of names in the file *path* of all *blocks* of sorted N-Triples."""
    builder = Builder(path)
    try:
        for block in blocks:
            builder.scan(line.split(b" ", 2) for line in block)
        builder.finish()
    finally:
        builder.close()
