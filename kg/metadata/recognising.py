"""Queries about a store's metadata, recognised by their text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kg.catalogue.rdf import SPEX
from kg.errors import QueryError
from kg.metadata.described import VOID_EXT
from kg.namespaces import DCT, RDF, RDFS, SH, SKOS, VOID, XSD
from kg.sparql import Kind, Token, scan

_SD: Final = "http://www.w3.org/ns/sparql-service-description#"
_OWL: Final = "http://www.w3.org/2002/07/owl#"
_SCHEMA: Final = ("http://schema.org/", "https://schema.org/")

TELLING: Final = (SH, VOID, VOID_EXT, SPEX)
"""Vocabularies that are about data and queries: a query about metadata uses one of them."""

ALLOWED: Final = (*TELLING, _SD, RDF, RDFS, XSD, _OWL, DCT, SKOS, *_SCHEMA)
"""Vocabularies that it may use beside them, and no others."""


def is_about_metadata(text: str, prefixes: Mapping[str, str]) -> bool:
    """Say whether the query *text* is about metadata, and about nothing else.

    It names a term of :data:`TELLING`, and no IRI outside of :data:`ALLOWED`; it names no graphs,
    which are then asked. *prefixes* are known to it. A text that is no query is about nothing.

    >>> is_about_metadata("ASK { ?d sh:prefix ?p }", {"sh": SH})
    True
    >>> is_about_metadata("ASK { ?d sh:prefix ?p . ?paper kg:task ?t }", {"sh": SH, "kg": "http://e/"})
    False
    """
    named = (*TELLING, *(f"{name}:" for name, iri in prefixes.items() if iri in TELLING))
    if not any(name in text for name in named):  # most queries end here, unread
        return False
    try:
        tokens = list(scan(text))
    except QueryError:
        return False
    if any(token.is_word("FROM", "GRAPH", "SERVICE") for token in tokens):
        return False
    iris = _iris(tokens, prefixes)
    return any(iri.startswith(TELLING) for iri in iris) and all(
        iri.startswith(ALLOWED) for iri in iris
    )


def _iris(tokens: list[Token], prefixes: Mapping[str, str]) -> list[str]:
    """Return the IRIs that a query names outside of its declarations of prefixes.

    One that cannot be told is given as it is written, which is no IRI of any vocabulary.
    """
    declared = dict(prefixes)
    iris: list[str] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        if token.is_word("PREFIX"):
            declaration = [one.text for one in tokens[place + 1 : place + 3]]
            if len(declaration) < 2:
                return [""]
            declared[declaration[0].removesuffix(":")] = declaration[1][1:-1]
            place += 2
        elif token.kind is Kind.IRI:
            iris.append(token.text[1:-1])
        elif token.kind is Kind.PREFIXED_NAME:
            prefix, _, local = token.text.partition(":")
            iris.append(declared.get(prefix, "") + local)
        place += 1
    return iris
