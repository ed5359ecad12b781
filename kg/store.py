"""Oxigraph behind a few verbs.

A store is written once, by a build, and opened read-only ever after (a snapshot is never written
again). Whatever the file system or the database refuses is a :class:`~kg.errors.StoreError`.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from io import BufferedIOBase
from pathlib import Path
from typing import Final, Self

import pyoxigraph as ox

from kg.errors import StoreError
from kg.sparql import Graphs, graphs_of

LINES_AT_ONCE: Final = 50_000
BYTES_AT_ONCE: Final = 8 * 1024 * 1024
"""What one call loads at most: the call cannot be interrupted, and its memory grows with it."""


@contextmanager
def _store_errors(place: str) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise StoreError(f"{place}: there is no store here") from None
    except OSError as error:
        raise StoreError(f"{place}: {reason(error)}") from error
    except RuntimeError as error:
        if "Corruption" not in str(error):
            raise
        raise StoreError(f"{place}: the store is damaged; build it again ({error})") from error


def pieces(lines: Iterable[bytes]) -> Iterator[list[bytes]]:
    """Yield *lines* in lists of at most :data:`LINES_AT_ONCE` and about :data:`BYTES_AT_ONCE`."""
    piece: list[bytes] = []
    size = 0
    for line in lines:
        piece.append(line)
        size += len(line)
        if len(piece) >= LINES_AT_ONCE or size >= BYTES_AT_ONCE:
            yield piece
            piece, size = [], 0
    if piece:
        yield piece


def _texts(file: BufferedIOBase) -> Iterator[bytes]:
    """Yield the lines of a file in texts of about :data:`BYTES_AT_ONCE`."""
    while text := file.read(BYTES_AT_ONCE):
        yield text + file.readline()


def reason(error: OSError) -> str:
    """Return what *error* says in words a person can act on."""
    text = error.strerror or str(error)
    if error.errno == errno.ENOSPC or "No space left" in text:
        return "the disk is full"
    return text


class Store:
    """A set of triples that answers SPARQL queries."""

    def __init__(self, store: ox.Store, place: str) -> None:
        self._store = store
        self._place = place

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open the store in the folder *path* for reading only."""
        with _store_errors(str(path)):
            return cls(ox.Store.read_only(str(path)), str(path))

    @classmethod
    def create(cls, path: Path) -> Self:
        """Make a store in the folder *path*, for the one process that fills it."""
        with _store_errors(str(path)):
            return cls(ox.Store(str(path)), str(path))

    @classmethod
    def in_memory(cls) -> Self:
        """Make a store that lives as long as this object."""
        return cls(ox.Store(), "the store in memory")

    def load(self, source: Path | BufferedIOBase | Iterable[bytes]) -> None:
        """Load N-Quads: a file of them, by path or open, or lines without their ends.

        An N-Triples line is one of the default graph. It is done in bounded pieces, between which
        an interrupt is noticed; what was loaded before a fault stays loaded. A line that is
        neither raises SyntaxError.
        """
        if isinstance(source, Path):
            with _store_errors(str(source)), source.open("rb") as file:
                self.load(file)
            return
        if isinstance(source, BufferedIOBase):
            texts = _texts(source)
        else:
            texts = map(b"\n".join, pieces(source))
        for text in texts:
            with _store_errors(self._place):
                self._store.bulk_load(text, format=ox.RdfFormat.N_QUADS)

    def remove(self, lines: Iterable[bytes]) -> None:
        """Remove what lines of N-Quads say, as far as it is there."""
        for piece in pieces(lines):
            for quad in ox.parse(b"\n".join(piece), format=ox.RdfFormat.N_QUADS):
                with _store_errors(self._place):
                    self._store.remove(quad)

    def forget_empty_graphs(self) -> None:
        """Forget the named graphs that hold nothing; the engine keeps their names."""
        with _store_errors(self._place):
            for graph in list(self._store.named_graphs()):
                if next(self._store.quads_for_pattern(None, None, None, graph), None) is None:
                    self._store.remove_graph(graph)

    def back_up(self, path: Path) -> None:
        """Make a copy in the folder *path*, which must not exist; files are linked if possible."""
        with _store_errors(self._place):
            self._store.backup(str(path))

    def flush(self) -> None:
        """Write what is held in memory to disk."""
        with _store_errors(self._place):
            self._store.flush()

    def query(
        self,
        text: str,
        *,
        prefixes: Mapping[str, str] | None = None,
        base: str | None = None,
        graphs: Graphs | None = None,
    ) -> ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples:
        """Evaluate a SPARQL query.

        *prefixes* and *base* are known to it, its own declarations win; *graphs* win over its FROM
        and FROM NAMED. A triple that several graphs of the default graph hold is in it once
        (SPARQL 1.1, section 13.2.1). A text that is no SPARQL raises SyntaxError, as Oxigraph does.
        """
        known = dict(prefixes or {})
        graphs = graphs or graphs_of(text, known, base)
        with _store_errors(self._place):
            if graphs is None:
                return self._store.query(text, prefixes=known, base_iri=base)
            store = self._store
            default: list[ox.NamedNode | ox.BlankNode | ox.DefaultGraph] = []
            default += map(ox.NamedNode, graphs.default)
            named: list[ox.NamedNode | ox.BlankNode] = [*map(ox.NamedNode, graphs.named)]
            if len(default) > 1:
                store, default = self._merged(graphs), [ox.DefaultGraph()]
            return store.query(
                text, prefixes=known, base_iri=base, default_graph=default, named_graphs=named
            )

    def _merged(self, graphs: Graphs) -> ox.Store:
        """Return a store of *graphs* alone: those of the default graph merged in it.

        Oxigraph 0.5 counts a triple once for each graph that holds it, so they are copied; the
        named graphs of a store of paperkg are small beside its default graph.
        """
        merged = ox.Store()
        for iri in graphs.default:
            merged.extend(
                ox.Quad(quad.subject, quad.predicate, quad.object)
                for quad in self._store.quads_for_pattern(None, None, None, ox.NamedNode(iri))
            )
        for iri in graphs.named:
            merged.extend(self._store.quads_for_pattern(None, None, None, ox.NamedNode(iri)))
        return merged

    def __len__(self) -> int:
        with _store_errors(self._place):
            return len(self._store)
