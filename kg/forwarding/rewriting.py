"""An answer in one format written anew in another; it is in memory as a whole."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Final

import pyoxigraph as ox

from kg.answers.turtle_names import serialize
from kg.answers.xml_guard import XmlGuard
from kg.errors import AnswerLimitError
from kg.formats import Engine, Format
from kg.media_types import MediaType

_NOT_READ: Final = (ox.QueryResultsFormat.CSV,)
"""What the engine writes and does not read."""


def format_of(content_type: str, known: Mapping[str, Format[Engine]]) -> Format[Engine] | None:
    """Return the one of the formats *known* that a Content-Type names, or None."""
    try:
        return known.get(MediaType.parse(content_type).essence)
    except ValueError:
        return None


def accept(wanted: Format[Engine], known: Mapping[str, Format[Engine]]) -> str:
    """Return an Accept header: the format *wanted*, or else one that can be written as it."""
    read: set[str] = {one.media_type for one in known.values() if one.engine not in _NOT_READ}
    read.discard(wanted.media_type)
    return ", ".join([wanted.media_type, *(f"{media_type};q=0.5" for media_type in sorted(read))])


def graph_as(
    content: bytes,
    had: Format[ox.RdfFormat],
    wanted: Format[ox.RdfFormat],
    prefixes: Mapping[str, str],
    rows: int | None = None,
) -> bytes:
    """Return a graph that is in the format *had* in the format *wanted*, each triple once.

    *prefixes* are those of Turtle and TriG. Raises ValueError or SyntaxError where it is broken,
    :class:`~kg.errors.AnswerLimitError` for more than *rows* triples, and
    :class:`~kg.errors.AnswerError` for what XML cannot carry.
    """
    triples = dict.fromkeys(quad.triple for quad in ox.parse(content, format=had.engine))
    _refuse_more(len(triples), rows)
    shown = dict(prefixes) if wanted.engine in (ox.RdfFormat.TURTLE, ox.RdfFormat.TRIG) else None
    stream = io.BytesIO()
    serialize(triples, stream, wanted.engine, shown)
    return _guarded(stream.getvalue(), wanted.media_type, "Turtle or N-Triples")


def solutions_as(
    content: bytes,
    had: Format[ox.QueryResultsFormat],
    wanted: Format[ox.QueryResultsFormat],
    rows: int | None = None,
) -> bytes:
    """Return solutions, or a yes or no, in the format *wanted*; see :func:`graph_as`."""
    result = ox.parse_query_results(content, format=had.engine)
    if isinstance(result, ox.QuerySolutions):
        # Read to the end, where faults would show themselves too late.
        _refuse_more(sum(1 for _ in result), rows)
        result = ox.parse_query_results(content, format=had.engine)
    written = result.serialize(format=wanted.engine) or b""
    return _guarded(written, wanted.media_type, "JSON, CSV or TSV")


def _guarded(written: bytes, media_type: str, others: str) -> bytes:
    return XmlGuard(others)(written) if media_type.endswith("xml") else written


def _refuse_more(count: int, most: int | None) -> None:
    if most is not None and count > most:
        raise AnswerLimitError(
            f"the answer has more than {most:,} rows (--row-limit);"
            " ask for fewer, with LIMIT for one",
            limit="--row-limit",
        )
