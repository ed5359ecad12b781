"""The protocol without a socket: requests as values, answers read to their end."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import pyoxigraph as ox

from kg.catalogue import Catalogue
from kg.evaluation import InProcess
from kg.namespaces import KG, RDF_TYPE
from kg.protocol import Evaluate, Request, Service, handle
from kg.store import Store

BASE = "https://example.org/kg/"
JSON, XML = "application/sparql-results+json", "application/sparql-results+xml"
CSV, TSV = "text/csv", "text/tab-separated-values"
TTL, NT, RDF_XML = "text/turtle", "application/n-triples", "application/rdf+xml"
JSON_LD, NQ, TRIG = "application/ld+json", "application/n-quads", "application/trig"
FORM, DIRECT = "application/x-www-form-urlencoded", "application/sparql-query"

QUADS = f"""
<{BASE}paper/a> <{RDF_TYPE}> <{KG}Paper> .
<{BASE}paper/a> <http://purl.org/dc/terms/title> "A" .
<http://e/s> <http://e/p> "both" <http://e/g1> .
<http://e/s> <http://e/p> "both" <http://e/g2> .
<http://e/s> <http://e/p> "one" <http://e/g1> .
"""


@dataclass(frozen=True)
class Answered:
    """A response, its body read; header names in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def media_type(self) -> str:
        return self.headers.get("content-type", "").partition(";")[0]

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def rows(self) -> list[dict[str, str]]:
        """The solutions of a JSON answer: variable → value."""
        return [
            {name: term["value"] for name, term in row.items()}
            for row in self.json["results"]["bindings"]
        ]


async def pieces(content: bytes, size: int = 1000) -> AsyncIterator[bytes]:
    for start in range(0, len(content), size):
        yield content[start : start + size]


def filled(quads: str = QUADS) -> Store:
    store = ox.Store()
    store.load(quads.encode(), format=ox.RdfFormat.N_QUADS)
    return Store(store, "a test's")


class Client:
    """Sends requests to the protocol over one store, or to *evaluate*."""

    def __init__(
        self,
        store: Store | None = None,
        *,
        evaluate: Callable[..., Awaitable[object]] | None = None,
        snapshot: str = "s1",
    ) -> None:
        self._store = store or filled()
        self._evaluate = evaluate
        self.service = Service(
            snapshot, BASE, 2, {"http://e/g2": 1, "http://e/g1": 2}, Catalogue.load()
        )

    def send(
        self,
        method: str = "GET",
        path: str = "/sparql",
        parameters: Sequence[tuple[str, str]] | str = (),
        *,
        accept: str | None = None,
        headers: Sequence[tuple[str, str]] = (),
        body: bytes = b"",
    ) -> Answered:
        lines = [("host", "127.0.0.1:7878"), *headers]
        if accept is not None:
            lines.append(("accept", accept))
        encoded = parameters if isinstance(parameters, str) else urlencode(parameters)
        request = Request(method, path, encoded.encode(), lines, pieces(body))

        async def run() -> Answered:
            evaluate: Evaluate = self._evaluate or InProcess(self._store, BASE)  # type: ignore[assignment]  # a test's
            response = await handle(request, evaluate, self.service)
            content = b"".join([piece async for piece in response.body])
            await response.body.aclose()
            named = {name.lower(): value for name, value in response.headers.items()}
            assert len(named) == len(response.headers)
            return Answered(response.status, named, content)

        return asyncio.run(run())

    def get(
        self, query: str, accept: str | None = None, *more: tuple[str, str], method: str = "GET"
    ) -> Answered:
        return self.send(method, parameters=[("query", query), *more], accept=accept)

    def post(
        self,
        body: bytes,
        content_type: str | None,
        parameters: Sequence[tuple[str, str]] = (),
        accept: str | None = None,
    ) -> Answered:
        headers = [("content-type", content_type)] if content_type else []
        return self.send("POST", "/sparql", parameters, accept=accept, headers=headers, body=body)
