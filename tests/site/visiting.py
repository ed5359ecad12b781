"""The site without a socket: requests as values, answers read to their end."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pyoxigraph as ox

from kg import namespaces
from kg.catalogue import Catalogue
from kg.evaluation import InProcess
from kg.exporter.product import Product
from kg.opened import Opened
from kg.partitions import Counts
from kg.protocol import Evaluate, ProblemError, Request, Response, Service
from kg.protocol.finishing import finished
from kg.search import FILE, Index, build
from kg.site import Site
from kg.snapshot import Snapshot
from kg.store import Store
from tests.site.parsing import Element, parsed

HTML, TTL, JSON_LD, NT = "text/html", "text/turtle", "application/ld+json", "application/n-triples"
JSON = "application/json"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
ROOT = "http://127.0.0.1:7878"

_FORMATS = {TTL: ox.RdfFormat.TURTLE, NT: ox.RdfFormat.N_TRIPLES, JSON_LD: ox.RdfFormat.JSON_LD}


@dataclass(frozen=True)
class Answer:
    """A response; header names in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def media_type(self) -> str:
        return self.headers.get("content-type", "").partition(";")[0]

    @property
    def text(self) -> str:
        return self.body.decode("utf-8")

    @property
    def html(self) -> Element:
        assert self.media_type == HTML
        return parsed(self.text)

    @property
    def main(self) -> Element:
        return self.html.one("main")

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def graph(self) -> set[ox.Triple]:
        quads = ox.parse(self.body, format=_FORMATS[self.media_type], base_iri=ROOT)
        return {quad.triple for quad in quads}

    @property
    def links(self) -> set[tuple[str, str]]:
        """The Link header: relation and target."""
        found = set()
        for link in self.headers["link"].split(", <"):
            target, _, parameters = link.lstrip("<").partition(">")
            found.add((parameters.partition('rel="')[2].partition('"')[0], target))
        return found


class Visitor:
    """Sends requests to the site of what is *opened*."""

    def __init__(
        self, opened: Opened, index: Index | None = None, *, address: str | None = None
    ) -> None:
        self.opened = opened
        self.site = Site(opened, index)
        counts = _counts(opened)
        self.service = Service(
            "s1",
            opened.base,
            len(opened.store),
            {},
            Catalogue.load(),
            counts=counts,
            created="2026-11-30T12:00:00Z",
            address=address,
        )
        self.evaluate: Evaluate | None = None

    def at(self, address: str) -> Visitor:
        """The same site at another address."""
        other = Visitor(self.opened, self.site.names)
        other.service = replace(self.service, address=address)
        return other

    def get(
        self,
        address: str,
        accept: str | None = BROWSER,
        *,
        method: str = "GET",
        headers: Sequence[tuple[str, str]] = (),
    ) -> Answer:
        found = self.find(address, accept, method=method, headers=headers)
        assert found is not None, f"{address} is none of the site's"
        return found

    def find(
        self,
        address: str,
        accept: str | None = BROWSER,
        *,
        method: str = "GET",
        headers: Sequence[tuple[str, str]] = (),
    ) -> Answer | None:
        """The answer of the site, or None where it leaves the answer to the protocol."""
        parts = urlsplit(address)
        lines = [("host", "127.0.0.1:7878"), *headers]
        if accept is not None:
            lines.append(("accept", accept))
        request = Request(method, unquote(parts.path), parts.query.encode(), lines)

        async def run() -> Answer | None:
            evaluate = self.evaluate or InProcess(self.opened.store, self.opened.base)
            try:
                response: Response | None = await self.site(request, evaluate, self.service)
            except ProblemError as problem:
                response = problem.response(request.lines("accept"))
            if response is None:
                return None
            response = await finished(request, response)
            content = b"".join([piece async for piece in response.body])
            named = {name.lower(): value for name, value in response.headers.items()}
            return Answer(response.status, named, content)

        return asyncio.run(run())

    def iris(self, query: str) -> list[str]:
        """The IRIs that the first variable of a query is bound to."""
        rows = self.opened.query(query)
        assert isinstance(rows, ox.QuerySolutions)
        return [row[0].value for row in rows if isinstance(row[0], ox.NamedNode)]

    def path(self, iri: str) -> str:
        """The path of the page of a thing."""
        return "/" + iri.removeprefix(self.opened.base)


def opened_of(store_dir: Path) -> tuple[Opened, Index]:
    """Open a store, with an index of its names."""
    opened = Opened.at(store_dir)
    path = opened.snapshot.path / FILE
    if not path.exists():
        build(path, [sorted(Product(opened.snapshot).default_graph())])
    return opened, Index.open(path)


def in_memory(turtle: str, base: str) -> Opened:
    """Return triples as if they were of a snapshot; the prefixes are those of *base*."""
    store = Store.in_memory()
    prefixes = namespaces.prefixes(base)
    declared = "".join(f"@prefix {prefix}: <{iri}> .\n" for prefix, iri in prefixes.items())
    triples = ox.serialize(
        ox.parse(declared + turtle, format=ox.RdfFormat.TURTLE), format=ox.RdfFormat.N_TRIPLES
    )
    store.load((triples or b"").splitlines())
    return Opened(Snapshot("s1", Path()), store, base, prefixes)


def _counts(opened: Opened) -> Counts:
    rows = opened.query("SELECT ?class (COUNT(?s) AS ?n) { ?s a ?class } GROUP BY ?class")
    assert isinstance(rows, ox.QuerySolutions)
    classes = {row["class"].value: int(row["n"].value) for row in rows}
    return Counts.of({"classes": classes})
