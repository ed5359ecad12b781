"""A user's own statements: RDF files → sorted N-Quads lines without blank nodes.

Every statement is one of the default graph, so that plain queries find it, and stands again in a
named graph, so that it can be told where it comes from: in that of its file,
``{base}graph/{key of the file's label}``, or in the one that the file itself puts it into. That
graph's IRI is also the base of relative IRIs, so ``<>`` in a file means what the file says. The
label (:mod:`kg.sources.labels`) is the same in every build that is given the same files or folders.

A blank node becomes an IRI below ``{base}.well-known/genid/`` (RDF 1.1 Concepts, section 3.5),
made of the file's name and of what the file says of the node and of those that hang together with
it (:mod:`kg.blank_nodes`): the same statements get the same IRIs in every build, and in every copy
of the file that keeps its name.

Memory: statements without blank nodes pass through; of the others, the nodes of a file are held
(some 250 bytes each), and the statements about those that hang together in one piece.
"""

from __future__ import annotations

import hashlib
import shutil
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import groupby
from pathlib import Path, PurePosixPath
from typing import IO, Final

import pyoxigraph as ox

from kg.blank_nodes import names, terms
from kg.iris import key
from kg.sorting import SortedLines, merged
from kg.sources import RdfFile

_CHUNK_BYTES: Final = 16 * 1024 * 1024
_GENID: Final = ".well-known/genid/"
_GENID_DIGITS: Final = 32
_TELL_EVERY: Final = 10_000


def graph_iri(label: str, base: str) -> str:
    """Return the IRI of the named graph of a file, by its label.

    >>> graph_iri("notes.ttl", "https://e.org/")
    'https://e.org/graph/notes-ttl~c6dabfd1'
    """
    return f"{base}graph/{key(label)}"


class Statements:
    """The statements of RDF files, kept in *folder*, which it makes and leaves to its owner.

    What stands in the graphs *leave_out* is not taken: it is not the user's. *keeps* says of an
    N-Triples line whether it is wanted.
    """

    def __init__(
        self,
        folder: Path,
        base: str,
        *,
        leave_out: Collection[str] = (),
        keeps: Callable[[bytes], bool] | None = None,
    ) -> None:
        folder.mkdir(parents=True)
        self._folder = folder
        self._base = base
        self._leave_out = leave_out
        self._keeps = keeps
        self._sorted = SortedLines(folder / "sorting", chunk_bytes=_CHUNK_BYTES)
        self._files: list[tuple[str, Path]] = []

    def take(self, file: RdfFile, tell: Callable[[int], None] = lambda _: None) -> int:
        """Take in the statements of *file*; return how many were left out for their graph.

        *tell* is told now and then how many have been read. Raises
        :class:`~kg.errors.SourceError` where the file cannot be read to its end; then none of it
        is taken.
        """
        number = len(self._files)
        taken = self._folder / f"{number}.nq"
        held = self._folder / f"{number}.held"
        with taken.open("wb") as lines, held.open("w+b") as held_lines:
            components = _Components(held_lines)
            left_out = self._read(file, lines, components, tell)
            sorting = self._folder / "components"
            sorted_lines = SortedLines(sorting, chunk_bytes=_CHUNK_BYTES)
            for line in components.named(sorted_lines, self._base, file.file.label):
                lines.write(line + b"\n")
        held.unlink()
        shutil.rmtree(sorting)
        self._files.append((file.file.name, taken))
        for line in _lines(taken):
            if self._keeps is None or self._keeps(_triple(line)):
                self._sorted.add(line)
        return left_out

    def _read(
        self,
        file: RdfFile,
        lines: IO[bytes],
        components: _Components,
        tell: Callable[[int], None],
    ) -> int:
        own = graph_iri(file.file.label, self._base)
        left_out = 0
        for done, quad in enumerate(file.quads(own), start=1):
            if done % _TELL_EVERY == 0:
                tell(done)
            graph = quad.graph_name
            if not isinstance(graph, ox.DefaultGraph) and graph.value in self._leave_out:
                left_out += 1
                continue
            line = str(quad)
            # A blank node is written "_:"; so may be a text or an IRI.
            if "_:" in line and (nodes := [t for t in terms(quad) if isinstance(t, ox.BlankNode)]):
                components.add(f"{line} .".encode(), nodes)
            else:
                is_own = isinstance(graph, ox.DefaultGraph)
                lines.write(f"{line} <{own}> .\n".encode() if is_own else f"{line} .\n".encode())
        return left_out

    def triples(self) -> Iterator[bytes]:
        """Yield the statements as N-Triples lines, sorted, each once."""
        # Without their graphs they are still in order: a blank comes before all that terms hold.
        return merged(map(_triple, self._sorted))

    def quads(self) -> Iterator[bytes]:
        """Yield the statements as N-Quads lines in their named graphs, sorted, each once."""
        return iter(self._sorted)

    def by_file(self) -> Iterator[tuple[str, Iterator[bytes]]]:
        """Yield the name of each file with its statements as N-Triples lines, in no order."""
        for name, path in self._files:
            yield name, map(_triple, _lines(path))


