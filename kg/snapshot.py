"""The folder that ``--store`` names: whole snapshots, and one small file that says which counts.

::

    DIR/current                          the id of the snapshot that readers open
    DIR/lock                             held by the process that builds
    DIR/snapshots/ID/triples.nt.gz       the product: the default graph as sorted N-Triples
    DIR/snapshots/ID/quads.nq.gz         the named graphs as sorted N-Quads
    DIR/snapshots/ID/store/              the Oxigraph store, an index of the product
    DIR/snapshots/ID/manifest.json       what it was made from, and its counts
    DIR/snapshots/ID/report.jsonl        what was refused or noticed
    DIR/snapshots/.draft-ID/             a snapshot in the making

A snapshot is made as a draft, moved into place when it is complete, and never written again.
``current`` is replaced in one step, so a reader finds the old snapshot or the new one, whole.
The current snapshot and the one before it are kept: a reader may still be opening that one.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Final, Self, cast

from kg.errors import StoreError
from kg.lock import Lock
from kg.store import reason

_TIME: Final = "%Y%m%dT%H%M%S.%fZ"
_ID: Final = re.compile(r"\d{8}T\d{6}\.\d{6}Z", re.ASCII)
_DRAFT: Final = ".draft-"
_DROPPED: Final = ".dropped-"
_TOLD: Final = {"base": str, "inputs": list, "triples": int, "graphs": dict, "classes": dict}
"""What every manifest tells, by its types."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A snapshot: its *id*, ordered by time, and its folder *path*."""

    id: str
    path: Path

    @property
    def triples(self) -> Path:
        """The default graph: sorted N-Triples, gzip."""
        return self.path / "triples.nt.gz"

    @property
    def quads(self) -> Path:
        """The named graphs: sorted N-Quads, gzip."""
        return self.path / "quads.nq.gz"

    @property
    def store(self) -> Path:
        """The folder of the Oxigraph store (:meth:`kg.store.Store.open`)."""
        return self.path / "store"

    @property
    def report(self) -> Path:
        """What was refused or noticed, one JSON object a line."""
        return self.path / "report.jsonl"

    @property
    def manifest_file(self) -> Path:
        """The manifest as a file."""
        return self.path / "manifest.json"

    @property
    def manifest(self) -> dict[str, object]:
        """What the snapshot was made from, and its counts."""
        with _file_errors(self.path):
            text = self.manifest_file.read_text("utf-8")
        try:
            manifest = json.loads(text)
        except ValueError:
            manifest = None
        if not isinstance(manifest, dict) or not _TOLD.keys() <= manifest.keys():
            raise StoreError(f"{self.manifest_file}: it is no manifest; build the store again")
        for key, type_ in _TOLD.items():
            if not isinstance(manifest[key], type_):
                raise StoreError(
                    f"{self.manifest_file}: its {key!r} is damaged; build the store again"
                )
        return cast("dict[str, object]", manifest)

    @property
    def lines(self) -> tuple[int, int]:
        """How many lines :attr:`triples` has, and how many :attr:`quads`."""
        told = self.manifest
        return cast("int", told["triples"]), sum(cast("dict[str, int]", told["graphs"]).values())

    @property
    def base(self) -> str:
        """The IRI below which its things have theirs."""
        return str(self.manifest["base"])


