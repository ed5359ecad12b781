"""The page of a thing that has no page of its own kind: all that is said of it."""

from __future__ import annotations

from collections.abc import Mapping

from kg.site import ontology
from kg.site.facts import Facts
from kg.site.page import Page
from kg.site.things.further import statements
from kg.site.things.origin import origins
from kg.site.view import View


def page(thing: Facts, view: View, address: str, given: Mapping[str, str]) -> Page:
    """Return the page of any thing."""
    return Page(
        view.name(thing.iri),
        "other.html",
        {
            "classes": [view.link(iri, ontology.label(iri)) for iri in thing.classes],
            "records": origins(thing, view),
            "further": statements(thing, view),
        },
        iri=thing.iri,
    )
