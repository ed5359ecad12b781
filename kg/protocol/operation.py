"""``/sparql``: the query operation of the SPARQL 1.1 Protocol, section 2.1."""

from __future__ import annotations

from typing import Final

import pyoxigraph as ox

from kg.formats import GRAPHS_BY_MEDIA_TYPE, SOLUTIONS_BY_MEDIA_TYPE, negotiate
from kg.media_types import MediaType
from kg.protocol.problem import ProblemError
from kg.protocol.question import Question
from kg.protocol.request import Request, parameters, utf8
from kg.sparql import Graphs

LONGEST_BODY: Final = 4 << 20
"""Bytes that the body of a request may have."""

HINTS: Final = ("format", "output", "results")
"""Parameters in which clients name a format; what they name wins over Accept, if we know it."""

_FORM: Final = "application/x-www-form-urlencoded"
_DIRECT: Final = "application/sparql-query"
_UPDATE: Final = "application/sparql-update"
_READ_ONLY: Final = "this endpoint is only read: it takes queries and no updates"


async def question(request: Request) -> Question | None:
    """Return the question that a request asks, or None for a GET without any.

    A query comes by GET, in a form by POST, or directly as the body of a POST; the parameters of
    the address count in all three. Raises :class:`ProblemError` for a request that is none of them.
    """
    given = request.parameters
    if request.method == "POST":
        given += await _posted(request)
    if any(name == "update" for name, _ in given):
        raise ProblemError(403, _READ_ONLY)
    texts = [value for name, value in given if name == "query"]
    if not texts and request.method != "POST":
        return None
    if len(texts) != 1:
        raise ProblemError(400, f"a request has one query, and this one has {len(texts) or 'none'}")
    hints = [value for hint in HINTS for name, value in given if name == hint]
    accept = request.lines("accept")
    return Question(
        texts[0],
        negotiate(accept, hints, SOLUTIONS_BY_MEDIA_TYPE),
        negotiate(accept, hints, GRAPHS_BY_MEDIA_TYPE),
        _graphs(given),
    )


async def _posted(request: Request) -> list[tuple[str, str]]:
    """Return the parameters in the body of a POST; a direct query is one called ``query``."""
    content = await request.content(LONGEST_BODY)
    if request.header("content-encoding"):
        raise ProblemError(415, "a body is taken without Content-Encoding only")
    declared = request.header("content-type")
    if declared is None and not content:
        return []  # the query stands in the address
    try:
        media_type = MediaType.parse(declared or "")
    except ValueError:
        raise _unsupported(declared) from None
    if media_type.essence == _UPDATE:
        raise ProblemError(403, _READ_ONLY)
    if media_type.essence not in (_FORM, _DIRECT):
        raise _unsupported(declared)
    if not media_type.is_utf8:
        raise ProblemError(415, "a query is taken in UTF-8 only")
    if media_type.essence == _FORM:
        return parameters(content)
    return [("query", utf8(content, "the query"))]


def _unsupported(declared: str | None) -> ProblemError:
    return ProblemError(
        415,
        f"the Content-Type is {declared or 'missing'}; a query is {_DIRECT}, a form {_FORM}",
        headers={"Accept-Post": f"{_FORM}, {_DIRECT}"},
    )


def _graphs(given: list[tuple[str, str]]) -> Graphs | None:
    """Return the graphs that the request names (section 2.1.4), or None if it names none."""
    found: dict[str, list[str]] = {"default-graph-uri": [], "named-graph-uri": []}
    for name, value in given:
        if name in found:
            try:
                iri = ox.NamedNode(value).value
            except ValueError:
                raise ProblemError(400, f"the {name} {value!r} is no IRI") from None
            found[name].append(iri)
    default, named = (tuple(iris) for iris in found.values())
    return Graphs(default, named) if default or named else None
