"""Nodes mapped by PyLD: whatever JSON-LD a context holds, some forty times slower.

It is the way of what :mod:`kg.mapper.compiled` does not compile, and what that is measured by.
"""

from __future__ import annotations

from collections.abc import Sequence

import pyoxigraph as ox
from pyld import jsonld

from kg.contexts import JsonObject
from kg.errors import ResourceError


def never(url: str, _options: object) -> JsonObject:
    """Refuse to load the document *url*: a context asks for nothing but what it brings."""
    raise ResourceError(f"a context asked for {url}; contexts are never fetched")


def lines(context: Sequence[JsonObject], nodes: Sequence[object]) -> list[bytes]:
    """Return the triples of *nodes* by a *context* as N-Triples lines, by PyLD's ``to_rdf``.

    Raises :class:`~kg.errors.ResourceError` where the context makes something of them that is no
    triple of a graph without blank nodes.
    """
    document = {"@context": context, "@graph": nodes}
    try:
        dataset = jsonld.to_rdf(document, {"documentLoader": never})
        return [_line(triple) for triple in dataset.get("@default", [])]
    except (jsonld.JsonLdError, ValueError) as error:
        raise ResourceError(f"the context of a record cannot map it: {error}") from error


def _line(triple: dict[str, dict[str, str]]) -> bytes:
    target = triple["object"]
    value: ox.NamedNode | ox.Literal
    if target["type"] == "literal":
        if language := target.get("language"):
            value = ox.Literal(target["value"], language=language)
        else:
            value = ox.Literal(target["value"], datatype=ox.NamedNode(target["datatype"]))
    else:
        value = ox.NamedNode(target["value"])
    subject = ox.NamedNode(triple["subject"]["value"])
    predicate = ox.NamedNode(triple["predicate"]["value"])
    return f"{subject} {predicate} {value} .".encode()
