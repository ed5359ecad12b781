"""The project's prefixes, as ``ontology/prefixes.ttl`` declares them, and the IRIs of terms."""

from __future__ import annotations

from functools import cache
from typing import Final

import pyoxigraph as ox

from kg import resources
from kg.iris import DEFAULT_BASE

KG: Final = "https://w3id.org/paperkg/ns#"
VOCAB: Final = "https://w3id.org/paperkg/vocab/"
RDF: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS: Final = "http://www.w3.org/2000/01/rdf-schema#"
XSD: Final = "http://www.w3.org/2001/XMLSchema#"
SKOS: Final = "http://www.w3.org/2004/02/skos/core#"
DCT: Final = "http://purl.org/dc/terms/"
SH: Final = "http://www.w3.org/ns/shacl#"
VOID: Final = "http://rdfs.org/ns/void#"
RDF_TYPE: Final = RDF + "type"


@cache
def _declared() -> dict[str, str]:
    """Read the declarations (SHACL, section 5.2.1): one sh:prefix and one sh:namespace each."""
    pairs: dict[ox.NamedNode | ox.BlankNode | ox.Triple, dict[str, str]] = {}
    for quad in ox.parse(path=resources.ontology() / "prefixes.ttl", format=ox.RdfFormat.TURTLE):
        if quad.predicate.value in (SH + "prefix", SH + "namespace") and isinstance(
            quad.object, ox.Literal
        ):
            pairs.setdefault(quad.subject, {})[quad.predicate.value] = quad.object.value
    found = {pair[SH + "prefix"]: pair[SH + "namespace"] for pair in pairs.values()}
    return dict(sorted(found.items()))


def prefixes(base: str = DEFAULT_BASE) -> dict[str, str]:
    """Return prefix → namespace IRI; those of the data (``paper:`` …) stand below *base*."""
    fixed = (KG, VOCAB)
    return {
        prefix: base + namespace[len(DEFAULT_BASE) :]
        if namespace.startswith(DEFAULT_BASE) and not namespace.startswith(fixed)
        else namespace
        for prefix, namespace in _declared().items()
    }
