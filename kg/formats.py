"""The formats of answers: SPARQL 1.1 results formats for solutions, RDF 1.1 formats for graphs.

The first of each kind is what a client gets that asks for nothing in particular.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

import pyoxigraph as ox

from kg.media_types import choose

Engine = TypeVar("Engine", ox.QueryResultsFormat, ox.RdfFormat)

_IRIS: Final = "http://www.w3.org/ns/formats/"


@dataclass(frozen=True, slots=True)
class Format(Generic[Engine]):
    """One format: its short *name*, its media type, and what else it is asked for by.

    *aliases* are media types that clients use for it and *hints* other short names; *engine* is
    what Oxigraph calls it and *iri* what a service description does.
    """

    name: str
    media_type: str
    aliases: tuple[str, ...]
    hints: tuple[str, ...]
    engine: Engine
    iri: str

    def answers_to(self, hint: str) -> bool:
        """Say whether *hint*, a short name or a media type, means this format."""
        names = (self.name, *self.hints, self.media_type, *self.aliases)
        return hint.strip().lower() in names


SOLUTIONS: Final = (
    Format(
        "json",
        "application/sparql-results+json",
        ("application/json",),
        ("sparql-results+json", "srj"),
        ox.QueryResultsFormat.JSON,
        _IRIS + "SPARQL_Results_JSON",
    ),
    Format(
        "xml",
        "application/sparql-results+xml",
        ("application/xml", "text/xml"),
        ("sparql-results+xml", "srx"),
        ox.QueryResultsFormat.XML,
        _IRIS + "SPARQL_Results_XML",
    ),
    Format("csv", "text/csv", (), (), ox.QueryResultsFormat.CSV, _IRIS + "SPARQL_Results_CSV"),
    Format(
        "tsv",
        "text/tab-separated-values",
        (),
        (),
        ox.QueryResultsFormat.TSV,
        _IRIS + "SPARQL_Results_TSV",
    ),
)

GRAPHS: Final = (
    Format("ttl", "text/turtle", (), ("turtle",), ox.RdfFormat.TURTLE, _IRIS + "Turtle"),
    Format(
        "nt",
        "application/n-triples",
        (),
        ("n-triples", "ntriples"),
        ox.RdfFormat.N_TRIPLES,
        _IRIS + "N-Triples",
    ),
    Format(
        "rdfxml",
        "application/rdf+xml",
        ("application/xml", "text/xml"),
        ("rdf+xml", "rdf/xml", "rdf", "xml"),
        ox.RdfFormat.RDF_XML,
        _IRIS + "RDF_XML",
    ),
    Format(
        "jsonld",
        "application/ld+json",
        ("application/json",),
        ("json-ld", "ld+json", "json"),
        ox.RdfFormat.JSON_LD,
        _IRIS + "JSON-LD",
    ),
    Format(
        "nq",
        "application/n-quads",
        (),
        ("n-quads", "nquads"),
        ox.RdfFormat.N_QUADS,
        _IRIS + "N-Quads",
    ),
    Format("trig", "application/trig", (), (), ox.RdfFormat.TRIG, _IRIS + "TriG"),
)


def _by_media_type(formats: Sequence[Format[Engine]]) -> Mapping[str, Format[Engine]]:
    """Return the types on offer in order: those that name one format alone stand first."""
    table = {one.media_type: one for one in formats}
    for one in formats:
        table.update(dict.fromkeys(one.aliases, one))
    return table


SOLUTIONS_BY_MEDIA_TYPE: Final = _by_media_type(SOLUTIONS)
GRAPHS_BY_MEDIA_TYPE: Final = _by_media_type(GRAPHS)


def negotiate(
    accept: Sequence[str],
    hints: Sequence[str],
    formats: Mapping[str, Format[Engine]],
    *,
    insists: bool = False,
) -> str | None:
    """Return the media type of an answer among *formats* (one of the two tables by media type).

    A hint (the value of ``format=``) that names one of them wins over *accept*, the Accept lines;
    one that names none of them is passed over, unless the client *insists* on it. None: the
    client accepts none of them.

    >>> negotiate(["*/*"], ["turtle"], GRAPHS_BY_MEDIA_TYPE)
    'text/turtle'
    """
    for hint in hints:
        for format_ in formats.values():
            if format_.answers_to(hint):
                return format_.media_type
    return None if insists else choose(accept, tuple(formats))


def content_type(media_type: str) -> str:
    """Return the value of Content-Type: text says that it is UTF-8."""
    return f"{media_type}; charset=utf-8" if media_type.startswith("text/") else media_type
