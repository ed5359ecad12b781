"""The things of the graph at their IRIs: as pages, and as documents of linked data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, cast
from urllib.parse import quote

import pyoxigraph as ox

from kg import void
from kg.catalogue import rdf
from kg.namespaces import KG
from kg.protocol import ProblemError, Response, entity_tag
from kg.site import linked_data, vocabulary
from kg.site.linked_data import PAGE, Form
from kg.site.page import Page
from kg.site.things import graph as graph_page
from kg.site.things.origin import licences
from kg.site.things.registry import page_of
from kg.site.view import View
from kg.site.visit import Visit

_VOID: Final = "/.well-known/void"
_QUERIES_LICENCE: Final = "http://spdx.org/licenses/Apache-2.0"
_LARGEST: Final = 50_000
"""Triples of a named graph that are sent as one document; of a larger one there is the dump."""


@dataclass(frozen=True, slots=True)
class Document:
    """What is said of the thing *iri*, which has its page at *path*; *is_one* thing with parts.

    Where *form* is not None the address asks for it.
    """

    iri: str
    path: str
    form: Form | None
    triples: Sequence[ox.Triple]
    is_one: bool = True


async def answer(visit: Visit) -> Response:
    """Return the page or the document of the thing at the visit's path.

    Raises :class:`~kg.protocol.ProblemError` where the graph has none (404), and where it is not
    to be had in a form that is wanted (406).
    """
    found = await visit.read(lambda view: _found(visit, view))
    if found is None:
        raise ProblemError(404, "the graph has nothing of this name")
    form = found.form or linked_data.wanted(visit.request)
    if form is PAGE:
        return await visit.read(lambda view: _page(found, visit, view))
    return await visit.read(lambda view: _document(found, form, visit, view))


async def catalogue(visit: Visit) -> Response:
    """Return the canned queries, or one of them, as RDF, by the suffix of the address."""
    path, form = linked_data.split_suffix(visit.path)
    service, base = visit.service, visit.opened.base
    name = path.removeprefix("/queries").removeprefix("/")
    if name and name not in service.catalogue.queries:
        raise ProblemError(404, "there is no query of this name")
    quads = ox.parse(b"\n".join(rdf.quads(service.catalogue, base)), format=ox.RdfFormat.N_QUADS)
    iri = rdf.query_iri(name, base) if name else rdf.graph_iri(base)
    triples = [
        quad.triple
        for quad in quads
        if not name or str(quad.subject)[1:-1].partition("#")[0] == iri
    ]
    found = Document(iri, path, form, triples, is_one=False)
    return await visit.read(lambda view: _document(found, form or PAGE, visit, view))


def _found(visit: Visit, view: View) -> Document | None:
    """Return what is said of the thing at the path, with the suffix of a form or without."""
    path, form = linked_data.split_suffix(visit.path)
    for place, wanted in dict.fromkeys([(visit.path, None), (path, form)]):
        for iri in view.addresses.iris(place):
            if vocabulary.is_ours(iri):
                triples = vocabulary.document(iri, view)
                if triples:
                    return Document(iri, place, wanted, triples, is_one=False)
            elif iri in visit.service.named_graphs:
                return Document(iri, place, wanted, _graph(iri, visit), is_one=False)
            else:
                triples = view.description(iri)
                if triples:
                    return Document(iri, place, wanted, triples)
    return None


def _graph(iri: str, visit: Visit) -> list[ox.Triple]:
    """Return the triples of a named graph; none of a large one, for which there is the dump."""
    if visit.service.named_graphs[iri] > _LARGEST:
        return []
    text = f"CONSTRUCT {{ ?s ?p ?o }} {{ GRAPH <{iri}> {{ ?s ?p ?o }} }}"
    found = cast("ox.QueryTriples", visit.opened.query(text))
    return sorted(found, key=lambda triple: (str(triple.subject), str(triple.predicate)))


def _page(found: Document, visit: Visit, view: View) -> Response:
    address = f"{visit.root}{quote(found.path)}"
    if vocabulary.is_ours(found.iri):
        page = vocabulary.page(found.iri, found.triples, view, visit.counts)
    elif found.iri in visit.service.named_graphs:
        page = graph_page.page(found.iri, visit.service, view)
    else:
        thing = view.excerpt(found.triples).of(found.iri)
        page = page_of(thing)(thing, view, address, visit.parameters)
    terms = page.licences or _licences(found, view)
    headers = {"Link": _links(found, PAGE, terms, visit)}
    return visit.rendered(_with_forms(page, found, terms), headers=headers)


def _with_forms(page: Page, found: Document, terms: Sequence[str]) -> Page:
    return Page(
        page.title,
        page.template,
        {**page.values, "path": found.path},
        page.summary,
        page.json_ld,
        found.iri,
        tuple(terms),
        page.status,
    )


def _document(found: Document, form: Form, visit: Visit, view: View) -> Response:
    if found.iri in visit.service.named_graphs and not found.triples:
        raise ProblemError(406, "this graph is too large for one document; /dumps holds all of it")
    write = linked_data.one_thing if found.is_one else linked_data.many_things
    content = write(form, found.triples, visit.opened.prefixes)
    terms = _licences(found, view)
    media_type = (
        f"{form.media_type}; charset=utf-8"
        if form.media_type.startswith("text/")
        else form.media_type
    )
    return Response.of(
        content,
        media_type,
        headers={
            "Vary": "Accept",
            "Cache-Control": "no-cache",
            "ETag": entity_tag(content),
            "Content-Location": quote(f"{visit.addresses.here(found.path)}{form.suffix}"),
            "Link": _links(found, form, terms, visit),
        },
    )


def _licences(found: Document, view: View) -> tuple[str, ...]:
    if vocabulary.is_ours(found.iri):
        return vocabulary.LICENCES
    if found.iri.startswith(rdf.graph_iri(view.addresses.base)):
        return (_QUERIES_LICENCE,)
    excerpt = view.excerpt(found.triples)
    thing = excerpt.of(found.iri)
    if KG + "Record" in thing.classes:
        return tuple(thing.iris("dct:license")) or (void.LICENCE,)
    return licences(thing, view)


def _links(found: Document, form: Form, terms: Sequence[str], visit: Visit) -> str:
    here = visit.addresses.here
    return linked_data.link_header(here(found.path), found.iri, form, terms, here(_VOID))
