"""Pieces of software that load a dataset: different ones stay different."""

from __future__ import annotations

from kg.index import Index
from kg.iris import Minter
from kg.mapper.dataset import loader_nodes
from kg.mapper.draft import Draft
from kg.mapper.shared import SharedNodes
from kg.records.dataset import DataLoader
from kg.vocabularies import Vocabularies

DATASET = "https://w3id.org/paperkg/dataset/squad"
REPO = "https://github.com/Example/Loads"


def iris(*loaders: DataLoader) -> list[str]:
    draft = Draft(Minter(), Index(), Vocabularies.load(), SharedNodes())
    return [str(node["@id"]) for node in loader_nodes(draft, DATASET, loaders)]


def test_a_loader_goes_by_its_repository_its_address_or_its_frameworks() -> None:
    assert iris(DataLoader(REPO, "https://e.org/a", ("pytorch",))) == [
        f"{DATASET}#loader-github.com/example/loads"
    ]
    by_address = iris(DataLoader(None, "https://e.org/a", ()))
    by_framework = iris(DataLoader(None, None, ("tf",)), DataLoader(None, None, ("jax",)))
    assert by_framework == [f"{DATASET}#loader-tf", f"{DATASET}#loader-jax"]
    assert len({*by_address, *by_framework}) == 3


def test_loaders_that_share_a_repository_and_differ_are_two() -> None:
    two = iris(
        DataLoader(REPO, "https://e.org/a", ("pytorch",)),
        DataLoader(REPO, "https://e.org/b", ("pytorch",)),
    )
    assert len(set(two)) == 2
    assert all(iri.startswith(f"{DATASET}#loader-github.com/example/loads~") for iri in two)


def test_the_same_loader_twice_is_one() -> None:
    loader = DataLoader(REPO, None, ())
    assert len(iris(loader, loader)) == 1