class _Components:
    """The quads of one file with blank nodes, in parts that have no blank node in common.

    They are written to *file* as they come; which part each is of is known at the end.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._parents: dict[str, str] = {}

    def add(self, line: bytes, nodes: list[ox.BlankNode]) -> None:
        """Take in a quad as a *line*, with the blank nodes in it."""
        first, *others = (node.value for node in nodes)
        root = self._root(first)
        for other in others:
            self._parents[self._root(other)] = root
        self._file.write(first.encode() + b"\t" + line + b"\n")

    def _root(self, label: str) -> str:
        root = self._parents.setdefault(label, label)
        while (parent := self._parents[root]) != root:
            root = parent
        while label != root:
            self._parents[label], label = root, self._parents[label]
        return root

    def named(self, lines: SortedLines, base: str, file_label: str) -> Iterator[bytes]:
        """Yield the quads as lines with IRIs in the place of blank nodes; *lines* sorts them."""
        self._file.seek(0)
        numbers: dict[str, int] = {}
        for position, text in enumerate(self._file):
            label, line = text.rstrip(b"\n").split(b"\t", 1)
            number = numbers.setdefault(self._root(label.decode()), len(numbers))
            lines.add(b"%012d %012d " % (number, position) + line)
        self._parents.clear()
        seen: Counter[bytes] = Counter()
        for _, group in groupby(lines, key=lambda line: line[:12]):
            yield from _named(dict.fromkeys(line[26:] for line in group), base, file_label, seen)


def _named(
    lines: Iterable[bytes], base: str, file_label: str, seen: Counter[bytes]
) -> Iterator[bytes]:
    """Yield the quads of one part of a file with IRIs in the place of blank nodes.

    *seen* counts the parts of the file by what they say: where several say the same, they are
    numbered.
    """
    quads = list(ox.parse(b"\n".join(lines), format=ox.RdfFormat.N_QUADS))
    labels = {node: f"_:{name}" for node, name in names(quads).items()}
    digest = hashlib.sha256(b"\n".join(sorted(_line(quad, labels) for quad in quads))).digest()
    part = f"{key(PurePosixPath(file_label).name)} {digest.hex()} {seen[digest]}"
    seen[digest] += 1
    iris = {node: f"<{base}{_GENID}{_digits(part, label)}>" for node, label in labels.items()}
    own = f"<{graph_iri(file_label, base)}>"
    for quad in quads:
        yield _line(quad, iris, own)


def _digits(part: str, label: str) -> str:
    return hashlib.sha256(f"{part} {label}".encode()).hexdigest()[:_GENID_DIGITS]


def _line(quad: ox.Quad, nodes: dict[ox.BlankNode, str], own: str = "") -> bytes:
    """Return *quad* as a line of N-Quads, blank nodes written as *nodes* says.

    What is in no graph is put into the graph *own*.
    """
    *said, graph = (nodes[t] if isinstance(t, ox.BlankNode) else str(t) for t in terms(quad))
    is_own = isinstance(quad.graph_name, ox.DefaultGraph)
    return " ".join((*said, own if is_own else graph, ".")).encode()


def _triple(line: bytes) -> bytes:
    return line.rsplit(b" ", 2)[0] + b" ."


def _lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        for line in file:
            yield line.rstrip(b"\n")
