"""One snapshot as it is served: what the protocol knows of it, and what evaluates its queries."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

import pyoxigraph as ox

from kg.catalogue import Catalogue
from kg.evaluation import ByCost, InProcess, WithMetadata
from kg.namespaces import KG
from kg.opened import Opened
from kg.partitions import Counts
from kg.protocol import Evaluate, Service
from kg.search import FILE, Index
from kg.server.settings import Settings
from kg.site import Site
from kg.snapshot import Snapshot, SnapshotFolder
from kg.workers import Pool

_EXAMPLES: Final = ("Paper", "Dataset", "Leaderboard", "Method")
"""Classes of which one thing is named as an example."""


@dataclass(slots=True, eq=False)
class Edition:
    """A *service*, and what evaluates the queries to it; a request keeps to one to its end.

    *pool* is to be closed when it is no longer served; *users* are the requests under way.
    """

    service: Service
    evaluate: Evaluate
    pool: Pool | None = None
    users: int = 0


@dataclass(frozen=True, slots=True)
class Editions:
    """The editions of the snapshots of one folder: each is made when it is asked for."""

    folder: SnapshotFolder
    catalogue: Catalogue
    settings: Settings

    async def newest(self, known: str | None = None) -> Edition | None:
        """Return the edition of the current snapshot, or None where that is the *known* one.

        Its workers are ready. Raises :class:`~kg.errors.StoreError` where there is none, or none
        that can be read.
        """
        snapshot = self.folder.built()
        if snapshot.id == known:
            return None
        opened = await asyncio.to_thread(Opened.of, snapshot)
        service = await asyncio.to_thread(self._service, opened)
        pool = Pool(
            snapshot.store,
            opened.base,
            self.settings.limits,
            in_memory=self.settings.in_memory,
            services=self.settings.services,
        )
        await pool.start()
        by_cost = ByCost(InProcess(opened.store, opened.base), pool)
        return Edition(service, WithMetadata(by_cost, opened.base, service.counts), pool)

    def _service(self, opened: Opened) -> Service:
        manifest, snapshot = opened.snapshot.manifest, opened.snapshot
        created = manifest.get("created")
        return Service(
            snapshot.id,
            opened.base,
            cast("int", manifest["triples"]),
            cast("dict[str, int]", manifest["graphs"]),
            self.catalogue,
            counts=Counts.of(manifest),
            examples=tuple(_examples(opened)),
            dumps=_files(snapshot.triples, snapshot.quads),
            created=created if isinstance(created, str) else None,
            pages=Site(opened, _names(snapshot)),
        )


def _names(snapshot: Snapshot) -> Index | None:
    """Return the index of names of a snapshot; one of an earlier version has none."""
    path = snapshot.path / FILE
    return Index.open(path) if path.is_file() else None


def _examples(opened: Opened) -> Iterator[str]:
    for name in _EXAMPLES:
        found = opened.store.query(f"SELECT ?thing {{ ?thing a <{KG}{name}> }} LIMIT 1")
        for solution in cast("ox.QuerySolutions", found):
            if isinstance(thing := solution["thing"], ox.NamedNode):
                yield thing.value


def _files(*paths: Path) -> dict[str, Path]:
    return {path.name: path for path in paths if path.is_file()}
