"""Search by name, browsing by class, and the addresses of both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from kg.namespaces import KG
from kg.protocol import ProblemError
from kg.search import KINDS as SEARCHED
from kg.search import Asked, Hit, Index
from kg.site import wording
from kg.site.facts import Facts
from kg.site.page import Page
from kg.site.paging import Paging, number_of
from kg.site.things import lists
from kg.site.things.related import RELATIONS, related, thing_of
from kg.site.view import Link, View

SIZE: Final = 50
"""Things on one page of a list."""

_SORTED: Final = 500
"""Things of a class that are put in order for a list; of more the store's own order is kept."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of things that can be browsed: its *plural* is its path, *title* its heading."""

    name: str
    plural: str
    title: str
    about: str

    @property
    def class_iri(self) -> str:
        """The class of its things."""
        return KG + self.name.capitalize()


KINDS: Final = (
    Kind("paper", "papers", "Papers", "Papers of machine learning, with their code and results."),
    Kind("task", "tasks", "Tasks", "Problems that papers work on."),
    Kind("dataset", "datasets", "Datasets", "What methods are trained on and measured with."),
    Kind("method", "methods", "Methods", "Techniques that papers introduce and use."),
    Kind("leaderboard", "leaderboards", "Leaderboards", "The results on one task and one dataset."),
)


@dataclass(frozen=True, slots=True)
class Found:
    """A thing in a list: where it leads, what it is, and what tells it from others."""

    link: Link
    kind: str
    detail: str


def search_page(asked: Asked, hits: Sequence[Hit] | None, view: View) -> Page:
    """Return the page of a search; without *hits* there is no index to search."""
    rows = [Found(view.link(hit.iri, hit.name), hit.kind, hit.detail) for hit in hits or ()]
    here, text = view.addresses.here("/search"), asked.text
    kind = asked.kinds[0] if len(asked.kinds) == 1 else None
    return Page(
        f"“{text}”" if text else "Search",
        "search.html",
        {
            "text": text,
            "kind": kind,
            "kinds": [
                (name, f"{here}?{urlencode({'q': text, **({'kind': name} if name else {})})}")
                for name in ("", *SEARCHED)
            ],
            "has_index": hits is not None,
            "rows": rows,
        },
        summary="Search by name.",
    )


def browsing_page(
    kind: Kind, given: Mapping[str, str], count: int, names: Index | None, view: View
) -> Page:
    """Return a page of the list of all things of a *kind*, of which there are *count*.

    Those that point to a thing are listed alone where it is *given* by its kind and its key. Raises
    :class:`~kg.protocol.ProblemError` where the graph has no such thing (404), and for two (400).
    """
    to = [to for name, to in RELATIONS if name == kind.name and to in given]
    if len(to) > 1:
        raise ProblemError(400, f"a list is of one thing; give one of {' and '.join(sorted(to))}")
    if to:
        return _related_page(kind, to[0], given, view)
    paging = Paging.of(number_of(given), count, SIZE)
    is_in_order = kind.name in SEARCHED and names is not None
    if kind.name in SEARCHED and names is not None:
        iris = [hit.iri for hit in names.listing(kind.name, paging.first, SIZE)]
    else:
        iris, is_in_order = _listed(kind, paging, count, view)
    counted = f"{kind.about} {count:,} in this graph"
    order = ", in the order of their addresses" if is_in_order else ""
    return _list_page(kind, iris, paging, view, title=kind.title, about=f"{counted}{order}.")


def _related_page(kind: Kind, to: str, given: Mapping[str, str], view: View) -> Page:
    """Return a page of the list of the things of a *kind* that point to a thing of kind *to*."""
    iri = thing_of(to, given[to], view)
    if iri is None:
        raise ProblemError(404, f"the graph has no {to} of this name")
    found = related(kind.name, to, iri, view, number_of(given))
    title = f"{kind.title} of {view.name(iri)}"
    order = "in no particular order" if found.is_long else found.order
    return _list_page(
        kind,
        found.iris,
        found.paging,
        view,
        title=title,
        about=f"{found.counted[:1].upper()}{found.counted[1:]}, {order}.",
        of=(to, view.link(iri)),
        query=f"?{urlencode({to: given[to]})}",
    )


def _list_page(
    kind: Kind,
    iris: Sequence[str],
    paging: Paging,
    view: View,
    *,
    title: str,
    about: str,
    of: tuple[str, Link] | None = None,
    query: str = "",
) -> Page:
    """Return a page that lists things of a *kind*: all, or those *of* the thing of a kind."""
    view.learn(iris)
    return Page(
        title if paging.number == 1 else f"{title}, page {paging.number}",
        "browse.html",
        {
            "kind": kind,
            "title": title,
            "about": about,
            "of": of,
            "paging": paging,
            "query": query,
            "papers": lists.paper_rows(iris, view) if kind.name == "paper" else [],
            "boards": lists.board_rows(iris, view) if kind.name == "leaderboard" else [],
            "rows": _rows(iris, view) if kind.name in ("task", "dataset", "method") else [],
            "is_searched": kind.name in SEARCHED and of is None,
        },
        summary=kind.about,
    )


def _listed(kind: Kind, paging: Paging, count: int, view: View) -> tuple[list[str], bool]:
    """Return one page of a list from the store, and whether it is in order."""
    is_in_order = count <= _SORTED
    order = "ORDER BY ?thing" if is_in_order else ""
    rows = view.rows(
        f"SELECT ?thing {{ ?thing a <{kind.class_iri}> }} {order}"
        f" LIMIT {SIZE} OFFSET {paging.first}"
    )
    return [row["thing"].value for row in rows], is_in_order


def _rows(iris: Sequence[str], view: View) -> list[Found]:
    names = ("kg:fullName", "kg:introducedYear", "dct:issued", "kg:paperCount", "kg:subdatasetOf")
    excerpt = view.said(iris, *names)
    view.learn(iris)
    called = Counter(map(view.name, iris))
    rows = []
    for iri in iris:
        thing = excerpt.of(iri)
        full, name = thing.text("kg:fullName"), view.name(iri)
        issued = thing.text("kg:introducedYear") or thing.text("dct:issued")
        papers = thing.number("kg:paperCount")
        parts = [
            full if full and full != name else "",
            _apart(thing, view) if called[name] > 1 else "",
            wording.day(issued) if issued else "",
            f"{wording.count(papers, 'paper')} in the archive" if papers is not None else "",
        ]
        rows.append(Found(view.link(iri), "", " · ".join(filter(None, parts))))
    return rows


def _apart(thing: Facts, view: View) -> str:
    """Return what tells a thing from others of its name: what it is part of, or its address."""
    whole = thing.iri_of("kg:subdatasetOf")
    return f"part of {view.name(whole)}" if whole else view.addresses.path(thing.iri) or ""
