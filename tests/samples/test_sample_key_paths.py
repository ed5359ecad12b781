"""Every key path of the real records occurs in the samples with a value of the same JSON type.

``key_paths.txt`` holds the key paths of one real paper record and one real dataset record:
kind, path and JSON type, a line each. ``[]`` stands for every element of a list.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from kg import resources

LIST = Path(__file__).with_name("key_paths.txt")
TYPES = {
    dict: "object",
    list: "array",
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    type(None): "null",
}


def key_paths(kind: str, value: object, path: str = "") -> Iterator[tuple[str, str, str]]:
    """Yield kind, key path and JSON type of everything below the record *value*."""
    if path:
        yield kind, path, TYPES[type(value)]
    if isinstance(value, dict):
        for key, entry in value.items():
            yield from key_paths(kind, entry, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for element in value:
            yield from key_paths(kind, element, path + "[]")


def listed() -> set[tuple[str, ...]]:
    return {tuple(line.split("\t")) for line in LIST.read_text(encoding="utf-8").splitlines()}


def in_samples() -> set[tuple[str, ...]]:
    papers = (resources.samples() / "papers.jsonl").read_text(encoding="utf-8").splitlines()
    datasets = (resources.samples() / "datasets.json").read_text(encoding="utf-8")
    found: set[tuple[str, ...]] = set()
    for line in papers:
        found.update(key_paths("paper", json.loads(line)))
    for record in json.loads(datasets):
        found.update(key_paths("dataset", record))
    return found


def test_key_paths_of_a_small_record() -> None:
    record = {"a": 1, "b": [{"c": None}, {"c": 0.5}], "d": {"e": True}, "f": []}
    assert set(key_paths("paper", record)) == {
        ("paper", "a", "integer"),
        ("paper", "b", "array"),
        ("paper", "b[]", "object"),
        ("paper", "b[].c", "null"),
        ("paper", "b[].c", "number"),
        ("paper", "d", "object"),
        ("paper", "d.e", "boolean"),
        ("paper", "f", "array"),
    }


def test_every_listed_key_path_occurs_with_its_type() -> None:
    assert len(listed()) > 150
    assert listed() - in_samples() == set()


def test_the_samples_have_no_key_that_the_real_records_lack() -> None:
    known = {path[:2] for path in listed()} | {
        # lists that are empty in the real records
        ("paper", "methods_introduced[]"),
        ("paper", "methods_introduced[].slug"),
        ("paper", "methods_introduced[].name"),
        ("paper", "methods_introduced[].full_name"),
        ("dataset", "data_loaders[].frameworks[]"),
    }
    # The keys of these objects are data themselves: metrics, statuses, kinds of repository.
    open_maps = ("results[].metrics.", "syntology.summary.", "syntology.by_repo_kind.")
    other = {path[:2] for path in in_samples()} - known
    assert {path for path in other if not path[1].startswith(open_maps)} == set()


def test_the_list_is_that_of_the_real_records(shared: Path) -> None:
    found: set[tuple[str, ...]] = set()
    for name, kind in (("paper-cblue", "paper"), ("dataset-blue", "dataset")):
        text = (shared / "records" / "seeds" / f"{name}.json").read_text(encoding="utf-8")
        found.update(key_paths(kind, json.loads(text)))
    assert found == listed()


def test_a_key_or_a_type_that_is_missing_is_seen() -> None:
    missing = ("paper", "url", "string")
    assert listed() - (in_samples() - {missing}) == {missing}