class SnapshotFolder:
    """The snapshots of the folder *path*, which need not exist yet."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._snapshots = self.path / "snapshots"
        self._current = self.path / "current"

    def current(self) -> Snapshot | None:
        """Return the snapshot that counts, or None where nothing has been built yet.

        Raises :class:`~kg.errors.StoreError` if the folder is not as a build leaves it.
        """
        with _file_errors(self.path):
            try:
                name = self._current.read_bytes().decode("ascii", "replace").strip()
            except FileNotFoundError:
                return None
            if not _ID.fullmatch(name):
                raise StoreError(f"{self._current}: it names no snapshot; build the store again")
            snapshot = self._snapshot(name)
            if not snapshot.path.is_dir():
                raise StoreError(f"{snapshot.path}: the current snapshot is missing; build again")
            return snapshot

    def built(self) -> Snapshot:
        """Return the snapshot that counts.

        Raises :class:`~kg.errors.StoreError` where there is none, too.
        """
        snapshot = self.current()
        if snapshot is None:
            raise StoreError(
                f"{self.path}: there is no store here; kg build INPUT… --store makes one"
            )
        return snapshot

    def new(self) -> Draft:
        """Begin a snapshot, after clearing away what a build that died has left.

        Raises :class:`~kg.errors.StoreError` if another process is at it, and for a folder that
        holds something else.
        """
        with _file_errors(self.path):
            if not self._snapshots.is_dir() and self.path.is_dir() and any(self.path.iterdir()):
                raise StoreError(
                    f"{self.path}: the folder is not empty and holds no store; name another one"
                )
            self._snapshots.mkdir(parents=True, exist_ok=True)
            lock = Lock(self.path / "lock")
            try:
                self.clear()
                draft = Snapshot(self._next_id(), self._snapshots)
                draft = Snapshot(draft.id, self._snapshots / f"{_DRAFT}{draft.id}")
                draft.path.mkdir()
            except BaseException:
                lock.release()
                raise
        return Draft(self, draft, lock)

    def publish(self, draft: Snapshot) -> Snapshot:
        """Move a complete draft into place and make it the current snapshot."""
        snapshot = self._snapshot(draft.id)
        with _file_errors(self.path):
            for folder, _, names in os.walk(draft.path, topdown=False):
                for name in names:
                    _sync(Path(folder, name))
                _sync_folder(Path(folder))
            draft.path.rename(snapshot.path)
            _sync_folder(self._snapshots)
            written = self.path / "current.new"
            written.write_bytes(snapshot.id.encode("ascii") + b"\n")
            _sync(written)
            written.replace(self._current)
            _sync_folder(self.path)
        return snapshot

    def clear(self) -> None:
        """Remove drafts, snapshots that never came to count, and those older than the newest two.

        Only for the holder of the lock.
        """
        with _file_errors(self.path):
            names = sorted(path.name for path in self._snapshots.iterdir())
            for name in names:
                if name.startswith((_DRAFT, _DROPPED)):
                    shutil.rmtree(self._snapshots / name, ignore_errors=True)
            try:
                current = self.current()
            except StoreError:  # which snapshot counts is unknown, so none is taken for idle
                return
            ids = [name for name in names if _ID.fullmatch(name)]
            counted = [name for name in ids if current and name <= current.id]
            for name in ids:
                if name not in counted[-2:]:
                    self._drop(self._snapshot(name).path)

    def _drop(self, path: Path) -> None:
        # Renamed first: a folder half removed must not look like a snapshot.
        dropped = path.with_name(f"{_DROPPED}{path.name}")
        try:
            path.rename(dropped)
        except PermissionError:  # Windows, while a reader has it open: the next build tries again
            return
        shutil.rmtree(dropped, ignore_errors=True)

    def _snapshot(self, name: str) -> Snapshot:
        return Snapshot(name, self._snapshots / name)

    def _next_id(self) -> str:
        now = datetime.now(UTC)
        ids = [path.name for path in self._snapshots.iterdir() if _ID.fullmatch(path.name)]
        if ids:  # a clock that was set back must not bring the order into disorder
            last = datetime.strptime(max(ids), _TIME).replace(tzinfo=UTC)
            now = max(now, last + timedelta(microseconds=1))
        return now.strftime(_TIME)


class Draft:
    """A snapshot in the making; leaving its ``with`` block without :meth:`commit` discards it."""

    def __init__(self, folder: SnapshotFolder, snapshot: Snapshot, lock: Lock) -> None:
        self._folder = folder
        self._lock = lock
        self.snapshot = snapshot

    def commit(self) -> Snapshot:
        """Make the draft the current snapshot, on disk, and return it; older ones are removed."""
        snapshot = self._folder.publish(self.snapshot)
        self._folder.clear()
        return snapshot

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # A draft that was not published is still there; one that was is current, whatever came
        # after; one moved but not named in "current" is not counted and is cleared too.
        try:
            self._folder.clear()
        finally:
            self._lock.release()


@contextmanager
def _file_errors(place: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        where = error.filename if isinstance(error.filename, str) else place
        raise StoreError(f"{where}: {reason(error)}") from error


def _sync(path: Path) -> None:
    with path.open("r+b") as file:
        os.fsync(file.fileno())


def _sync_folder(path: Path) -> None:
    if os.name == "nt":  # Windows syncs no folders
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
