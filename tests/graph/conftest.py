"""One graph, opened here and connected to over HTTP, and the ways to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pyoxigraph as ox
import pytest

import kg
from kg import builder, resources
from kg.evaluation import InProcess
from kg.iris import DEFAULT_BASE
from kg.protocol import Service
from kg.server import Application
from kg.store import Store
from tests.server.serving import served

Make = Callable[[str], kg.Graph]


@pytest.fixture(scope="session")
def store_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a store of the sample records."""
    folder = tmp_path_factory.mktemp("graph") / "store"
    builder.build([str(resources.samples())], folder)
    return folder


@pytest.fixture(scope="session")
def local(store_dir: Path) -> kg.Graph:
    """The sample graph, opened."""
    return kg.open(store_dir)


@pytest.fixture(scope="session")
def address(store_dir: Path) -> Iterator[str]:
    """The address at which the sample graph is served."""
    with served(Application.of(store_dir)) as address:
        yield address


@pytest.fixture(scope="session")
def remote(address: str) -> kg.Graph:
    """The sample graph, connected to."""
    return kg.connect(address)


@pytest.fixture(params=["local", "remote"])
def graph(request: pytest.FixtureRequest) -> kg.Graph:
    """The sample graph, in both ways."""
    found = request.getfixturevalue(request.param)
    assert isinstance(found, kg.Graph)
    return found


def in_memory(turtle: str) -> Store:
    store = Store.in_memory()
    triples = ox.serialize(
        ox.parse(turtle, format=ox.RdfFormat.TURTLE), format=ox.RdfFormat.N_TRIPLES
    )
    store.load((triples or b"").splitlines())
    return store


@pytest.fixture(params=["local", "remote"])
def make(request: pytest.FixtureRequest) -> Iterator[Make]:
    """A function that makes a graph of Turtle, in both ways."""
    opened = []

    def make(turtle: str) -> kg.Graph:
        store = in_memory(turtle)
        if request.param == "local":
            return kg.Graph(
                lambda text: store.query(text, prefixes=prefixes, base=DEFAULT_BASE),
                base=DEFAULT_BASE,
                place="memory",
            )
        service = Service("0", DEFAULT_BASE, len(store))
        server = served(Application(InProcess(store, DEFAULT_BASE), service))
        opened.append(server)
        return kg.connect(server.__enter__())

    prefixes = kg.Graph(lambda _: ox.Store().query("ASK {}"), base=DEFAULT_BASE, place="").prefixes
    yield make
    for server in opened:
        server.__exit__(None, None, None)
