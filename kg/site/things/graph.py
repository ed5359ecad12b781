"""The page of a named graph: whose statements it holds, and how they are asked for."""

from __future__ import annotations

from kg.protocol import Service
from kg.site.page import Page
from kg.site.things.further import statements
from kg.site.view import View


def page(iri: str, service: Service, view: View) -> Page:
    """Return the page of the named graph *iri*."""
    thing = view.excerpt(view.triples([iri])).of(iri)
    return Page(
        view.name(iri),
        "graph.html",
        {
            "count": service.named_graphs[iri],
            "question": f"SELECT * {{ GRAPH <{iri}> {{ ?s ?p ?o }} }} LIMIT 100",
            "editor": view.addresses.here("/editor"),
            "further": statements(thing, view),
        },
        summary="A named graph.",
        iri=iri,
    )
