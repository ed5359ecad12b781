"""A store that is open for reading: its current snapshot, and queries asked of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Self, TypeAlias

import pyoxigraph as ox

from kg import namespaces
from kg.snapshot import Snapshot, SnapshotFolder
from kg.store import Store

Answer: TypeAlias = ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples


@dataclass(frozen=True, slots=True)
class Opened:
    """The *store* of one *snapshot*, whose files later builds may clear away.

    *base* is the IRI below which the things of the graph have theirs, against which relative IRIs
    are resolved too; *prefixes* are the project's for it.
    """

    snapshot: Snapshot
    store: Store
    base: str
    prefixes: dict[str, str]

    @classmethod
    def at(cls, store_dir: str | Path) -> Self:
        """Open the current snapshot of the folder *store_dir*.

        Raises :class:`~kg.errors.StoreError` where there is none, or none that can be read.
        """
        return cls.of(SnapshotFolder(store_dir).built())

    @classmethod
    def of(cls, snapshot: Snapshot) -> Self:
        """Open *snapshot*; raises :class:`~kg.errors.StoreError` where it cannot be read."""
        base = snapshot.base
        return cls(snapshot, Store.open(snapshot.store), base, namespaces.prefixes(base))

    def query(self, text: str) -> Answer:
        """Evaluate a query, in which the prefixes are declared and relative IRIs resolved.

        Raises what :meth:`kg.store.Store.query` raises.
        """
        return self.store.query(text, prefixes=self.prefixes, base=self.base)
