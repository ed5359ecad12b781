"""What is said of a thing and has no place of its own on its page, so that nothing is left out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import pyoxigraph as ox

from kg.namespaces import RDF_TYPE
from kg.site import ontology
from kg.site.facts import Facts
from kg.site.view import Link, View

_EVERYWHERE: Final = ("prov:wasDerivedFrom", "kg:slug")
"""Properties for which every page has a place."""

_SOME: Final = 40
"""Values of one property that are listed; the other forms of the page have them all."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A property and its values; so many *more* are not listed."""

    property: Link
    values: tuple[Link, ...]
    more: int = 0


def statements(thing: Facts, view: View, shown: Iterable[str] = ()) -> list[Statement]:
    """Return what is said of *thing* by other properties than those *shown*, by CURIE."""
    known = {RDF_TYPE, *(thing.expand(name) for name in (*shown, *_EVERYWHERE))}
    return [
        Statement(
            view.link(iri, ontology.label(iri)),
            tuple(value(term, view) for term in thing.values(iri)[:_SOME]),
            max(0, len(thing.values(iri)) - _SOME),
        )
        for iri in thing.properties
        if iri not in known
    ]


def value(term: ox.NamedNode | ox.Literal, view: View) -> Link:
    """Return a value as a page shows it."""
    if isinstance(term, ox.NamedNode):
        return view.link(term.value)
    return Link(term.value, None)
