"""One request answered, whatever it asks and whatever goes wrong with it."""

from __future__ import annotations

from typing import Final

from kg.errors import AnswerError, BusyError, KgError, StoppedError, UsageError
from kg.protocol.finishing import finished
from kg.protocol.problem import ProblemError
from kg.protocol.question import Evaluate
from kg.protocol.request import Request
from kg.protocol.response import Response
from kg.protocol.routes import ASKED, QUERIES, ROUTES, SPARQL, route_of
from kg.protocol.service import Service

# What a client is told of; everything else is a fault of the server.
_TOLD: Final = (UsageError, AnswerError, BusyError, StoppedError)


async def handle(request: Request, evaluate: Evaluate, service: Service) -> Response:
    """Answer one request about *service*, of which *evaluate* answers the queries.

    What is wrong with the request becomes a response; anything else that goes wrong is raised.
    """
    try:
        response = await _routed(request, evaluate, service)
    except ProblemError as problem:
        response = problem.response(request.lines("accept"))
    except _TOLD as error:
        response = ProblemError.of(error).response(request.lines("accept"))
    return await finished(request, response, is_private=service.tokens is not None)


async def refused(request: Request, problem: ProblemError) -> Response:
    """Return the response to a request that is not looked at because of *problem*."""
    return await finished(request, problem.response(request.lines("accept")))


async def failure(request: Request, error: Exception) -> Response:
    """Return the response where answering failed by *error*."""
    if isinstance(error, KgError) and isinstance(error, _TOLD):
        problem = ProblemError.of(error)
    else:
        problem = ProblemError(500, "a fault of the server, whose log says more")
    return await refused(request, problem)


async def unavailable(request: Request) -> Response:
    """Return the response where answering was given up because the server ends."""
    problem = ProblemError(
        503, "the server has ended before the query did", headers={"Retry-After": "5"}
    )
    return await refused(request, problem)


async def _routed(request: Request, evaluate: Evaluate, service: Service) -> Response:
    if request.path == "*" and request.method == "OPTIONS":
        return _options(ASKED)
    path = route_of(request.path)
    route = ROUTES[path] if path is not None else None
    is_open = request.method == "OPTIONS" or (route is not None and route.is_open)
    if service.tokens is not None and not is_open:
        authorization = request.header("authorization")
        if not service.tokens.allow(authorization):
            raise _unauthorized(authorization)
    if service.pages is not None:
        response = await service.pages(request, evaluate, service)
        if response is not None:
            return response
    if route is None:
        raise ProblemError(404, f"there is nothing at this path; there are {SPARQL} and {QUERIES}")
    if request.method not in route.methods:
        raise ProblemError(
            405,
            f"{request.method} means nothing here; {', '.join(route.methods)} do",
            headers={"Allow": ", ".join(route.methods)},
        )
    if request.method == "OPTIONS":
        return _options(route.methods)
    return await route.answer(request, evaluate, service)


def _unauthorized(authorization: str | None) -> ProblemError:
    # RFC 6750, section 3.1: only who has sent something is told what is wrong with it.
    wrong = ', error="invalid_token"' if authorization else ""
    return ProblemError(
        401,
        "this server is private: send one of its tokens, as Authorization: Bearer TOKEN",
        headers={"WWW-Authenticate": f'Bearer realm="paperkg"{wrong}'},
    )


def _options(allowed: tuple[str, ...]) -> Response:
    methods = ", ".join(allowed)
    return Response(
        204,
        {
            "Allow": methods,
            "Access-Control-Allow-Methods": methods,
            "Access-Control-Allow-Headers": "Accept, Authorization, Content-Type, If-None-Match, *",
            "Access-Control-Max-Age": "86400",
        },
    )
