"""Routes: which part of the protocol answers a request, and what every answer has."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

from kg import __version__
from kg.errors import AnswerError, UsageError
from kg.protocol import canned, operation
from kg.protocol.answering import answered
from kg.protocol.description import description
from kg.protocol.problem import ProblemError
from kg.protocol.question import Evaluate
from kg.protocol.request import Request
from kg.protocol.response import Response
from kg.protocol.service import Service

SPARQL: Final = "/sparql"
QUERIES: Final = "/queries"

Answer: TypeAlias = Callable[[Request, Evaluate, Service], Awaitable[Response]]

_READ: Final = ("GET", "HEAD", "OPTIONS")
_ASKED: Final = ("GET", "HEAD", "OPTIONS", "POST")

# Every answer, errors too: pages of other origins may read it (WHATWG Fetch, section 3.2), and
# nobody takes it for what it is not, though text of the request may come back in it.
_ALWAYS: Final = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag",
    "X-Content-Type-Options": "nosniff",
}


async def handle(request: Request, evaluate: Evaluate, service: Service) -> Response:
    """Answer one request about *service*, of which *evaluate* answers the queries.

    What is wrong with the request becomes a response; anything else that goes wrong is raised.
    """
    try:
        response = await _routed(request, evaluate, service)
    except ProblemError as problem:
        response = problem.response(request.lines("accept"))
    except (UsageError, AnswerError) as error:
        response = ProblemError.of(error).response(request.lines("accept"))
    return await _finished(request, response)


async def failure(request: Request) -> Response:
    """Return the response where answering failed for no fault of the request."""
    problem = ProblemError(500, "a fault of the server, whose log says more")
    return await _finished(request, problem.response(request.lines("accept")))


async def unavailable(request: Request) -> Response:
    """Return the response where answering was given up because the server ends."""
    problem = ProblemError(503, "the server has ended before the query did")
    return await _finished(request, problem.response(request.lines("accept")))


async def _finished(request: Request, response: Response) -> Response:
    if request.method == "HEAD":
        response = await response.without_body()
    return response.with_headers(_ALWAYS)


async def _routed(request: Request, evaluate: Evaluate, service: Service) -> Response:
    named = request.path.startswith(f"{QUERIES}/")
    route = _ROUTES.get(f"{QUERIES}/" if named else request.path)
    if route is None:
        raise ProblemError(404, f"there is nothing at this path; there are {SPARQL} and {QUERIES}")
    allowed, answer = route
    if request.method not in allowed:
        raise ProblemError(
            405,
            f"{request.method} means nothing here; {', '.join(allowed)} do",
            headers={"Allow": ", ".join(allowed)},
        )
    if request.method == "OPTIONS":
        return _options(allowed)
    return await answer(request, evaluate, service)


def _options(allowed: tuple[str, ...]) -> Response:
    methods = ", ".join(allowed)
    return Response(
        204,
        {
            "Allow": methods,
            "Access-Control-Allow-Methods": methods,
            "Access-Control-Allow-Headers": "Accept, Content-Type, If-None-Match",
            "Access-Control-Max-Age": "86400",
        },
    )


async def _contents(request: Request, _: Evaluate, service: Service) -> Response:
    root = request.root
    contents = {
        "paperkg": __version__,
        "snapshot": service.snapshot,
        "base": service.base,
        "sparql": f"{root}{SPARQL}",
        "queries": f"{root}{QUERIES}",
    }
    text = json.dumps(contents, indent=2) + "\n"
    return Response.of(text.encode("utf-8"), "application/json")


async def _listing(request: Request, _: Evaluate, service: Service) -> Response:
    return canned.listing(request, service)


async def _named(request: Request, evaluate: Evaluate, service: Service) -> Response:
    name = request.path.removeprefix(f"{QUERIES}/")
    return await answered(canned.question(name, request, service), request, evaluate, service)


async def _sparql(request: Request, evaluate: Evaluate, service: Service) -> Response:
    question = await operation.question(request)
    if question is None:
        return description(request, f"{request.root}{SPARQL}", service)
    return await answered(question, request, evaluate, service)


# Path → the methods it knows, and what answers them; a path that ends in a slash stands for those
# below it.
_ROUTES: Final[dict[str, tuple[tuple[str, ...], Answer]]] = {
    "/": (_READ, _contents),
    SPARQL: (_ASKED, _sparql),
    QUERIES: (_READ, _listing),
    f"{QUERIES}/": (_READ, _named),
}
