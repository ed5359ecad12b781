"""The page of a piece of code, wherever it stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kg.site.facts import Facts
from kg.site.page import Page
from kg.site.things import lists
from kg.site.things.further import statements
from kg.site.things.samples import in_order, row
from kg.site.view import View

SHOWN: Final = ("kg:sha256Prefix",)


def page(thing: Facts, view: View, address: str, given: Mapping[str, str]) -> Page:
    """Return the page of a code content: the places at which it was found."""
    found, has_more = lists.some(f"?thing kg:code <{thing.iri}>", view, 200)
    excerpt = view.said(found)
    prefix = thing.text("kg:sha256Prefix") or view.name(thing.iri)
    return Page(
        f"Code {prefix}",
        "content.html",
        {
            "prefix": prefix,
            "samples": in_order(row(excerpt.of(iri), view) for iri in found),
            "has_more": has_more,
            "further": statements(thing, view, SHOWN),
        },
        summary=f"The code whose SHA-256 begins with {prefix}, and where it was found.",
        iri=thing.iri,
    )
