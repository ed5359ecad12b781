"""The product of a build as the exporter reads it: sorted lines, from which triples are parsed.

The dumps are made from the product and not from the store: a store rewrites the lexical forms of
numbers, booleans and dates (``85.50`` → ``85.5``), the product has them as the mapper wrote them.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from itertools import chain, groupby, islice
from pathlib import Path
from typing import Final, TypeAlias, cast

import pyoxigraph as ox

from kg import compressed
from kg.errors import StoreError
from kg.namespaces import RDF_TYPE
from kg.snapshot import Snapshot
from kg.sorting import SortedLines

Said: TypeAlias = tuple[ox.NamedNode, ox.NamedNode | ox.Literal]
"""What a triple says of its subject: predicate and object."""
Group: TypeAlias = tuple[ox.NamedNode, list[Said]]
"""A subject and all that is said of it, its classes first."""

_PARSED_AT_ONCE: Final = 1_000


class Product:
    """The lines of a snapshot: of the default graph, and of the named graphs.

    Every method that yields lines reads the files again, in memory that does not grow with them; a
    file that is missing or damaged is a :class:`~kg.errors.StoreError`. Lines have no line end.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    def default_graph(self) -> Iterator[bytes]:
        """Yield the N-Triples lines of the default graph, sorted.

        Fewer or more of them than the build wrote are a :class:`~kg.errors.StoreError` at the end.
        """
        return chain.from_iterable(compressed.product(self._snapshot)[0])

    def quads(self) -> Iterator[bytes]:
        """Yield the N-Quads lines of the named graphs, sorted."""
        return chain.from_iterable(compressed.product(self._snapshot)[1])

    def graphs(self) -> list[str]:
        """Return the IRIs of the named graphs, sorted; the manifest has them."""
        return sorted(cast("dict[str, int]", self._snapshot.manifest.get("graphs", {})))

    def graph(self, iri: str) -> Iterator[bytes]:
        """Yield the N-Triples lines of one named graph, sorted."""
        name = f"<{iri}>".encode()
        return (_triple(line) for line in self.quads() if _graph(line) == name)

    def by_graph(self) -> Iterator[tuple[ox.NamedNode, Iterator[bytes]]]:
        """Yield each named graph with its N-Triples lines, both sorted.

        A graph's lines are to be read before the next graph is asked for.
        """
        with tempfile.TemporaryDirectory(prefix="paperkg-") as folder:
            sorted_lines = SortedLines(Path(folder))
            for line in self.quads():
                sorted_lines.add(_graph(line) + b" " + _triple(line))
            pairs = (line.split(b" ", 1) for line in sorted_lines)
            for name, lines in groupby(pairs, key=lambda pair: pair[0]):
                yield ox.NamedNode(name.decode()[1:-1]), (line for _, line in lines)


def groups(lines: Iterable[bytes]) -> Iterator[Group]:
    """Yield the subjects of sorted N-Triples lines, each with what is said of it.

    Raises :class:`~kg.errors.StoreError` for what no build writes: a line that is no N-Triples,
    a blank node.
    """
    return by_subject(quad.triple for quad in parsed(lines, ox.RdfFormat.N_TRIPLES))


def by_subject(triples: Iterable[ox.Triple]) -> Iterator[Group]:
    """Yield the subjects of *triples*, in which those of one subject stand together.

    Raises :class:`~kg.errors.StoreError` for a blank node.
    """
    for subject, group in groupby(triples, key=lambda triple: triple.subject):
        said: list[Said] = []
        for triple in group:
            target = triple.object
            if not isinstance(subject, ox.NamedNode):
                raise StoreError(f"{triple}: its subject has no IRI; build the store again")
            if not isinstance(target, ox.NamedNode | ox.Literal):
                raise StoreError(f"{triple}: its object has no IRI; build the store again")
            said.append((triple.predicate, target))
        said.sort(key=lambda pair: pair[0].value != RDF_TYPE)
        yield cast("ox.NamedNode", subject), said


def parsed(lines: Iterable[bytes], format_: ox.RdfFormat) -> Iterator[ox.Quad]:
    """Yield what *lines* say, in N-Triples or N-Quads as *format_* has it.

    Raises :class:`~kg.errors.StoreError` for a line that is not.
    """
    remaining = iter(lines)
    while batch := list(islice(remaining, _PARSED_AT_ONCE)):
        try:
            yield from ox.parse(b"\n".join(batch), format=format_)
        except SyntaxError as error:
            raise StoreError(f"{error}: no {format_.name}; build the store again") from error


def _graph(line: bytes) -> bytes:
    return line.rsplit(b" ", 2)[1]


def _triple(line: bytes) -> bytes:
    return line.rsplit(b" ", 2)[0] + b" ."
