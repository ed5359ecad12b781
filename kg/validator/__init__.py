"""SHACL validation of a snapshot.

The data is the default graph alone, in memory, so this is for stores of up to about a million
triples: 100,000 take some 10 seconds and 200 MB, 300,000 some 40 seconds and 530 MB.
"""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox
from rdflib import Graph

from kg.errors import SourceError, StoreError
from kg.exporter.product import Product
from kg.rdflib_terms import graph_of
from kg.snapshot import Snapshot
from kg.validator.engine import quiet, run
from kg.validator.paths import PropertyPath
from kg.validator.report import (
    IMPLICIT,
    INFO,
    VIOLATION,
    WARNING,
    Result,
    ShapeCount,
    ValidationReport,
)
from kg.validator.shapes import Shapes

__all__ = [
    "IMPLICIT",
    "INFO",
    "VIOLATION",
    "WARNING",
    "PropertyPath",
    "Result",
    "ShapeCount",
    "ValidationReport",
    "validate",
]


def validate(snapshot: Snapshot, shapes_file: Path | None = None) -> ValidationReport:
    """Validate the default graph of *snapshot* against the shapes of a file, or the shipped ones.

    Raises :class:`~kg.errors.SourceError` for a file of shapes that is missing or wrong and
    :class:`~kg.errors.StoreError` for a snapshot that cannot be read.
    """
    shapes = Shapes.load(shapes_file)
    data = _graph(snapshot)
    try:
        results, counts, recursions = run(data, shapes.graph)
    except Exception as error:  # a query or a pattern may be wrong in ways known only now
        if shapes.shipped:
            raise
        raise shapes.fault(error) from error
    if not counts:
        raise SourceError(shapes.place, "it holds no shape")
    return ValidationReport(
        triples=len(data),
        results=tuple(results),
        shapes=tuple(sorted(counts, key=lambda count: count.sort_key)),
        remarks=(*shapes.remarks, *sorted(set(recursions))),
        prefixes=shapes.prefixes,
    )


def _graph(snapshot: Snapshot) -> Graph:
    """Read the product, which has the lexical forms that a store rewrites."""
    content = b"\n".join(Product(snapshot).default_graph())
    try:
        with quiet():
            return graph_of(ox.parse(content, format=ox.RdfFormat.N_TRIPLES))
    except SyntaxError as error:
        reason = f"it is damaged ({error}); build the store again"
        raise StoreError(f"{snapshot.triples}: {reason}") from error
