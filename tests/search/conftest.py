"""Indexes of names: of a few triples, and of the packaged samples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pyoxigraph as ox
import pytest

from kg import builder, namespaces, resources
from kg.search import Index, build

Make = Callable[[str], Index]
PREFIXES = "".join(f"PREFIX {p}: <{iri}>\n" for p, iri in namespaces.prefixes().items())


def lines(turtle: str) -> list[bytes]:
    """Return Turtle as the sorted lines of a product."""
    triples = ox.parse(PREFIXES + turtle, format=ox.RdfFormat.TURTLE)
    text = ox.serialize(triples, format=ox.RdfFormat.N_TRIPLES) or b""
    return sorted(set(text.splitlines()))


def in_blocks(found: list[bytes], size: int = 2) -> Iterator[list[bytes]]:
    return (found[n : n + size] for n in range(0, len(found), size))


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """A function that makes an index of Turtle."""
    made: list[Index] = []

    def make(turtle: str) -> Index:
        path = tmp_path / f"{len(made)}.sqlite"
        build(path, in_blocks(lines(turtle)))
        made.append(Index.open(path))
        return made[-1]

    yield make
    for index in made:
        index.close()


@pytest.fixture(scope="session")
def store_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of the packaged samples."""
    folder = tmp_path_factory.mktemp("search") / "store"
    builder.build([str(resources.samples())], folder)
    return folder
