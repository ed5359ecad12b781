"""The page of a method."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kg.site import wording
from kg.site.descriptions import described, summary
from kg.site.facts import Facts
from kg.site.page import Page
from kg.site.things import lists
from kg.site.things.further import statements
from kg.site.things.identifiers import identifiers
from kg.site.things.origin import origins
from kg.site.things.related import related
from kg.site.view import View

SHOWN: Final = (
    *("rdfs:label", "kg:fullName", "dct:description", "kg:introducedYear", "kg:collection"),
    *("kg:codeSnippet", "kg:sourcePage", "kg:sourceTitle", "kg:paperCount", "foaf:page"),
    *("rdfs:seeAlso", "schema:sameAs", "owl:sameAs", "skos:exactMatch"),
)


def page(thing: Facts, view: View, address: str, given: Mapping[str, str]) -> Page:
    """Return the page of a method: what it is, who introduced it, and the papers that use it."""
    introduced, _ = lists.some(f"?thing kg:introduces <{thing.iri}>", view)
    papers = related("paper", "method", thing.iri, view)
    name = view.name(thing.iri)
    source = thing.text("kg:sourceTitle")
    return Page(
        name,
        "method.html",
        {
            "full_name": thing.text("kg:fullName") if thing.text("kg:fullName") != name else None,
            "description": described(thing, view),
            "introduced_by": view.links(introduced),
            "year": thing.text("kg:introducedYear"),
            "collections": view.links(thing.iris("kg:collection")),
            "snippets": [view.link(iri, wording.host(iri)) for iri in thing.iris("kg:codeSnippet")],
            "sources": [
                view.link(iri, source or wording.host(iri)) for iri in thing.iris("kg:sourcePage")
            ],
            "paper_count": thing.number("kg:paperCount"),
            "pages": [view.link(iri, wording.host(iri)) for iri in thing.iris("foaf:page")],
            "papers": papers,
            "paper_rows": lists.paper_rows(papers.iris, view),
            "identifiers": identifiers(thing, view),
            "records": origins(thing, view),
            "further": statements(thing, view, SHOWN),
            "slug": thing.text("kg:slug"),
        },
        summary=summary(thing) or f"{name}: a method in {papers.counted}.",
        iri=thing.iri,
    )
