"""The ontology and the code lists that paperkg ships, for pages and documents about them."""

from __future__ import annotations

from functools import cache
from typing import Final

import pyoxigraph as ox

from kg import resources
from kg.namespaces import KG, SKOS, prefixes
from kg.site.facts import Excerpt

ONTOLOGY_FILE: Final = "ontology.ttl"
VOCABULARIES_FILE: Final = "vocabularies.ttl"
_OBJECT_PROPERTY: Final = "http://www.w3.org/2002/07/owl#ObjectProperty"
_DATATYPE_PROPERTY: Final = "http://www.w3.org/2002/07/owl#DatatypeProperty"
_CLASS: Final = "http://www.w3.org/2002/07/owl#Class"


@cache
def triples(file: str) -> tuple[ox.Triple, ...]:
    """Return the triples of a Turtle *file* of the ontology, those of one subject together."""
    quads = ox.parse(path=resources.ontology() / file, format=ox.RdfFormat.TURTLE)
    by_subject: dict[str, list[ox.Triple]] = {}
    for quad in quads:
        by_subject.setdefault(str(quad.subject), []).append(quad.triple)
    return tuple(triple for group in by_subject.values() for triple in group)


@cache
def excerpt(file: str) -> Excerpt:
    """Return a Turtle *file* of the ontology as an excerpt."""
    return Excerpt(triples(file), prefixes())


def label(iri: str) -> str:
    """Return the label of a term of the ontology, or the end of the IRI of another vocabulary's."""
    found = excerpt(ONTOLOGY_FILE).of(iri).text("rdfs:label")
    return found or iri.rstrip("/#").replace("#", "/").rpartition("/")[2]


def comment(property_: str) -> str:
    """Return what the ontology says of one of its own terms, by the local name."""
    return excerpt(ONTOLOGY_FILE).of(KG + property_).text("rdfs:comment") or ""


def terms(kind: str) -> list[str]:
    """Return the IRIs of the ontology's terms of a *kind*: ``class`` or ``property``."""
    wanted = {_CLASS} if kind == "class" else {_OBJECT_PROPERTY, _DATATYPE_PROPERTY}
    found = excerpt(ONTOLOGY_FILE)
    own = dict.fromkeys(
        triple.subject.value
        for triple in triples(ONTOLOGY_FILE)
        if isinstance(triple.subject, ox.NamedNode)
    )
    return [iri for iri in own if wanted & set(found.of(iri).classes)]


def schemes() -> list[str]:
    """Return the IRIs of the code lists, in order."""
    found = excerpt(VOCABULARIES_FILE)
    return sorted(
        {
            triple.subject.value
            for triple in triples(VOCABULARIES_FILE)
            if isinstance(triple.subject, ox.NamedNode)
            and SKOS + "ConceptScheme" in found.of(triple.subject.value).classes
        }
    )


def codes(scheme: str) -> list[str]:
    """Return the IRIs of the shipped codes of a list, in the order of the file."""
    return [facts.iri for facts in excerpt(VOCABULARIES_FILE).having("skos:inScheme", scheme)]
