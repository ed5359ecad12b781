"""Search by name: an index of papers, datasets, methods and tasks, inside a snapshot.

It is an SQLite database with full-text search (FTS5), made from the sorted triples of a build:
:class:`Builder` is given them as they go by, :func:`build` takes all lines, and :class:`Index`
answers. The same triples give the same index.
"""

from kg.search.asked import Asked
from kg.search.builder import Builder, build
from kg.search.hits import Hit, hits_as_json, hits_of
from kg.search.index import FILE, LIMIT, Index
from kg.search.things import KINDS

__all__ = [
    "FILE",
    "KINDS",
    "LIMIT",
    "Asked",
    "Builder",
    "Hit",
    "Index",
    "build",
    "hits_as_json",
    "hits_of",
]
