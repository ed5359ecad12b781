"""Which path of the site is answered by what.

::

    /                            what this graph is               (HTML, where it is wanted)
    /papers /tasks /datasets …   all things of a class, in pages; with ?task=KEY,
                                 ?dataset=KEY or ?method=KEY those of one thing       (HTML)
    /search?q=                   search by name                               (HTML or JSON)
    /queries /queries/NAME       the canned queries, and a form for each      (HTML, where it
                                 is wanted; by suffix as RDF; all else is the protocol's)
    /editor                      a query of one's own                                 (HTML)
    /editor/vocabulary           what the query editor completes                      (JSON)
    /api /openapi.json           the interface for programs                  (HTML and JSON)
    /ns /vocab/…                 the ontology and the code lists
    /paper/… and any other       the things of the graph  (HTML, Turtle, JSON-LD, N-Triples)
    /static/…                    stylesheet and scripts
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from kg.formats import GRAPHS_BY_MEDIA_TYPE
from kg.opened import Opened
from kg.protocol import Evaluate, ProblemError, Request, Response, Service, route_of
from kg.search import Index
from kg.site import api, documents, editing, linked_data, questions, searching, static
from kg.site.home import page as home_page
from kg.site.kept import Kept
from kg.site.questions import TOLD
from kg.site.visit import Visit

Handler: TypeAlias = Callable[[Visit], Awaitable[Response]]

READ: Final = ("GET", "HEAD", "OPTIONS")
_JSON: Final = "application/json"
_ERRORS: Final = ("application/problem+json", _JSON, "text/plain")


@dataclass(frozen=True, slots=True)
class Site:
    """The pages about what is *opened*; *names* is its index of names, where it has one.

    *kept* are those that took long.
    """

    opened: Opened
    names: Index | None = None
    kept: Kept = field(default_factory=Kept)

    async def __call__(
        self, request: Request, evaluate: Evaluate, service: Service
    ) -> Response | None:
        """Answer a request for a page, or for the document of a thing; None for any other.

        What is wrong with it is said in HTML to whoever prefers that; it is raised else, as
        :class:`~kg.protocol.ProblemError` or as an error of ours that the protocol tells.
        """
        visit = Visit(request, self.opened, self.names, evaluate, service)
        handler = _handler(visit)
        is_shared = route_of(request.path) is not None
        if handler is None or (is_shared and request.method not in ("GET", "HEAD")):
            return None
        try:
            _check_method(request.method)
            if request.method == "OPTIONS":
                return Response(204, {"Allow": ", ".join(READ)})
            if handler not in _UNCHANGING:
                return await handler(visit)
            return await self.kept.answer(request, lambda: handler(visit))
        except (ProblemError, *TOLD) as error:
            if not visit.wants_page(_ERRORS):
                raise
            problem = error if isinstance(error, ProblemError) else ProblemError.of(error)
            return visit.problem(problem)


def _handler(visit: Visit) -> Handler | None:
    """Return what answers a visit; None where the protocol does."""
    path = visit.path
    if path.startswith(static.PATH):
        return _static
    if path in _PLACES:
        return _PLACES[path]
    if path == "/":
        return _home if visit.wants_page((_JSON,)) else None
    if path == "/sparql":
        return _to_editor if _is_to_editor(visit) else None
    if path.startswith(("/queries/", "/queries.")) or path == "/queries":
        return _of_queries(visit)
    return documents.answer if route_of(path) is None else None


def _of_queries(visit: Visit) -> Handler | None:
    """Return what answers a visit to the canned queries: their addresses are programs' too."""
    _, form = linked_data.split_suffix(visit.path)
    if form is not None:
        return questions.page if form is linked_data.PAGE else documents.catalogue
    is_page = visit.wants_page((_JSON, *_RESULTS)) and _is_for_page(visit)
    return questions.page if is_page else None


async def _static(visit: Visit) -> Response:
    return static.answer(visit.request)


async def _home(visit: Visit) -> Response:
    service = visit.service
    return await visit.page(
        lambda view: home_page(
            view,
            counts=visit.counts,
            triples=service.triples,
            created=service.created,
            root=visit.root,
            catalogue=service.catalogue,
        )
    )


async def _browse(visit: Visit) -> Response:
    kind = next(one for one in searching.KINDS if f"/{one.plural}" == visit.path)
    count = visit.counts.get(kind.class_iri, 0)
    return await visit.page(
        lambda view: searching.browsing_page(kind, visit.parameters, count, visit.names, view)
    )


async def _to_editor(visit: Visit) -> Response:
    return Response(303, {"Location": visit.addresses.here(editing.PATH), "Vary": "Accept"})


def _is_for_page(visit: Visit) -> bool:
    """Say whether an address of a canned query is that of its page: none that asks for a format.

    A form that sends inputs that were left empty is led to the address without them first.
    """
    given = visit.request.parameters
    return all(name != "format" for name, _ in given) or any(not value for _, value in given)


def _is_to_editor(visit: Visit) -> bool:
    """Say whether a person has gone to the endpoint's address to look what is there."""
    return not visit.request.query_string and visit.wants_page(tuple(GRAPHS_BY_MEDIA_TYPE))


def _check_method(method: str) -> None:
    if method not in READ:
        raise ProblemError(
            405,
            f"{method} means nothing here; {', '.join(READ)} do",
            headers={"Allow": ", ".join(READ)},
        )


_UNCHANGING: Final = (_home, _browse, documents.answer)
"""What tells of the snapshot alone, and evaluates nothing that a stranger has written."""

_RESULTS: Final = ("application/sparql-results+json", "text/csv", "text/turtle")
_PLACES: Final[dict[str, Handler]] = {
    **{f"/{kind.plural}": _browse for kind in searching.KINDS},
    "/search": questions.search,
    editing.PATH: questions.edit,
    f"{editing.PATH}/vocabulary": questions.vocabulary,
    "/api": api.page,
    "/openapi.json": api.document,
}
