"""The IRIs that a Turtle document or a JSON-LD context uses."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pyoxigraph as ox


def terms_of_turtle(text: bytes) -> set[str]:
    """Return every IRI in *text*: subjects, predicates, objects and datatypes."""
    found: set[str] = set()
    for quad in ox.parse(text, format=ox.RdfFormat.TURTLE):
        for term in (quad.subject, quad.predicate, quad.object):
            if isinstance(term, ox.NamedNode):
                found.add(term.value)
            elif isinstance(term, ox.Literal):
                found.add(term.datatype.value)
    return found


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            # An absolute IRI or a CURIE may be a key as well.
            yield from _strings(inner)
            yield key
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


def _prefixes(value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if isinstance(inner, str) and inner.endswith(("/", "#")):
                yield key, inner
            else:
                yield from _prefixes(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _prefixes(inner)


def prefixes_of_context(text: str) -> dict[str, str]:
    """Return the prefixes that the JSON-LD context *text* binds itself."""
    return dict(_prefixes(json.loads(text)))


def terms_of_context(text: str, taken_in: str = "") -> set[str]:
    """Return every IRI in the JSON-LD context *text*, nested contexts included, expanded.

    *taken_in* is the text of the context that it names as its first.
    """
    prefixes = prefixes_of_context(taken_in or "{}") | prefixes_of_context(text)
    found = set()
    for string in _strings(json.loads(text)):
        prefix, colon, name = string.partition(":")
        if colon and prefix in prefixes:
            found.add(prefixes[prefix] + name)
        elif colon:
            found.add(string)
    return found
