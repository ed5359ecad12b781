"""Dumps of a snapshot, the same bytes from run to run and from build to build.

A dump is written piece by piece from the sorted product of the build, so its memory does not grow
with the graph, and lexical forms are those that the mapper wrote. (A store, this one or another,
may write ``xsd:decimal``, ``xsd:integer``, ``xsd:boolean``, ``xsd:double`` and dates in another
form of the same value; whatever must survive to the character is an ``xsd:string``. The mapper
writes the canonical forms, so that ``jsonl``, which looks parts up in the store, says the same.)
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import AnyStr, BinaryIO, Final

import pyoxigraph as ox

from kg import namespaces
from kg.contexts import Contexts, JsonObject
from kg.describing import Describer, in_store
from kg.errors import UsageError
from kg.exporter.frames import frames
from kg.exporter.jsonld import Names, check_lines, jsonld
from kg.exporter.notice import notice
from kg.exporter.product import Group, Product, groups
from kg.exporter.rdfxml import check as check_xml
from kg.exporter.rdfxml import rdfxml
from kg.exporter.turtle import trig, turtle
from kg.iris import DEFAULT_BASE
from kg.snapshot import Snapshot
from kg.store import Store

GRAPH_FORMATS: Final = ("nt", "ttl", "rdfxml", "jsonl")
"""Formats of one graph: the default graph, or the one that is asked for."""
DATASET_FORMATS: Final = ("nq", "trig", "jsonld")
"""Formats of the default graph and all named graphs."""
FORMATS: Final = (*GRAPH_FORMATS, *DATASET_FORMATS)

_ENDINGS: Final = {"rdf": "rdfxml", "xml": "rdfxml", "ndjson": "jsonl"}
_AT_ONCE: Final = 1 << 16  # how much is written, and compressed, together
_LEVEL: Final = 6  # of compression: beyond it much time buys little


def format_by_name(path: Path) -> tuple[str | None, bool]:
    """Return the format that a file's name ends in, if any, and whether it says gzip.

    >>> format_by_name(Path("graph.ttl.gz")), format_by_name(Path("graph"))
    (('ttl', True), (None, False))
    """
    compressed = path.suffix.lower() == ".gz"
    ending = (path.with_suffix("") if compressed else path).suffix.removeprefix(".").lower()
    ending = _ENDINGS.get(ending, ending)
    return ending if ending in FORMATS else None, compressed


@dataclass(frozen=True, slots=True)
class Export:
    """A dump of *snapshot* in one of ``FORMATS``; of the named graph *graph* only, if one is given.

    Raises :class:`~kg.errors.UsageError` for a graph that the snapshot does not have.
    """

    snapshot: Snapshot
    format: str
    graph: str | None = None

    def __post_init__(self) -> None:
        if self.graph is not None and self.graph not in (known := self._product.graphs()):
            there = ", ".join(f"<{iri}>" for iri in known) or "none"
            raise UsageError(f"there is no named graph <{self.graph}> in the store; it has {there}")

    @property
    def left_out(self) -> list[str]:
        """The named graphs that the dump does not hold although nothing else was asked for."""
        if self.graph is not None or self.format in DATASET_FORMATS:
            return []
        return self._product.graphs()

    def write(self, stream: BinaryIO, *, compress: bool = False) -> None:
        """Write the dump to *stream*, as gzip if *compress*.

        Raises :class:`~kg.errors.UsageError` before anything is written if the format cannot
        carry a triple, and :class:`~kg.errors.StoreError` if the snapshot cannot be read.
        """
        self._check()
        pieces = self._pieces()
        if not compress:
            for piece in pieces:
                stream.write(piece)
            return
        # Without a name and a time, so that the same triples are the same bytes.
        with gzip.GzipFile("", "wb", _LEVEL, stream, mtime=0) as compressed:
            for piece in pieces:
                compressed.write(piece)

    @property
    def _product(self) -> Product:
        return Product(self.snapshot)

    def _check(self) -> None:
        if self.format == "rdfxml":
            check_xml(groups(self._lines()))
        elif self.format in ("jsonld", "jsonl"):
            check_lines(self._lines(), output_context())

    def _pieces(self) -> Iterator[bytes]:
        if self.format in ("nt", "nq"):
            yield _comment(self._notice())
            yield from _joined(line + b"\n" for line in self._lines())
        else:
            yield from (piece.encode("utf-8") for piece in _joined(self._texts()))

    def _texts(self) -> Iterator[str]:
        """Yield the dump in a format that is made of parsed triples."""
        prefixes = namespaces.prefixes(str(self.snapshot.manifest.get("base", DEFAULT_BASE)))
        match self.format:
            case "ttl":
                yield _comment(self._notice()).decode()
                yield from turtle(groups(self._one_graph()), prefixes)
            case "trig":
                yield _comment(self._notice()).decode()
                yield from trig(groups(self._default_graph()), self._named_graphs(), prefixes)
            case "rdfxml":
                yield from rdfxml(groups(self._one_graph()), prefixes, self._notice())
            case "jsonld":
                names = Names(output_context())
                yield from jsonld(groups(self._default_graph()), self._named_graphs(), names)
            case _:
                graph = None if self.graph is None else ox.NamedNode(self.graph)
                describer = Describer(in_store(self._store()), graph=graph)
                yield from frames(groups(self._one_graph()), describer, output_context())

    def _lines(self) -> Iterator[bytes]:
        """Return all that the dump is to hold, as N-Triples or N-Quads."""
        return self._quads() if self.format in DATASET_FORMATS else self._one_graph()

    def _default_graph(self) -> Iterator[bytes]:
        return self._product.default_graph() if self.graph is None else iter(())

    def _one_graph(self) -> Iterator[bytes]:
        if self.graph is None:
            return self._product.default_graph()
        return self._product.graph(self.graph)

    def _named_graphs(self) -> Iterator[tuple[ox.NamedNode, Iterator[Group]]]:
        if self.graph is not None:
            yield ox.NamedNode(self.graph), groups(self._product.graph(self.graph))
        else:
            for name, lines in self._product.by_graph():
                yield name, groups(lines)

    def _quads(self) -> Iterator[bytes]:
        if self.graph is None:
            return chain(self._product.default_graph(), self._product.quads())
        name = f"<{self.graph}> .".encode()
        return (line[:-1] + name for line in self._product.graph(self.graph))

    def _notice(self) -> str:
        graphs: list[str | None] = [self.graph]
        if self.graph is None and self.format in DATASET_FORMATS:
            graphs += self._product.graphs()
        return notice(self._store(), graphs)

    def _store(self) -> Store:
        return Store.open(self.snapshot.store)


def output_context() -> JsonObject:
    """Return the shipped context for output, which is one JSON object."""
    (context,) = Contexts.load().of("paperkg")
    return context


def _comment(text: str) -> bytes:
    return "".join(f"# {line}\n" for line in text.splitlines()).encode("utf-8")


def _joined(pieces: Iterator[AnyStr]) -> Iterator[AnyStr]:
    """Yield *pieces* put together to larger ones."""
    batch: list[AnyStr] = []
    size = 0
    for piece in pieces:
        batch.append(piece)
        size += len(piece)
        if size >= _AT_ONCE:
            yield piece[:0].join(batch)
            batch, size = [], 0
    if batch:
        yield batch[0][:0].join(batch)
