"""The layers: a module imports only what stands below it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT

LAYERS: tuple[tuple[str, ...], ...] = (
    # The ground: imports nothing of ours but each other.
    ("errors", "resources", "iris", "namespaces", "values", "findings"),
    # What one kind of text means.
    ("arxiv", "blank_nodes", "curies", "dois", "licences", "measures"),
    ("repos", "suspects", "venues"),
    # What a query may take.
    ("limits", "services"),
    # What a graph has how much of, and its description.
    ("partitions", "vocabularies"),
    ("editor", "void"),
    ("media_types", "rdflib_terms", "sparql"),
    ("formats",),
    ("remote",),
    # Files, the engine, and an engine elsewhere.
    ("endpoint", "lock", "replacing", "sorting", "sources", "store", "report"),
    ("answers", "processes", "snapshot", "statements", "work_folders"),
    ("compressed", "opened", "search"),
    ("worker",),
    # Record → triples.
    ("records",),
    ("contexts", "index"),
    ("mapper",),
    # Canned queries, and the protocol that answers them and others.
    ("catalogue",),
    ("metadata", "protocol"),
    ("evaluation", "forwarding", "workers"),
    # What is done with all of them.
    ("collisions", "conflicts", "difference", "exclusions", "origins", "stages", "tables"),
    ("filling", "passes", "patches"),
    ("mapping", "product"),
    ("coverage", "builder", "mapped_files", "describing"),
    ("exporter",),
    # The site, and the server of all of it.
    ("site",),
    ("server",),
    ("validator", "demo"),
    # The Python object of the notebooks.
    ("graph",),
    ("cli",),
)
WITHIN_A_LAYER = {
    ("resources", "errors"),
    ("iris", "errors"),
    ("namespaces", "resources"),
    ("namespaces", "iris"),
}
LEVEL = {name: n for n, layer in enumerate(LAYERS) for name in layer}
PACKAGE = ROOT / "kg"


def modules() -> dict[str, list[Path]]:
    """Return the top-level modules and packages of kg with their files."""
    found: dict[str, list[Path]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        if name not in ("__init__", "__main__"):
            found.setdefault(name, []).append(path)
    return found


def imports(source: str) -> Iterator[str]:
    """Yield the top-level names of kg that a source text imports, at whatever place."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("kg."):
                    yield alias.name.split(".")[1]
        elif isinstance(node, ast.ImportFrom) and node.module == "kg":
            yield from (alias.name for alias in node.names if not alias.name.startswith("_"))
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("kg."):
            yield str(node.module).split(".")[1]


def wrong(name: str, source: str) -> list[str]:
    return [
        f"{name} imports {other}"
        for other in imports(source)
        if other != name and (name, other) not in WITHIN_A_LAYER and LEVEL[other] >= LEVEL[name]
    ]


def test_every_module_has_a_layer_and_every_layer_its_modules() -> None:
    assert modules().keys() == LEVEL.keys()


@pytest.mark.parametrize("name", LEVEL)
def test_a_module_imports_only_what_stands_below_it(name: str) -> None:
    for path in modules()[name]:
        assert wrong(name, path.read_text("utf-8")) == []


@pytest.mark.parametrize(
    "source",
    [
        "from kg import builder",
        "import kg.cli.output",
        "from kg.mapper import Mapper",
        "def f():\n    from kg.catalogue.canned import x",
    ],
)
def test_an_import_of_what_stands_above_is_found(source: str) -> None:
    assert wrong("records", source)
    assert wrong("iris", source)
