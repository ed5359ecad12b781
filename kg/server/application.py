"""What the server serves: requests go to the protocol, and what becomes of them is counted."""

from __future__ import annotations

import asyncio
import gc
import logging
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final, Self

from kg.catalogue import Catalogue
from kg.errors import BusyError, StoreError
from kg.iris import DEFAULT_BASE
from kg.protocol import (
    Cache,
    Evaluate,
    Evaluation,
    ProblemError,
    Question,
    Remembering,
    Request,
    Response,
    Service,
    failure,
    handle,
    refused,
    route_of,
)
from kg.server.clients import client
from kg.server.edition import Edition, Editions
from kg.server.exchange import Served
from kg.server.hub import Hub
from kg.server.metrics import Metrics
from kg.server.rates import Rates
from kg.server.settings import Settings
from kg.snapshot import SnapshotFolder
from kg.workers import Pool

_LOG: Final = logging.getLogger(__name__)

_LOOK_EVERY: Final = 1.0
"""Seconds between looks for a new snapshot."""

_LEAVING: Final = 120.0
"""Seconds that requests have which still use a snapshot that is served no more."""

_FREE: Final = ("/health", "/metrics")
"""Routes that may be asked as often as anybody likes: they cost nothing."""


class Application:
    """A store, or one *service* of which *evaluate* evaluates the queries, as it is served.

    Without *settings* a service is served as it says itself, and no answer is kept.
    """

    def __init__(
        self, evaluate: Evaluate, service: Service, settings: Settings | None = None
    ) -> None:
        self._settings = settings or Settings(service.limits, cache=0, tokens=service.tokens)
        self._cache = Cache(self._settings.cache) if self._settings.cache else None
        self._metrics = Metrics()
        self._rates = Rates(self._settings.rate) if self._settings.rate else None
        self._hub: Hub | None = None
        self._editions: Editions | None = None
        self._edition = self._fitted(Edition(service, evaluate))
        # Requests under way, by identity: whose they are, and what they are about.
        self._under_way: dict[int, tuple[str, Edition]] = {}
        self._following: asyncio.Task[None] | None = None
        self._retiring: set[asyncio.Task[None]] = set()
        self._is_closing = False
        self._complaint = ""

    @classmethod
    def of(
        cls, store_dir: Path, catalogue: Catalogue | None = None, settings: Settings | None = None
    ) -> Self:
        """Serve the folder *store_dir*: its current snapshot, and those that follow it.

        *catalogue* holds the canned queries; without one they are those that paperkg ships.
        """
        settings = settings or Settings()
        application = cls(_not_yet, Service("", DEFAULT_BASE, 0), settings)
        folder = SnapshotFolder(store_dir)
        application._editions = Editions(folder, catalogue or Catalogue.load(), settings)
        return application

    async def start(self, hub: Hub) -> None:
        """Open the store; raises :class:`~kg.errors.StoreError` where it cannot be."""
        self._hub = hub
        if self._editions is not None:
            edition = await self._editions.newest()
            if edition is not None:
                self._edition = self._fitted(edition)
            self._following = asyncio.create_task(self._follow(self._editions))

    async def close(self) -> None:
        """Let go of everything; requests that are still under way are given up."""
        self._is_closing = True
        if self._following is not None:
            self._following.cancel()
            await asyncio.gather(self._following, return_exceptions=True)
        await asyncio.gather(self._retire(self._edition), *self._retiring)
        if self._settings.access_log is not None:
            self._settings.access_log.close()

    async def __call__(self, request: Request) -> Response:
        """Answer a request; never raises but for cancellation."""
        edition = self._edition  # once: whatever happens meanwhile, this is what is answered from
        address = client(request, self._settings.proxies)
        self._under_way[id(request)] = address, edition
        edition.users += 1
        try:
            if self._rates is not None and route_of(request.path) not in _FREE:
                wait = self._rates.wait(address, time.monotonic())
                if wait:
                    return await refused(request, self._too_often(wait))
            return await handle(request, edition.evaluate, edition.service)
        except Exception as error:
            _LOG.exception("a fault in answering %s %s", request.method, request.path)
            return await failure(request, error)

    def ended(self, served: Served) -> None:
        """Take note of what became of a request."""
        address, edition = self._under_way.pop(id(served.request), (served.request.client, None))
        if edition is not None:
            edition.users -= 1
        self._metrics.add(served)
        if self._settings.access_log is not None:
            self._settings.access_log.write(served, address)

    def _fitted(self, edition: Edition) -> Edition:
        """Return *edition* with what the settings add to it."""
        service, pool, settings = edition.service, edition.pool, self._settings
        # Nothing in it leads back to the edition: let go of, it closes its files at once.
        edition.service = replace(
            service,
            limits=settings.limits,
            services=settings.services,
            address=settings.address or service.address,
            tokens=settings.tokens,
            is_well=lambda: pool is None or pool.status().workers > 0,
            metrics=lambda: self._text(service, pool),
        )
        if self._cache is not None:
            edition.evaluate = Remembering(edition.evaluate, self._cache, service.snapshot)
        return edition

    def _text(self, service: Service, pool: Pool | None) -> str:
        """Return what the metrics are now."""
        return self._metrics.text(
            service=service,
            connections=len(self._hub.connections) if self._hub is not None else 0,
            pool=pool.status() if pool is not None else None,
            cache=self._cache,
        )

    def _too_often(self, wait: int) -> ProblemError:
        return ProblemError(
            429,
            f"a client may ask {self._settings.rate:,} times in a minute (--rate-limit);"
            f" ask again in {wait} s",
            headers={"Retry-After": str(wait)},
            members={"limit": "--rate-limit"},
        )

    async def _follow(self, editions: Editions) -> None:
        """Serve each new snapshot as soon as it is there."""
        while True:
            await asyncio.sleep(_LOOK_EVERY)
            try:
                await self._look(editions)
            except StoreError as error:
                # Said once; the next look may find it mended.
                if str(error) != self._complaint:
                    self._complaint = str(error)
                    _LOG.error("the new snapshot is not served: %s", error)
            else:
                self._complaint = ""

    async def _look(self, editions: Editions) -> None:
        """Serve the current snapshot, if it is another one."""
        edition = await editions.newest(self._edition.service.snapshot)
        if edition is not None:
            task = asyncio.create_task(self._retire(self._edition))
            self._retiring.add(task)
            task.add_done_callback(self._retiring.discard)
            self._edition = self._fitted(edition)
            _LOG.info("snapshot %s is served", edition.service.snapshot)

    async def _retire(self, edition: Edition) -> None:
        """Close an edition when the last request to it has been answered."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_LEAVING):
                while edition.users and not self._is_closing:
                    await asyncio.sleep(0.1)
        if edition.pool is not None:
            await edition.pool.close(0)
        # An error holds the frames that it went through, and they hold the store and its files,
        # until somebody looks for such circles.
        del edition
        if not self._is_closing:
            gc.collect()


async def _not_yet(question: Question) -> Evaluation:
    raise BusyError("the store is being opened; ask again in a moment", retry_after=1)
