"""``/queries``, the list of canned queries, and ``/queries/NAME``, the answer to one."""

from __future__ import annotations

import json
from urllib.parse import quote, urlencode

from kg.catalogue import CannedQuery
from kg.catalogue.description import described
from kg.catalogue.header import FORMAT
from kg.errors import QueryError, UsageError
from kg.formats import (
    GRAPHS,
    GRAPHS_BY_MEDIA_TYPE,
    SOLUTIONS,
    SOLUTIONS_BY_MEDIA_TYPE,
    negotiate,
)
from kg.protocol.problem import ProblemError
from kg.protocol.question import Question
from kg.protocol.request import Request
from kg.protocol.response import Response
from kg.protocol.service import Service


def listing(request: Request, service: Service) -> Response:
    """Return the list of canned queries as JSON, each with the address of an example."""
    root = request.root
    queries = [
        {**described(query), "example": f"{root}/queries/{_example(query)}"}
        for query in service.catalogue
    ]
    content = json.dumps({"queries": queries}, ensure_ascii=False, indent=2) + "\n"
    return Response.of(content.encode("utf-8"), "application/json")


def question(name: str, request: Request, service: Service) -> Question:
    """Return the question that the canned query *name* is with the parameters of the address.

    Raises :class:`ProblemError` for an address that is too long (414), a name that is none (404), a
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
    asked = values.pop(FORMAT, None)
    hints = [] if asked is None else [asked]
    bound = Question(
        query.bind(values, service.base),
        negotiate(request.lines("accept"), hints, SOLUTIONS_BY_MEDIA_TYPE),
        negotiate(request.lines("accept"), hints, GRAPHS_BY_MEDIA_TYPE),
    )
    formats = GRAPHS if query.form.is_graph else SOLUTIONS
    if asked is not None and not any(one.answers_to(asked) for one in formats):
        raise ProblemError(
            400,
            f"the answer to {query.form} has no format {asked};"
            f" take one of {', '.join(one.name for one in formats)}",
            members={"parameter": FORMAT},
        )
    return bound


def _example(query: CannedQuery) -> str:
    given = {p.name: p.example for p in query.parameters if p.required}
    return f"{quote(query.name)}{'?' if given else ''}{urlencode(given)}"
