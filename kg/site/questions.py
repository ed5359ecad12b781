"""What is asked on the site: canned queries, queries of one's own, and names."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final
from urllib.parse import quote, urlencode

from kg import editor
from kg.errors import AnswerError, BusyError, StoppedError, UsageError
from kg.protocol import ProblemError, Response, entity_tag
from kg.search import Asked, hits_as_json
from kg.site import asking, editing, linked_data, searching
from kg.site.rendering import POLICY
from kg.site.solutions import Beginning, begin
from kg.site.static import EDITOR_STYLE
from kg.site.visit import Visit

TOLD: Final = (UsageError, AnswerError, BusyError, StoppedError)
"""What went wrong with a question, and is told to whoever asked it."""

_JSON: Final = "application/json"


async def page(visit: Visit) -> Response:
    """Return the list of canned queries, or the page of the one that the path names."""
    path, form = linked_data.split_suffix(visit.path)
    name = (path if form else visit.path).removeprefix("/queries").removeprefix("/")
    catalogue = visit.service.catalogue
    if not name:
        return await visit.page(lambda view: asking.listing_page(catalogue, view))
    query = catalogue.queries.get(name)
    if query is None:
        raise ProblemError(404, "there is no query of this name")
    if any(not value for _, value in visit.request.parameters):
        return _without_empty(visit)
    asked = asking.asked(query, visit.request.parameters, visit.opened.base)
    beginning, fault, status = None, None, 400 if asked.errors else 200
    if asked.text is not None:
        beginning, fault, status = await _evaluated(asked.text, visit, is_lookup=query.is_lookup)
    return await visit.page(
        lambda view: asking.page(
            asked,
            beginning,
            fault,
            view,
            curies=visit.curies,
            counts=visit.counts,
            names=visit.names,
            root=visit.root,
            status=status,
        )
    )


def _without_empty(visit: Visit) -> Response:
    """Lead to the same address without what a form sends of inputs that were left empty."""
    given = urlencode([pair for pair in visit.request.parameters if pair[1]])
    address = quote(visit.addresses.here(visit.path))
    return Response(303, {"Location": f"{address}?{given}" if given else address, "Vary": "Accept"})


async def edit(visit: Visit) -> Response:
    """Return the page of the query editor, with the query that the address asks, if any."""
    text = visit.parameters.get("query")
    beginning, fault, status = None, None, 200
    if text is not None and text.strip():
        beginning, fault, status = await _evaluated(text, visit)
    return await visit.read(
        lambda view: visit.rendered(
            editing.page(
                text,
                beginning,
                fault,
                view,
                curies=visit.curies,
                catalogue=visit.service.catalogue,
                root=visit.root,
                status=status,
            ),
            policy=POLICY.replace("style-src 'self'", f"style-src 'self' '{EDITOR_STYLE}'"),
        )
    )


async def vocabulary(visit: Visit) -> Response:
    """Return what the query editor completes, as JSON."""
    told = editor.vocabulary(visit.opened.base, visit.service.counts)
    return _json(told)


async def search(visit: Visit) -> Response:
    """Return what is called like the ``q`` of the address: as a page, or as JSON.

    Raises :class:`~kg.errors.UsageError` for a kind or a limit that is none, and
    :class:`~kg.protocol.ProblemError` where the snapshot has no index of names (503).
    """
    asked = Asked.of(visit.request.parameters)
    names = visit.names
    hits = None if names is None else await visit.read(lambda _: asked.hits(names))
    if visit.wants_page((_JSON,)):
        return await visit.page(lambda view: searching.search_page(asked, hits, view))
    if hits is None:
        raise ProblemError(503, "this snapshot has no index of names; kg build makes one")
    told = hits_as_json(asked.text, hits)
    return _json(told, {"Vary": "Accept"})


def _json(told: object, headers: Mapping[str, str] | None = None) -> Response:
    content = f"{json.dumps(told, ensure_ascii=False, indent=2)}\n".encode("utf-8", "replace")
    known = {"Cache-Control": "no-cache", "ETag": entity_tag(content)}
    return Response.of(content, _JSON, headers={**known, **(headers or {})})


async def _evaluated(
    text: str, visit: Visit, *, is_lookup: bool = False
) -> tuple[Beginning | None, str | None, int]:
    """Return the beginning of the answer to a query, or else why there is none, and a status."""
    try:
        return await begin(text, visit.evaluate, is_lookup=is_lookup), None, 200
    except TOLD as error:
        return None, str(error), ProblemError.of(error).status
