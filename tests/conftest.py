"""What tests of several folders share."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from kg import records, resources
from kg.contexts import Contexts
from kg.index import Index
from kg.iris import Minter
from kg.mapper import Mapper
from kg.values import Number

ROOT = Path(__file__).parents[1]
SHARED = ROOT.parent / "shared"


@pytest.fixture
def shared() -> Path:
    """The folder of real input that stands beside the project on its own machines only."""
    if not SHARED.is_dir():
        pytest.skip("needs the real records, which are not part of the project")
    return SHARED


def decode(text: str) -> object:
    """Decode JSON as the sources do: numbers are their text."""
    return json.loads(text, parse_int=Number, parse_float=Number, parse_constant=Number)


def sample_values() -> list[object]:
    """The packaged sample records, decoded."""
    folder = resources.samples()
    papers = (folder / "papers.jsonl").read_text("utf-8").splitlines()
    datasets = decode((folder / "datasets.json").read_text("utf-8"))
    assert isinstance(datasets, list)
    return [*map(decode, papers), *datasets]


def seed_values() -> list[object]:
    """The two real records, decoded, where they are."""
    return [decode(path.read_text("utf-8")) for path in sorted(SHARED.glob("records/seeds/*.json"))]


@pytest.fixture
def mapper_for() -> Callable[[Sequence[records.Record]], Mapper]:
    """A function that returns the mapper of a corpus."""

    def make(corpus: Sequence[records.Record], base: str | None = None) -> Mapper:
        index = Index()
        for record in corpus:
            index.learn(record)
        minter = Minter(base) if base else Minter()
        return Mapper(minter=minter, index=index, contexts=Contexts.load())

    return make


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests in a browser last.

    What drives it keeps an event loop running in this thread, in which no other test can have its
    own.
    """
    items.sort(key=lambda item: "browser" in item.path.parts)
