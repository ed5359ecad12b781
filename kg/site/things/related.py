"""What points to a thing, as a list in pages: the papers of a task, its leaderboards, and so on.

A popular task has tens of thousands of papers. The page of a thing shows the first of each list and
leads to the address of the whole of it (``/papers?task=KEY``); no page looks at more of a list than
one page of it, and what is counted and put in order for that is bounded.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple
from urllib.parse import unquote, urlencode

from kg.site import wording
from kg.site.paging import Paging
from kg.site.view import View

READ: Final = 10_000
"""Things of one list that are counted and put in order; a longer one keeps the store's order."""

SHOWN: Final = 50
"""Things of a list on one page."""

_MANY: Final = 4_000
"""Things that point to one, beyond which those of a rare class are looked for among the class."""


class _Relation(NamedTuple):
    """How ``?thing`` points to a thing, and of which class it is where that is to be looked up.

    One that *is_rare* is of few beside all that point there in this way.
    """

    pattern: str
    class_: str | None = None
    is_rare: bool = False

    def to(self, iri: str, view: View) -> str:
        """Return the pattern of what points to *iri*."""
        pattern = self.pattern.format(iri)
        if self.class_ is None:
            return pattern
        if self.is_rare and _counted(pattern, view, _MANY) >= _MANY:
            return f"?thing a {self.class_} FILTER EXISTS {{ {pattern} }}"
        return f"{pattern} . ?thing a {self.class_}"


RELATIONS: Final = {
    ("paper", "task"): _Relation("?thing kg:task <{}>", "kg:Paper"),
    ("paper", "dataset"): _Relation("?row kg:dataset <{}> . ?row kg:paper ?thing"),
    ("paper", "method"): _Relation("?thing kg:method <{}>"),
    ("leaderboard", "task"): _Relation("?thing kg:task <{}>", "kg:Leaderboard", is_rare=True),
    ("leaderboard", "dataset"): _Relation("?thing kg:dataset <{}>", "kg:Leaderboard", is_rare=True),
    ("dataset", "task"): _Relation("?thing kg:task <{}>", "kg:Dataset", is_rare=True),
    ("dataset", "dataset"): _Relation("?thing kg:subdatasetOf <{}>"),
    ("task", "task"): _Relation("?thing skos:broader <{}>"),
}
"""By the kind of what is listed and the kind of the thing that it points to, how it does."""


class _Order(NamedTuple):
    """An order: what is looked up for a thing, what of it counts, which way, and that in words."""

    pattern: str
    key: str
    by: str
    words: str


_BY_NAME: Final = _Order("?thing rdfs:label ?by", "MIN(LCASE(STR(?by)))", "?key", "by name")
_ORDERS: Final = {
    "paper": _Order("?thing dct:issued ?by", "MAX(STR(?by))", "DESC(?key)", "newest first"),
    "leaderboard": _Order(
        "?by kg:leaderboard ?thing", "COUNT(?by)", "DESC(?key)", "those with most results first"
    ),
    "dataset": _BY_NAME,
    "task": _BY_NAME,
}


@dataclass(frozen=True, slots=True)
class Related:
    """One page of a list of things of one *kind*, of which there are *count*.

    Where it *is_long* there are more, and they stand in no order. *href* is the address of the
    whole list.
    """

    kind: str
    iris: tuple[str, ...]
    count: int
    is_long: bool
    paging: Paging
    href: str

    @property
    def order(self) -> str:
        """What the list goes by, in words."""
        return _ORDERS[self.kind].words

    @property
    def has_more(self) -> bool:
        """Whether the list has other pages."""
        return self.paging.is_needed

    @property
    def counted(self) -> str:
        """How many there are, in words."""
        words = wording.count(self.count, self.kind)
        return f"more than {words}" if self.is_long else words


def related(kind: str, to: str, iri: str, view: View, number: int = 1) -> Related:
    """Return a page of the things of a *kind* that point to *iri*, which is a thing of kind *to*.

    The newest papers come first, the leaderboards with most results, and all else by name.
    """
    pattern, order = RELATIONS[kind, to].to(iri, view), _ORDERS[kind]
    count, href = _counted(pattern, view, READ + 1), _href(kind, to, iri, view)
    if count <= READ:
        paging = Paging.of(number, count, SHOWN)
        text = (
            f"SELECT ?thing {{ {{ SELECT ?thing ({order.key} AS ?key)"
            f" {{ {pattern} OPTIONAL {{ {order.pattern} }} }} GROUP BY ?thing }} }}"
            f" ORDER BY {order.by} LIMIT {SHOWN} OFFSET {paging.first}"
        )
        return Related(kind, tuple(view.iris(text)), count, False, paging, href)
    first = (number - 1) * SHOWN
    found = view.iris(f"SELECT DISTINCT ?thing {{ {pattern} }} LIMIT {SHOWN + 1} OFFSET {first}")
    paging = Paging(number, first, first + len(found[:SHOWN]), None, len(found) > SHOWN)
    return Related(kind, tuple(found[:SHOWN]), READ, True, paging, href)


def _counted(pattern: str, view: View, most: int) -> int:
    """Return how many things a pattern finds, at most so many."""
    text = f"SELECT (COUNT(*) AS ?n) {{ SELECT DISTINCT ?thing {{ {pattern} }} LIMIT {most} }}"
    return int(view.rows(text)[0]["n"].value)


def thing_of(to: str, key: str, view: View) -> str | None:
    """Return the IRI of the thing of kind *to* with a *key*, or None where there is none."""
    return next(filter(view.has, view.addresses.iris(f"/{to}/{key}")), None)


def _href(kind: str, to: str, iri: str, view: View) -> str:
    key = unquote((view.addresses.path(iri) or "").removeprefix(f"/{to}/"))
    return f"{view.addresses.here(f'/{kind}s')}?{urlencode({to: key})}"
