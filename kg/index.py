"""The index of a corpus: the slugs that its names have, and what else its papers go by.

Filled in the build's first pass, asked in its second. A name is only resolved where all records
that name it agree on one slug; names of datasets and tasks do collide (``ontology/README.md``).
A paper is found by its address on Papers with Code, by its arXiv identifier in any style and
version, by its DOI, or by an abstract page; never by its title.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from kg import arxiv, dois
from kg.iris import path_slug
from kg.records import Record

BY_ADDRESS: Final = "by their address on Papers with Code"
BY_ARXIV: Final = "by their arXiv identifier"
BY_DOI: Final = "by their DOI"
BY_PAGE: Final = "by their abstract page"

_PAGE: Final = re.compile(r"https?://(?:www\.)?([^/?#\s]+)([^#\s]*)", re.IGNORECASE)
_PWC: Final = re.compile(
    r"(?:https?://(?:www\.)?(?:paperswithcode\.com|codewithpapers\.app))?/", re.IGNORECASE
)
_BY: Final = {"arxiv": BY_ARXIV, "doi": BY_DOI, "page": BY_PAGE}
_AT_ONCE: Final = 20_000


@dataclass(frozen=True, slots=True)
class FoundPaper:
    """The slug of a paper that was looked up, and what it was found *by*."""

    slug: str
    by: str


class Index:
    """Names and identifiers → slugs, of everything that the records of a corpus name.

    Names of tasks, methods, datasets and leaderboards are kept in memory, some 600 bytes each;
    they are thousands whatever the number of papers. What papers go by is kept in an SQLite file
    at *path* (in memory if None), 100 to 200 bytes for each identifier.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._slugs_by_name: dict[tuple[str, str], set[str]] = {}
        self._papers = sqlite3.connect(path or ":memory:", isolation_level=None)
        self._papers.execute("PRAGMA journal_mode = OFF")
        self._papers.execute("PRAGMA synchronous = OFF")
        self._papers.execute(
            "CREATE TABLE papers (key TEXT, slug TEXT, PRIMARY KEY (key, slug)) WITHOUT ROWID"
        )
        self._waiting: set[tuple[str, str]] = set()
        self._look_up = lru_cache(maxsize=100_000)(self._slugs_of_key)

    def close(self) -> None:
        """Let go of the file."""
        self._papers.close()

    def learn(self, record: Record) -> None:
        """Take in the names and identifiers of one record."""
        for kind, slug, name in record.names():
            self._slugs_by_name.setdefault((kind, name), set()).add(slug)
        for slug, arxiv_id, page in record.identified():
            for key in _keys(arxiv_id, page):
                self._waiting.add((key, slug))
        if len(self._waiting) >= _AT_ONCE:
            self._write()

    def slugs(self, kind: str, name: str) -> frozenset[str]:
        """Return all slugs that the corpus has for a name of a kind."""
        return frozenset(self._slugs_by_name.get((kind, name), ()))

    def paper(self, url: str | None, arxiv_id: str | None = None) -> FoundPaper | None:
        """Return the paper that an address or an arXiv identifier means, or None.

        Two papers that claim one identifier are not told apart by it: then it finds none.
        """
        slug = path_slug(url, "paper") if url and _PWC.match(url) else None
        if slug is not None:
            return FoundPaper(slug, BY_ADDRESS)
        if self._waiting:
            self._write()
        for key in _keys(arxiv_id, url):
            slugs = self._look_up(key)
            if len(slugs) == 1:
                return FoundPaper(slugs[0], _BY[key.partition(":")[0]])
        return None

    def _slugs_of_key(self, key: str) -> tuple[str, ...]:
        query = "SELECT slug FROM papers WHERE key = ? LIMIT 2"
        with closing(self._papers.execute(query, (key,))) as found:
            return tuple(slug for (slug,) in found)

    def _write(self) -> None:
        with self._transaction():
            self._papers.executemany("INSERT OR IGNORE INTO papers VALUES (?, ?)", self._waiting)
        self._waiting.clear()
        self._look_up.cache_clear()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._papers.execute("BEGIN")
        yield
        self._papers.execute("COMMIT")


def _keys(arxiv_id: str | None, page: str | None) -> Iterator[str]:
    """Yield the keys of a paper: its arXiv identifiers without version, its DOI or its page."""
    seen = set()
    for text in (arxiv_id, page):
        parsed = arxiv.parse(text) if text else None
        if parsed is not None and parsed.id not in seen:
            seen.add(parsed.id)
            yield f"arxiv:{parsed.id}"
        elif parsed is None and text is page and text:
            if doi := dois.parse(text):
                yield f"doi:{doi.id}"
            elif match := _PAGE.match(text.strip()):
                yield f"page:{match[1].lower()}{match[2].rstrip('/')}"
