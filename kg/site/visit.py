"""One request to the site, and what whoever answers it needs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar
from urllib.parse import urlsplit

from kg.curies import Curies
from kg.opened import Opened
from kg.protocol import Evaluate, ProblemError, Request, Response, Service
from kg.search import Index
from kg.site import linked_data, static
from kg.site.addresses import Addresses
from kg.site.page import Page
from kg.site.rendering import POLICY, Frame, rendered
from kg.site.view import View

Made = TypeVar("Made")


@dataclass(frozen=True)
class Visit:
    """A *request* to the pages about what is *opened*, of which *names* is the index of names.

    *service* is how it is served, and *evaluate* evaluates what is not known to end soon.
    """

    request: Request
    opened: Opened
    names: Index | None
    evaluate: Evaluate
    service: Service

    @cached_property
    def path(self) -> str:
        """The path without a slash at its end."""
        return self.request.path.rstrip("/") or "/"

    @cached_property
    def root(self) -> str:
        """The address of the server, without a slash at its end."""
        return self.service.root(self.request)

    @cached_property
    def addresses(self) -> Addresses:
        """Where things are found."""
        prefix = urlsplit(self.service.address or "").path.rstrip("/")
        return Addresses(self.opened.base, prefix)

    @cached_property
    def parameters(self) -> Mapping[str, str]:
        """The parameters of the address; of one that is given twice the last counts."""
        return dict(self.request.parameters)

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many things the graph has of each class."""
        return {iri: one.entities for iri, one in self.service.counts.classes.items()}

    @property
    def curies(self) -> Curies:
        """What shortens the IRIs of this graph."""
        return Curies(self.opened.prefixes)

    def view(self) -> View:
        """Return what a page reads the graph by; for one thread."""
        return View(self.opened.store, self.addresses, self.opened.prefixes)

    async def read(self, make: Callable[[View], Made]) -> Made:
        """Return what *make* makes of the graph, in a thread: look-ups take a few milliseconds."""
        return await asyncio.to_thread(lambda: make(self.view()))

    async def page(self, make: Callable[[View], Page]) -> Response:
        """Return the page that *make* makes of the graph."""
        return await self.read(lambda view: self.rendered(make(view)))

    def rendered(
        self, page: Page, *, policy: str = POLICY, headers: Mapping[str, str] | None = None
    ) -> Response:
        """Return the response that *page* is."""
        frame = Frame(
            self.addresses.prefix,
            self.root,
            self.opened.base,
            self.service.snapshot,
            self.service.created,
            static.has_editor(),
        )
        return rendered(page, frame, policy=policy, headers=headers)

    def wants_page(self, others: Sequence[str]) -> bool:
        """Say whether HTML is wanted more than any of the media types *others*."""
        return linked_data.wants_page(self.request, others)

    def problem(self, error: ProblemError) -> Response:
        """Return the page that tells what is wrong with a request."""
        page = Page(
            {404: "Not found", 405: "Not allowed"}.get(error.status, "That did not work"),
            "problem.html",
            {"detail": error.detail, "status": error.status},
            status=error.status,
        )
        return self.rendered(page, headers=error.headers)
