"""What the query editor completes: the project's prefixes, and terms with their labels."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Final

import pyoxigraph as ox

from kg import namespaces, resources
from kg.iris import DEFAULT_BASE
from kg.namespaces import RDF_TYPE, RDFS, SH
from kg.partitions import Counts
from kg.vocabularies import Vocabularies

_OWL: Final = "http://www.w3.org/2002/07/owl#"
_CLASSES: Final = frozenset({_OWL + "Class"})
_PROPERTIES: Final = frozenset({_OWL + "ObjectProperty", _OWL + "DatatypeProperty"})


def vocabulary(base: str = DEFAULT_BASE, counts: Counts | None = None) -> dict[str, object]:
    """Return prefixes and terms in values that JSON has.

    ``prefixes`` leads from prefix to namespace IRI, for a store with *base*; ``classes``,
    ``properties`` and ``concepts`` (the code lists) are lists of ``{"iri": …, "label": …}`` by IRI.
    The terms are those of the ontology and of its shapes, and those that *counts* has of the store.
    """
    found = counts or Counts()
    labels, kinds = _ontology()
    classes = {iri for iri, kind in kinds.items() if kind in _CLASSES}
    properties = {iri for iri, kind in kinds.items() if kind in _PROPERTIES} | {RDF_TYPE}
    return {
        "prefixes": namespaces.prefixes(base),
        "classes": _terms({*classes, *_shaped("targetClass"), *found.classes}, labels),
        "properties": _terms({*properties, *_shaped("path"), *found.properties}, labels),
        "concepts": _terms(_concepts(), _concepts()),
    }


def _terms(iris: Iterable[str], labels: dict[str, str]) -> list[dict[str, str]]:
    return [{"iri": iri, "label": labels.get(iri, "")} for iri in sorted(iris)]


@cache
def _ontology() -> tuple[dict[str, str], dict[str, str]]:
    """Return the labels and the kinds of the terms of the ontology, by IRI."""
    labels: dict[str, str] = {}
    kinds: dict[str, str] = {}
    for quad in ox.parse(path=resources.ontology() / "ontology.ttl", format=ox.RdfFormat.TURTLE):
        subject, value = quad.subject, quad.object
        if isinstance(subject, ox.NamedNode) and not isinstance(value, ox.Triple):
            if quad.predicate.value == f"{RDFS}label":
                labels[subject.value] = value.value
            elif quad.predicate.value == RDF_TYPE:
                kinds[subject.value] = value.value
    return labels, kinds


@cache
def _shaped(property_: str) -> frozenset[str]:
    """Return the IRIs that a property of SHACL's leads to in the shapes of the ontology."""
    shapes = ox.parse(path=resources.ontology() / "shapes.ttl", format=ox.RdfFormat.TURTLE)
    return frozenset(
        quad.object.value
        for quad in shapes
        if quad.predicate.value == SH + property_ and isinstance(quad.object, ox.NamedNode)
    )


@cache
def _concepts() -> dict[str, str]:
    return dict(Vocabularies.load().labels)
