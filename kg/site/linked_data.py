"""Linked data: the formats in which a thing of the graph answers at its IRI, and their links.

A thing has an address for each format, its path with ``.ttl``, ``.jsonld``, ``.nt`` or ``.html`` at
its end, and one without, at which the Accept header decides. All say what the thing and its parts
are (:mod:`kg.describing`), and lead to each other by Link headers (RFC 8288; ``describedby`` and
``describes`` as POWDER and RFC 6892 have them).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

import pyoxigraph as ox

from kg.errors import UsageError
from kg.exporter import output_context
from kg.exporter.frames import Framer
from kg.exporter.jsonld import Names, check, jsonld
from kg.exporter.product import by_subject
from kg.exporter.turtle import short_turtle
from kg.media_types import choose
from kg.protocol import ProblemError, Request

HTML: Final = "text/html"


@dataclass(frozen=True, slots=True)
class Form:
    """One form of a document: its *name*, the *suffix* of its address and its media type."""

    name: str
    suffix: str
    media_type: str


PAGE: Final = Form("HTML", ".html", HTML)
TURTLE: Final = Form("Turtle", ".ttl", "text/turtle")
JSON_LD: Final = Form("JSON-LD", ".jsonld", "application/ld+json")
N_TRIPLES: Final = Form("N-Triples", ".nt", "application/n-triples")
FORMS: Final = (PAGE, TURTLE, JSON_LD, N_TRIPLES)
"""The first is what a client gets that asks for nothing in particular."""

_ALIASES: Final = {"application/xhtml+xml": HTML, "application/json": JSON_LD.media_type}
_SAFE: Final = "/~!$&'()*+,;=:@-._%#"


def split_suffix(path: str) -> tuple[str, Form | None]:
    """Return *path* without the suffix of a form, and that form, if it has one.

    >>> split_suffix("/paper/a.ttl")[0], split_suffix("/paper/a.b")
    ('/paper/a', ('/paper/a.b', None))
    """
    for form in FORMS:
        if path.endswith(form.suffix):
            return path.removesuffix(form.suffix), form
    return path, None


def wanted(request: Request, forms: Sequence[Form] = FORMS) -> Form:
    """Return the one of *forms* that the client wants most.

    Raises :class:`~kg.protocol.ProblemError` where it wants none (406).
    """
    by_type = {form.media_type: form for form in forms}
    by_type |= {
        alias: by_type[media_type]
        for alias, media_type in _ALIASES.items()
        if media_type in by_type
    }
    chosen = choose(request.lines("accept"), tuple(by_type))
    if chosen is None:
        offered = [form.media_type for form in forms]
        raise ProblemError(406, f"this comes as {', '.join(offered)}", members={"offered": offered})
    return by_type[chosen]


def wants_page(request: Request, others: Sequence[str]) -> bool:
    """Say whether the client wants HTML more than any of the media types *others*."""
    return choose(request.lines("accept"), (*others, HTML, "application/xhtml+xml")) in (
        HTML,
        "application/xhtml+xml",
    )


def one_thing(form: Form, description: Sequence[ox.Triple], prefixes: Mapping[str, str]) -> bytes:
    """Return the document of a thing by its description: JSON-LD with its parts inside.

    Raises :class:`~kg.protocol.ProblemError` for what JSON-LD cannot carry (406).
    """
    if form is not JSON_LD:
        return many_things(form, description, prefixes)
    with _Carried():
        document = Framer(output_context()).frame(description)
    return f"{json.dumps(document, ensure_ascii=False, indent=2)}\n".encode()


def many_things(form: Form, triples: Sequence[ox.Triple], prefixes: Mapping[str, str]) -> bytes:
    """Return a document of *triples*, in which those of one subject stand together.

    Raises :class:`~kg.protocol.ProblemError` for what JSON-LD cannot carry (406).
    """
    if form is N_TRIPLES:
        return ox.serialize(triples, format=ox.RdfFormat.N_TRIPLES) or b""
    if form is TURTLE:
        return short_turtle(by_subject(triples), prefixes).encode()
    context = output_context()
    with _Carried():
        check(triples, context)
    return "".join(jsonld(by_subject(triples), (), Names(context))).encode()


def link_header(
    address: str, iri: str | None, form: Form, licences: Iterable[str], dataset: str
) -> str:
    """Return the value of Link for a document in *form* about *iri*, at *address*.

    *address* has no suffix; *dataset* is the address of the description of the whole graph.
    """
    address = quote(address, safe=_SAFE)
    links = [f'<{quote(licence, safe=_SAFE)}>; rel="license"' for licence in licences]
    for other in FORMS:
        target = f"<{address}{other.suffix}>"
        if other is TURTLE:
            links.append(f'{target}; rel="describedby"; type="{other.media_type}"')
        if other is not form:
            links.append(f'{target}; rel="alternate"; type="{other.media_type}"')
    if iri is not None:
        links.append(f'<{quote(iri, safe=_SAFE)}>; rel="describes"')
    links.append(f'<{quote(dataset, safe=_SAFE)}>; rel="describedby"; title="the graph, in VoID"')
    return ", ".join(links)


class _Carried:
    """Has what JSON-LD cannot carry refused as a format that does not fit."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if isinstance(error, UsageError):
            raise ProblemError(406, str(error)) from None
