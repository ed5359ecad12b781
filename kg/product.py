"""The product of a build: sorted lines, compressed, and the store that is an index of them."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from kg.catalogue import Catalogue, rdf
from kg.collisions import Collisions
from kg.conflicts import Conflicts
from kg.namespaces import RDF_TYPE
from kg.snapshot import Snapshot
from kg.sorting import SortedLines, merged
from kg.statements import Statements
from kg.store import Store, pieces

Progress = Callable[[str, int, int | None], None]
"""Told what is being done, how much of it is done, and of how much (None where unknown)."""

_TYPE: Final = f" <{RDF_TYPE}> ".encode()


@dataclass(slots=True)
class Written:
    """What a product holds, counted.

    *triples* are those of the default graph, *graphs* has those of each named graph by its IRI,
    *classes* the nodes of the default graph by class IRI.
    """

    triples: int = 0
    graphs: dict[str, int] = field(default_factory=dict)
    classes: dict[str, int] = field(default_factory=dict)


def write_product(
    lines: SortedLines,
    statements: Statements,
    made: Snapshot,
    conflicts: Conflicts,
    *,
    progress: Progress,
    base: str,
) -> Written:
    """Write the sorted lines and the named graphs as the product and load them.

    They are scanned on the way, for conflicts and classes, and the mapper's for collisions: a
    user may give a thing a second name. Raises :class:`~kg.errors.CollisionError`.
    """
    written = Written()
    classes: Counter[bytes] = Counter()
    store = Store.create(made.store)
    triples = merged(Collisions().scanned(lines), statements.triples())
    for piece in _written(triples, made.triples, store):
        for line in piece:
            conflicts.scan(line)
            if _TYPE in line and line.split(b" ", 2)[1] == _TYPE.strip():
                classes[line.split(b" ", 2)[2]] += 1
        written.triples += len(piece)
        progress("writing triples", written.triples, None)
    conflicts.end()
    graphs: Counter[bytes] = Counter()
    quads = merged(rdf.quads(Catalogue.load(), base), statements.quads())
    for piece in _written(quads, made.quads, store):
        graphs.update(line.rsplit(b" ", 2)[1] for line in piece)
    store.flush()
    written.graphs = {graph.decode().strip("<>"): n for graph, n in sorted(graphs.items())}
    written.classes = {
        class_.decode().removesuffix(" .").strip("<>"): count
        for class_, count in sorted(classes.items())
    }
    return written


def _written(lines: Iterable[bytes], path: Path, store: Store) -> Iterator[list[bytes]]:
    """Write sorted lines to a file and load them, and yield them piece by piece."""
    # Without a name and a time in it, so that the same triples are the same bytes.
    with (
        path.open("wb") as raw,
        gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as product,
    ):
        for piece in pieces(lines):
            product.write(b"\n".join(piece) + b"\n")
            store.load(piece)
            yield piece
