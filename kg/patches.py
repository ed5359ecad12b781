"""The difference between two graphs: an RDF Patch, and a summary by class.

RDF Patch (https://afs.github.io/rdf-delta/rdf-patch.html): a line per statement, ``A`` for one that
was added, ``D`` for one that was deleted, between ``TX`` and ``TC``.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain, groupby
from pathlib import Path
from typing import BinaryIO, Final

import pyoxigraph as ox

from kg import compressed
from kg.difference import Stretch, difference, stretches
from kg.errors import SourceError
from kg.namespaces import RDF_TYPE
from kg.snapshot import SnapshotFolder
from kg.sorting import Block, SortedLines
from kg.sources import RdfFile, Sources

_TYPE: Final = f" <{RDF_TYPE}> ".encode()
NO_CLASS: Final = ""
"""The class of what has none."""


@dataclass(slots=True)
class ClassChanges:
    """Of one class: how many things are *new*, *gone* and *changed*."""

    new: int = 0
    gone: int = 0
    changed: int = 0


@dataclass(slots=True)
class Summary:
    """What differs: statements *added* and *removed*, and things by class IRI."""

    added: int = 0
    removed: int = 0
    classes: dict[str, ClassChanges] = field(default_factory=dict)


@contextmanager
def graphs(name: str | Path) -> Iterator[tuple[Iterator[Block], Iterator[Block]]]:
    """Open what is to be compared: its triples, and the quads of its named graphs, both sorted.

    *name* is the folder of a store or an RDF file. The blank nodes of a file keep their labels.
    Raises :class:`~kg.errors.StoreError` and :class:`~kg.errors.SourceError`.
    """
    path = Path(name)
    if path.is_dir():
        yield compressed.product(SnapshotFolder(path).built())
        return
    with tempfile.TemporaryDirectory(prefix="paperkg-") as folder:
        triples, quads = (SortedLines(Path(folder, part)) for part in ("triples", "quads"))
        with Sources([name]) as sources:
            for found in sources:
                if isinstance(found, SourceError):
                    raise found
                if not isinstance(found, RdfFile):
                    raise SourceError(str(name), "it is neither a store nor an RDF file")
                for quad in found.quads(path.absolute().as_uri()):
                    line = f"{quad} .".encode()
                    is_named = not isinstance(quad.graph_name, ox.DefaultGraph)
                    (quads if is_named else triples).add(line)
            if any(file.statements is None for file in sources.files):
                raise SourceError(str(name), "it is empty, and no RDF file by its name")
        yield triples.blocks(), quads.blocks()


def write_patch(first: str | Path, second: str | Path, stream: BinaryIO) -> Summary:
    """Write to *stream* what makes the graph *first* the graph *second*; return a summary.

    Raises what :func:`graphs` does.
    """
    summary = Summary()
    with graphs(first) as (old_triples, old_quads), graphs(second) as (new_triples, new_quads):
        stream.write(b"TX .\n")
        for stretch in stretches(old_triples, new_triples):
            _write(stretch, stream, summary)
            _count(stretch, summary)
        for stretch in stretches(old_quads, new_quads):
            _write(stretch, stream, summary)
        stream.write(b"TC .\n")
    return summary


def _write(stretch: Stretch, stream: BinaryIO, summary: Summary) -> None:
    removed, added = difference(stretch)
    summary.removed += len(removed)
    summary.added += len(added)
    stream.write(b"".join(b"D %b\n" % line for line in removed))
    stream.write(b"".join(b"A %b\n" % line for line in added))


def _count(stretch: Stretch, summary: Summary) -> None:
    """Count the things of a stretch that differ, by all classes that either side gives them."""
    old, new = stretch
    if old == new:
        return
    before, after = _by_subject(old), _by_subject(new)
    for subject in before.keys() | after.keys():
        said, says = before.get(subject), after.get(subject)
        if said == says:
            continue
        for class_ in _classes(chain(said or (), says or ())):
            counts = summary.classes.setdefault(class_, ClassChanges())
            if said is None:
                counts.new += 1
            elif says is None:
                counts.gone += 1
            else:
                counts.changed += 1


def _by_subject(lines: Block) -> dict[bytes, Block]:
    groups = groupby(lines, key=lambda line: line[: line.index(b" ")])
    return {subject: list(group) for subject, group in groups}


def _classes(lines: Iterable[bytes]) -> set[str]:
    types = {line.split(_TYPE, 1)[1] for line in lines if _is_type(line)}
    return {type_.decode().removesuffix(" .").strip("<>") for type_ in types} or {NO_CLASS}


def _is_type(line: bytes) -> bool:
    return line.startswith(_TYPE, line.index(b" "))
