"""Under which identifiers and addresses a thing is known elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kg.site import wording
from kg.site.facts import Facts
from kg.site.view import Link, View

_KINDS: Final = (
    ("same as", "owl:sameAs"),
    ("same as", "schema:sameAs"),
    ("exact match", "skos:exactMatch"),
    ("see also", "rdfs:seeAlso"),
)
_DOI: Final = "https://doi.org/"
_ARXIV: Final = "https://arxiv.org/abs/"
_SITES: Final = {
    "huggingface.co": "Hugging Face papers",
    "api.semanticscholar.org": "Semantic Scholar",
    "linkedpaperswithcode.com": "Linked Papers With Code",
    "archive.softwareheritage.org": "Software Heritage",
    "wikidata.org": "Wikidata",
    "semopenalex.org": "SemOpenAlex",
    "openalex.org": "OpenAlex",
    "dblp.org": "dblp",
}


@dataclass(frozen=True, slots=True)
class Identifier:
    """An identifier and of which *kind* it is: an identity, or a page that may not be there."""

    kind: str
    link: Link


def identifiers(thing: Facts, view: View) -> list[Identifier]:
    """Return the identifiers of a thing, the identities first."""
    found = {
        iri: Identifier(kind, view.link(iri, _name(iri)))
        for kind, property_ in reversed(_KINDS)
        for iri in thing.iris(property_)
    }
    order = [kind for kind, _ in _KINDS]
    return sorted(found.values(), key=lambda one: (order.index(one.kind), one.link.text.casefold()))


def _name(iri: str) -> str:
    if iri.startswith(_DOI):
        return f"doi:{iri.removeprefix(_DOI)}"
    if iri.startswith(_ARXIV):
        return f"arXiv:{iri.removeprefix(_ARXIV)}"
    host = wording.host(iri)
    return _SITES.get(host, wording.shorter(iri.partition("//")[2], 60))
