"""The ontology's files as graphs."""

from __future__ import annotations

from pathlib import Path

import pytest
from rdflib import Graph

ONTOLOGY = Path(__file__).resolve().parents[2] / "ontology"
EXAMPLE = Path(__file__).with_name("example.ttl")


@pytest.fixture(scope="session")
def folder() -> Path:
    return ONTOLOGY


@pytest.fixture(scope="session")
def ontology_graph() -> Graph:
    return Graph().parse(ONTOLOGY / "ontology.ttl")


@pytest.fixture(scope="session")
def shapes_graph() -> Graph:
    return Graph().parse(ONTOLOGY / "shapes.ttl")


@pytest.fixture(scope="session")
def vocabularies_graph() -> Graph:
    return Graph().parse(ONTOLOGY / "vocabularies.ttl")


@pytest.fixture(scope="session")
def example_graph() -> Graph:
    return Graph().parse(EXAMPLE)


@pytest.fixture(scope="session")
def prefixes() -> dict[str, str]:
    """The declared prefixes, read here without the program's own reader."""
    found = (
        Graph()
        .parse(ONTOLOGY / "prefixes.ttl")
        .query(
            "PREFIX sh: <http://www.w3.org/ns/shacl#> "
            "SELECT ?prefix ?namespace { <https://w3id.org/paperkg/ns> sh:declare ?declaration . "
            "?declaration sh:prefix ?prefix ; sh:namespace ?namespace }"
        )
    )
    return {str(prefix): str(namespace) for prefix, namespace in found}
