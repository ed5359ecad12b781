"""The product of a build: sorted lines, compressed, and the store that is an index of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from kg import compressed, metadata, search
from kg.catalogue import Catalogue, rdf
from kg.collisions import Collisions
from kg.conflicts import Conflicts
from kg.difference import Stretch, stretches
from kg.filling import Changes, Filling
from kg.partitions import Counts, Partitions
from kg.snapshot import Snapshot
from kg.sorting import Block, SortedLines, in_blocks, merged_blocks
from kg.stages import Progress
from kg.statements import Statements


@dataclass(frozen=True, slots=True)
class Written:
    """What a product holds, counted.

    *triples* are those of the default graph, which *counts* tells apart, *graphs* has those of each
    named graph by its IRI. *changes* are those to the snapshot before, where it was updated.
    """

    triples: int
    counts: Counts
    graphs: dict[str, int]
    changes: Changes | None

    @property
    def classes(self) -> dict[str, int]:
        """The nodes of the default graph by class IRI."""
        return {iri: found.entities for iri, found in self.counts.classes.items()}


def write_product(
    lines: SortedLines,
    statements: Statements,
    made: Snapshot,
    conflicts: Conflicts,
    *,
    filling: Filling,
    progress: Progress,
    base: str,
) -> Written:
    """Write the sorted lines and the named graphs as the product, and let *filling* make the store.

    They are scanned on the way, for conflicts and counts and the names that search finds, and the
    mapper's for collisions: a user may give a thing a second name.

    Raises :class:`~kg.errors.CollisionError`, and :class:`~kg.errors.StoreError` where the store
    cannot be written.
    """
    triples_written = 0
    partitions = Partitions(base)
    graphs: Counter[bytes] = Counter()
    nothing: tuple[Iterator[Block], Iterator[Block]] = (iter(()), iter(()))
    old_triples, old_quads = compressed.product(filling.old) if filling.old else nothing
    mapped = Collisions().scanned(lines.blocks())
    triples = merged_blocks(mapped, in_blocks(statements.triples()))
    with closing(search.Builder(made.path / search.FILE)) as names:
        for stretch in _written(triples, made.triples, old_triples):
            filling.triples(stretch)
            if stretch[1]:
                parts = [line.split(b" ", 2) for line in stretch[1]]
                conflicts.scan(parts)
                partitions.scan(parts)
                names.scan(parts)
                triples_written += len(parts)
            progress("writing triples", triples_written, None)
        names.finish()
    conflicts.end()
    counts = partitions.counts()
    queries = in_blocks(rdf.quads(Catalogue.load(), base))
    described = in_blocks(metadata.quads(base, triples_written, counts))
    quads = merged_blocks(queries, described, in_blocks(statements.quads()))
    for stretch in _written(quads, made.quads, old_quads):
        filling.quads(stretch)
        graphs.update(line.rsplit(b" ", 2)[1] for line in stretch[1])
    progress("loading", triples_written, triples_written)
    filling.finish()
    named = {graph.decode().strip("<>"): count for graph, count in sorted(graphs.items())}
    return Written(triples_written, counts, named, filling.changes)


def _written(blocks: Iterator[Block], path: Path, old: Iterator[Block]) -> Iterator[Stretch]:
    """Write sorted lines to the file *path*, and yield them beside the *old* ones."""
    with compressed.compressed(path) as product:
        for stretch in stretches(old, blocks):
            if stretch[1]:
                product.write(b"\n".join(stretch[1]) + b"\n")
            yield stretch
