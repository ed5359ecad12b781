"""The graph that the canned queries are asked, and two engines that answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pyoxigraph as ox
import pytest
import rdflib

from kg.catalogue import Catalogue
from kg.snapshot import SnapshotFolder
from kg.store import Store

GRAPH = Path(__file__).with_name("graph.ttl")
COLLECTION = Path(__file__).with_name("collection.ttl")
TIES = Path(__file__).with_name("ties.ttl")

Rows: TypeAlias = list[tuple[str, ...]]
Ask: TypeAlias = Callable[[str], Rows]

BASE = "https://w3id.org/paperkg/"


def _short(iri: str) -> str:
    return iri.removeprefix(BASE)


def oxigraph(graph: Path) -> Ask:
    store = ox.Store()
    store.load(path=graph, format=ox.RdfFormat.TURTLE)

    def ask(text: str) -> Rows:
        answer = store.query(text)
        assert isinstance(answer, ox.QuerySolutions)
        names = [variable.value for variable in answer.variables]
        terms = [[row[name] for name in names] for row in answer]
        return [tuple("" if t is None else _short(t.value) for t in row) for row in terms]

    return ask


def rdflib_engine(path: Path) -> Ask:
    rdflib.NORMALIZE_LITERALS = False  # as the other engine shows a dateTime
    graph = rdflib.Graph().parse(path, format="turtle")
    rdflib.NORMALIZE_LITERALS = True

    def ask(text: str) -> Rows:
        return [
            tuple("" if term is None else _short(str(term)) for term in row)
            for row in graph.query(text)
            if isinstance(row, rdflib.query.ResultRow)
        ]

    return ask


@pytest.fixture(scope="session")
def engines() -> dict[tuple[str, str], Ask]:
    """Two engines for each of the three graphs, by the names of engine and graph."""
    return {
        (name, graph.name): engine(graph)
        for graph in (GRAPH, COLLECTION, TIES)
        for name, engine in {"oxigraph": oxigraph, "rdflib": rdflib_engine}.items()
    }


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return Catalogue.load()


@pytest.fixture(scope="session")
def make_store(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """A function that makes the folder of a store from Turtle."""

    def make(turtle: bytes, base: str = BASE) -> Path:
        folder = tmp_path_factory.mktemp("store")
        with SnapshotFolder(folder).new() as draft:
            triples = ox.serialize(
                ox.parse(turtle, format=ox.RdfFormat.TURTLE), format=ox.RdfFormat.N_TRIPLES
            )
            assert triples is not None
            store = Store.create(draft.snapshot.store)
            store.load(triples.splitlines())
            store.flush()
            del store
            manifest = {"base": base, "inputs": [], "triples": 0, "graphs": {}, "classes": {}}
            draft.snapshot.manifest_file.write_text(json.dumps(manifest), "utf-8")
            draft.commit()
        return folder

    return make


@pytest.fixture(scope="session")
def store_dir(make_store: Callable[..., Path]) -> Path:
    """The folder of a store that holds the small graph."""
    return make_store(GRAPH.read_bytes())
