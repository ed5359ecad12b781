"""What a file holds: JSON records, Parquet or RDF, told by how it begins and by its name's ending.

What can only be one thing, the content tells: Parquet, XML, JSON-LD that begins with a keyword.
The RDF languages that are written in each other's letters (Turtle is TriG without graphs,
N-Triples is both) are told by the ending; a name without one that means anything leaves it to the
first statement.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from pathlib import PurePath
from typing import Final, TypeAlias

import pyoxigraph as ox


class Records(Enum):
    """The forms of input that hold records."""

    JSON = auto()
    PARQUET = auto()


Content: TypeAlias = Records | ox.RdfFormat

COMPRESSED: Final = frozenset({".gz", ".bz2", ".xz", ".zst"})
JSON_LINES: Final = frozenset({".jsonl", ".ndjson"})
JSON: Final = JSON_LINES | {".json"}
PARQUET: Final = ".parquet"
RDF: Final = {
    ".ttl": ox.RdfFormat.TURTLE,
    ".nt": ox.RdfFormat.N_TRIPLES,
    ".nq": ox.RdfFormat.N_QUADS,
    ".trig": ox.RdfFormat.TRIG,
    ".jsonld": ox.RdfFormat.JSON_LD,
    ".rdf": ox.RdfFormat.RDF_XML,
    ".owl": ox.RdfFormat.RDF_XML,
}
ENDINGS: Final = frozenset({*JSON, PARQUET, *RDF})
"""The endings that count as input inside a folder, each also with one of :data:`COMPRESSED`."""

_PARQUET_MAGIC: Final = b"PAR1"
_JSON_LD: Final = re.compile(rb'\s*(?:\[\s*)?\{\s*"@[a-z]+"\s*:')
_XML: Final = re.compile(rb"\s*<(?:\?xml\s|rdf:RDF[\s>]|!DOCTYPE\s+rdf:RDF\b|!--)")
# Blank space and comments, and then the first word of a statement or of a directive.
_IRI: Final = rb'<[A-Za-z][A-Za-z0-9+.-]*:[^<>"{}|^`\\\s]*>'
_BEFORE: Final = rb"(?:\s|#[^\n]*\n)*"
_STATEMENT: Final = re.compile(
    _BEFORE
    + rb"(?:@prefix\s|@base\s|(?i:prefix\s+[^\s:]*:\s*<|base\s+<|graph\s+<)"
    + rb"|(?:%b|_:\S+)\s*(?:\{|a\s|<|[\w.-]*:))" % _IRI
)


def ending(name: str) -> str:
    """Return the ending of a file's *name*, in lower case, that of a compression left out.

    >>> ending("data/a.JSON.gz"), ending("a.nt"), ending("a.gz"), ending("a")
    ('.json', '.nt', '', '')
    """
    path = PurePath(name)
    if path.suffix.lower() in COMPRESSED:
        path = path.with_suffix("")
    return path.suffix.lower()


def content_of(start: bytes, name: str) -> Content:
    """Return what the file *name* holds whose content begins with *start*."""
    suffix = ending(name)
    named = RDF.get(suffix)
    if start.startswith(_PARQUET_MAGIC):
        return Records.PARQUET
    if _JSON_LD.match(start):
        return ox.RdfFormat.JSON_LD
    if suffix in JSON:
        return Records.JSON
    if _XML.match(start):
        return ox.RdfFormat.RDF_XML
    # A name that promises XML or JSON-LD may be wrong (ontologies in Turtle are called .owl too).
    if _STATEMENT.match(start) and named in (None, ox.RdfFormat.RDF_XML, ox.RdfFormat.JSON_LD):
        named = _by_statement(start)
    return named or Records.JSON


def _by_statement(start: bytes) -> ox.RdfFormat:
    """Return N-Quads if the first statement is one of a named graph, else what all others are."""
    lines = (line.strip() for line in start.split(b"\n"))
    first = next(line for line in lines if line and not line.startswith(b"#"))
    try:
        found = list(ox.parse(first, format=ox.RdfFormat.N_QUADS))
    except SyntaxError:
        return ox.RdfFormat.TRIG
    in_graph = any(not isinstance(quad.graph_name, ox.DefaultGraph) for quad in found)
    return ox.RdfFormat.N_QUADS if in_graph else ox.RdfFormat.TRIG
