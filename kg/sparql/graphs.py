"""The graphs that a query is asked of (SPARQL 1.1, section 13.2: FROM and FROM NAMED)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import pyoxigraph as ox

from kg.errors import QueryError
from kg.sparql.tokens import scan
from kg.sparql.words import FORMS

_FROM: Final = re.compile(r"\bFROM\b", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, slots=True)
class Graphs:
    """The graphs of a query: those that make up its default graph, and its named graphs.

    Each is an IRI. They replace all that the store has: a graph in neither is not there.
    """

    default: tuple[str, ...] = ()
    named: tuple[str, ...] = ()


def graphs_of(text: str, prefixes: Mapping[str, str], base: str | None = None) -> Graphs | None:
    """Return the graphs that the query *text* names by FROM, or None if it names none.

    A text that is no query names none either: that is for the engine to say.

    >>> graphs_of("ASK FROM <http://e/a> FROM NAMED e:b {}", {"e": "http://e/"})
    Graphs(default=('http://e/a',), named=('http://e/b',))
    """
    if not _FROM.search(text):
        return None
    try:
        tokens = list(scan(text))
    except QueryError:
        return None
    default: list[str] = []
    named: list[str] = []
    for index, token in enumerate(tokens[:-1]):
        if token.is_word("FROM"):
            following = tokens[index + 1 : index + 3]
            names = following[0].is_word("NAMED") and len(following) > 1
            (named if names else default).append(following[-1 if names else 0].text)
    body = next((token.start for token in tokens if token.is_word(*FORMS)), None)
    if body is None or not (default or named):
        return None
    # The engine itself says which IRIs they are: declarations, BASE and escapes are its business.
    written = " ".join(f"({iri} AS ?g{n})" for n, iri in enumerate(default + named))
    try:
        answer = ox.Store().query(
            f"{text[:body]} SELECT {written} {{}}", prefixes=dict(prefixes), base_iri=base
        )
    except SyntaxError:
        return None
    if not isinstance(answer, ox.QuerySolutions):
        return None
    iris = [term.value for term in next(answer) if isinstance(term, ox.NamedNode)]
    return Graphs(_once(iris[: len(default)]), _once(iris[len(default) :]))


def _once(iris: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(iris))
