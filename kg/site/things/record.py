"""The page of a source record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kg.site.facts import Facts
from kg.site.page import Page
from kg.site.things import lists
from kg.site.things.further import statements
from kg.site.things.origin import told
from kg.site.view import View

SHOWN: Final = (
    *("dct:source", "dct:publisher", "dct:license", "dct:rights", "cc:attributionURL"),
    *("kg:snapshot", "kg:readAt", "kg:claim", "kg:archive", "kg:modificationNote"),
    *("kg:readAtNote", "kg:nonAffiliation"),
)


def page(thing: Facts, view: View, address: str, given: Mapping[str, str]) -> Page:
    """Return the page of a record: its terms, its notes, and what was derived from it."""
    found, has_more = lists.some(f"?thing prov:wasDerivedFrom <{thing.iri}>", view, 200)
    view.learn(found)
    # Parts of a thing come from its records too, and are told with it.
    whole = [iri for iri in found if "#" not in iri]
    whole.sort(key=lambda iri: _order(iri, view))
    title = f"Record: {view.name(whole[0] if whole else thing.iri)}"
    return Page(
        title,
        "record.html",
        {
            "record": told(thing, view),
            "things": [link for iri in whole if (link := view.link(iri))],
            "parts": len(found) - len(whole),
            "has_more": has_more,
            "further": statements(thing, view, SHOWN),
        },
        summary="A source record, its licence and what was derived from it.",
        iri=thing.iri,
        licences=tuple(thing.iris("dct:license")),
    )


def _order(iri: str, view: View) -> tuple[bool, str]:
    """Return the key that puts what a record is a record of before its results and samples."""
    path = view.addresses.path(iri) or ""
    is_main = path.startswith(("/paper/", "/dataset/", "/method/", "/task/"))
    return not is_main, view.name(iri).casefold()
