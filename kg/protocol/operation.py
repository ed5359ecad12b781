"""``/sparql``: the query operation of the SPARQL 1.1 Protocol, section 2.1."""

from __future__ import annotations

from typing import Final

import pyoxigraph as ox

from kg.errors import LimitError
from kg.limits import Limits
from kg.media_types import MediaType
from kg.protocol.problem import ProblemError
from kg.protocol.question import Question
from kg.protocol.request import Request, parameters, utf8
from kg.protocol.wanted import Wanted
from kg.sparql import Graphs, refuse_length

_ESCAPED: Final = 3
"""Characters that a form may write for one byte of a query."""
_BESIDE: Final = 1 << 16
"""Bytes that everything beside the query may take in a form."""

_FORM: Final = "application/x-www-form-urlencoded"
_DIRECT: Final = "application/sparql-query"
_UPDATE: Final = "application/sparql-update"
_READ_ONLY: Final = "this endpoint is only read: it takes queries and no updates"


async def question(request: Request, limits: Limits) -> tuple[Question, Wanted] | None:
    """Return the question that a request asks and what it wants, or None for a GET without any.

    A query comes by GET, in a form by POST, or directly as the body of a POST; the parameters of
    the address count in all three. Raises :class:`ProblemError` for a request that is none of
    them, and :class:`~kg.errors.LimitError` for a query that is too long.
    """
    given = request.parameters
    if request.method == "POST":
        given += await _posted(request, limits)
    if any(name == "update" for name, _ in given):
        raise ProblemError(403, _READ_ONLY)
    texts = [value for name, value in given if name == "query"]
    if not texts and request.method != "POST":
        return None
    if len(texts) != 1:
        raise ProblemError(400, f"a request has one query, and this one has {len(texts) or 'none'}")
    refuse_length(texts[0], limits)
    wanted = Wanted.of(request, given)
    return wanted.question(texts[0], _graphs(given)), wanted


async def _posted(request: Request, limits: Limits) -> list[tuple[str, str]]:
    """Return the parameters in the body of a POST; a direct query is one called ``query``."""
    if (request.header("content-encoding") or "identity").lower() != "identity":
        raise ProblemError(
            415,
            "a body is taken without Content-Encoding only",
            headers={"Accept-Encoding": "identity"},
        )
    declared = request.header("content-type")
    is_form = True
    if declared is not None:
        is_form = _essence(declared) == _FORM
    most = _ESCAPED * limits.query_bytes + _BESIDE if is_form else limits.query_bytes
    content = await request.content(most)
    if content is None:
        option = limits.shown()["query_bytes"].option
        raise LimitError(
            f"the query is longer than {limits.query_bytes:,} bytes ({option})", limit=option
        )
    if declared is None and content:
        raise _unsupported(declared)
    # Without a body the query stands in the address.
    return parameters(content) if is_form else [("query", utf8(content, "the query"))]


def _essence(declared: str) -> str:
    """Return the media type of a body: that of a form or of a query in UTF-8, nothing else."""
    try:
        media_type = MediaType.parse(declared)
    except ValueError:
        raise _unsupported(declared) from None
    if media_type.essence == _UPDATE:
        raise ProblemError(403, _READ_ONLY)
    if media_type.essence not in (_FORM, _DIRECT):
        raise _unsupported(declared)
    if not media_type.is_utf8:
        raise ProblemError(415, "a query is taken in UTF-8 only")
    return media_type.essence


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
