"""Which part of the protocol answers which path."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

import pyoxigraph as ox

from kg import __version__, void
from kg.protocol import canned, operation
from kg.protocol.answering import answered
from kg.protocol.described import described
from kg.protocol.description import description
from kg.protocol.dumps import dump
from kg.protocol.problem import ProblemError
from kg.protocol.question import Evaluate
from kg.protocol.request import Request
from kg.protocol.response import Response
from kg.protocol.service import Service

SPARQL: Final = "/sparql"
QUERIES: Final = "/queries"
VOID: Final = "/.well-known/void"
DUMPS: Final = "/dumps"
HEALTH: Final = "/health"
METRICS: Final = "/metrics"

READ: Final = ("GET", "HEAD", "OPTIONS")
ASKED: Final = ("GET", "HEAD", "OPTIONS", "POST")

Answer: TypeAlias = Callable[[Request, Evaluate, Service], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Route:
    """What answers the requests for one path, and the *methods* that it knows.

    One that *is_open* is there for everybody, though the server be private.
    """

    methods: tuple[str, ...]
    answer: Answer
    is_open: bool = False


async def _contents(request: Request, _: Evaluate, service: Service) -> Response:
    root = service.root(request)
    return _json(
        {
            "paperkg": __version__,
            "snapshot": service.snapshot or None,
            "base": service.base,
            "sparql": f"{root}{SPARQL}",
            "queries": f"{root}{QUERIES}",
            **({} if service.is_elsewhere else {"void": f"{root}{VOID}"}),
            "dumps": [f"{root}{DUMPS}/{name}" for name in service.dumps],
        }
    )


async def _listing(request: Request, _: Evaluate, service: Service) -> Response:
    return canned.listing(request, service)


async def _named(request: Request, evaluate: Evaluate, service: Service) -> Response:
    name = request.path.removeprefix(f"{QUERIES}/")
    question, wanted, headers = canned.question(name, request, service)
    return await answered(question, wanted, request, evaluate, service, headers=headers)


async def _sparql(request: Request, evaluate: Evaluate, service: Service) -> Response:
    asked = await operation.question(request, service.limits)
    if asked is None:
        root = service.root(request)
        dataset = f"{root}{VOID}#dataset"

        # What VoID says is said here too: clients that want to know look at the endpoint itself.
        def triples() -> Iterator[ox.Triple]:
            yield from description(f"{root}{SPARQL}", dataset, service)
            if not service.is_elsewhere:
                yield from _void(dataset, root, service)

        return described(request, service, SPARQL, triples)
    return await answered(*asked, request, evaluate, service)


async def _void_described(request: Request, _: Evaluate, service: Service) -> Response:
    if service.is_elsewhere:
        raise ProblemError(404, "the data are another server's, which describes them")
    root = service.root(request)
    dataset = f"{root}{VOID}#dataset"
    return described(request, service, VOID, lambda: _void(dataset, root, service))


def _void(dataset: str, root: str, service: Service) -> Iterator[ox.Triple]:
    return void.description(
        dataset,
        base=service.base,
        triples=service.triples,
        counts=service.counts,
        endpoint=f"{root}{SPARQL}",
        examples=service.examples,
        dumps=[f"{root}{DUMPS}/{name}" for name in service.dumps],
        created=service.created,
    )


async def _dumped(request: Request, _: Evaluate, service: Service) -> Response:
    return dump(request.path.removeprefix(f"{DUMPS}/"), service)


async def _health(_: Request, __: Evaluate, service: Service) -> Response:
    if not service.is_well():
        raise ProblemError(503, "no query is answered now", headers={"Retry-After": "5"})
    response = _json({"status": "ok", "snapshot": service.snapshot or None})
    return response.with_headers({"Cache-Control": "no-store"})


async def _metrics(_: Request, __: Evaluate, service: Service) -> Response:
    content = service.metrics().encode("utf-8")
    headers = {"Cache-Control": "no-store"}
    return Response.of(content, "text/plain; version=0.0.4; charset=utf-8", headers=headers)


def _json(value: object) -> Response:
    text = json.dumps(value, ensure_ascii=False, indent=2) + "\n"
    headers = {"Vary": "Accept"}  # a page may stand at the same address
    return Response.of(text.encode("utf-8"), "application/json", headers=headers)


ROUTES: Final[dict[str, Route]] = {
    "/": Route(READ, _contents),
    SPARQL: Route(ASKED, _sparql),
    QUERIES: Route(READ, _listing),
    f"{QUERIES}/": Route(READ, _named),
    VOID: Route(READ, _void_described),
    f"{DUMPS}/": Route(READ, _dumped),
    HEALTH: Route(READ, _health, is_open=True),
    METRICS: Route(READ, _metrics),
}
"""By path; a path that ends in a slash stands for those below it."""


def route_of(path: str) -> str | None:
    """Return the path of the route that answers *path*, or None where there is none.

    A route whose path ends in a slash stands for all below it. A slash at the end of an address
    is no other address.

    >>> route_of("/queries/class-counts"), route_of("/sparql/"), route_of("/x")
    ('/queries/', '/sparql', None)
    """
    if path in ROUTES and not path.endswith("/"):
        return path
    parent, _, name = path.rpartition("/")
    if not name:
        return "/" if path == "/" else parent if parent in ROUTES else None
    return f"{parent}/" if parent and f"{parent}/" in ROUTES else None
