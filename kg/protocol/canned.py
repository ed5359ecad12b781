"""``/queries``, the list of canned queries, and ``/queries/NAME``, the answer to one."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Final
from urllib.parse import quote, urlencode

from kg.catalogue import CannedQuery
from kg.catalogue.canned import LIMIT
from kg.catalogue.description import described
from kg.catalogue.header import FORMAT
from kg.errors import QueryError, UsageError
from kg.protocol.problem import ProblemError
from kg.protocol.question import Question
from kg.protocol.request import Request
from kg.protocol.response import Response, entity_tag
from kg.protocol.service import Service
from kg.protocol.wanted import Wanted

MOST_ROWS: Final = "X-SPARQL-MaxRows"
"""The header that says after how many rows an answer ends: with as many, there may be more.

It is sent before the rows are counted, with every answer to a canned query that has a limit; the
name is that which Virtuoso gave it.
"""


_LONGEST: Final = 500
"""Characters of values that are worth remembering."""


def listing(request: Request, service: Service) -> Response:
    """Return the list of canned queries as JSON, each with the address of an example."""
    root = service.root(request)

    def write() -> bytes:
        queries = [
            {**described(query), "example": f"{root}/queries/{_example(query)}"}
            for query in service.catalogue
        ]
        text = json.dumps({"queries": queries}, ensure_ascii=False, indent=2) + "\n"
        return text.encode("utf-8")

    content = service.once(("queries", root), write)
    headers = {"Vary": "Accept", "Cache-Control": "no-cache", "ETag": entity_tag(content)}
    return Response.of(content, "application/json", headers=headers)


def question(
    name: str, request: Request, service: Service
) -> tuple[Question, Wanted, dict[str, str]]:
    """Return the question that the canned query *name* is with the parameters of the address.

    What the client wants and the headers of the answer come beside it. Raises
    :class:`ProblemError` for an address that is too long (414), a name that is none (404), a
    parameter that is given twice and a format that does not fit, and
    :class:`~kg.errors.ParameterError` for a parameter that is unknown, missing or of another type.
    """
    given = request.parameters
    try:
        query = service.catalogue.get(name)
    except QueryError:  # which names a file of this machine
        raise ProblemError(404, f"the query {name} is left out: its file is none") from None
    except UsageError as error:
        raise ProblemError(404, str(error)) from None
    values: dict[str, str] = {}
    for parameter, value in given:
        if parameter in values:
            raise ProblemError(
                400,
                f"the parameter {parameter} is given twice",
                members={"parameter": parameter},
            )
        values[parameter] = value
    wanted = Wanted.of(request, given)
    values.pop(FORMAT, None)
    # What is bound once is remembered, but for values of a length that nobody needs.
    bind = _bound if sum(map(len, values.values())) < _LONGEST else _bound.__wrapped__
    text, limit = bind(query, tuple(values.items()), service.base)
    asked = wanted.question(text, form=query.form, is_lookup=query.is_lookup)
    if asked.media_type(query.form) is None:
        raise wanted.refusal(query.form)
    return asked, wanted, {} if limit is None else {MOST_ROWS: limit}


@lru_cache(maxsize=512)
def _bound(
    query: CannedQuery, given: tuple[tuple[str, str], ...], base: str
) -> tuple[str, str | None]:
    """Return the text of *query* with the values *given*, and its limit if it has one."""
    values = dict(given)
    limit = query.terms(values, base).get(LIMIT)
    return query.bind(values, base), None if limit is None else limit.value


def _example(query: CannedQuery) -> str:
    given = {p.name: p.example for p in query.parameters if p.required}
    return f"{quote(query.name)}{'?' if given else ''}{urlencode(given)}"
