"""Small records, and what a build made of them."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pyoxigraph as ox
import pytest

from kg.snapshot import Snapshot, SnapshotFolder
from kg.store import Store

PREFIXES = {
    "dct": "http://purl.org/dc/terms/",
    "kg": "https://w3id.org/paperkg/ns#",
    "paper": "https://w3id.org/paperkg/paper/",
}


def paper(slug: str, **values: object) -> dict[str, object]:
    """Return a paper record that is taken in."""
    return {"url": f"/paper/{slug}", "title": f"Title of {slug}", "code_links": [], **values}


def dataset(slug: str, **values: object) -> dict[str, object]:
    """Return a dataset record that is taken in."""
    return {"url": f"/dataset/{slug}", "name": slug, "description_markdown": "d", **values}


def lines_file(path: Path, *records: object) -> Path:
    """Write JSON Lines; a str is written as it stands."""
    texts = (record if isinstance(record, str) else json.dumps(record) for record in records)
    path.write_bytes("".join(f"{text}\n" for text in texts).encode("utf-8", "surrogatepass"))
    return path


def current(store_dir: Path) -> Snapshot:
    """Return the snapshot that counts; there must be one."""
    found = SnapshotFolder(store_dir).current()
    assert found is not None
    return found


def triples(snapshot: Snapshot) -> list[bytes]:
    """Return the lines of the product."""
    return gzip.decompress(snapshot.triples.read_bytes()).splitlines()


def in_default_graph(snapshot: Snapshot) -> int:
    """Return how many triples the default graph of the store holds."""
    counted = Store.open(snapshot.store).query("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }")
    assert isinstance(counted, ox.QuerySolutions)
    (solution,) = counted
    number = solution["n"]
    assert isinstance(number, ox.Literal)
    return int(number.value)


def report_of(snapshot: Snapshot) -> list[dict[str, object]]:
    """Return the entries of the report."""
    return [json.loads(line) for line in snapshot.report.read_text("utf-8").splitlines()]


def titles(store_dir: Path) -> list[str]:
    """Return the titles of all papers in the current store."""
    store = Store.open(current(store_dir).store)
    solutions = store.query(
        "SELECT ?title { ?paper a kg:Paper ; dct:title ?title } ORDER BY ?title", prefixes=PREFIXES
    )
    assert isinstance(solutions, ox.QuerySolutions)
    found = []
    for solution in solutions:
        title = solution["title"]
        assert isinstance(title, ox.Literal)
        found.append(title.value)
    return found


def in_children(monkeypatch: pytest.MonkeyPatch, folder: Path, code: str) -> None:
    """Have every Python program that is started from here run *code* first; *folder* is for it."""
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(code, "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(folder), prepend=os.pathsep)


def state(store_dir: Path) -> dict[str, bytes]:
    """Return every file of the store's folder but the lock, with its bytes."""
    return {
        str(path.relative_to(store_dir)): path.read_bytes()
        for path in sorted(store_dir.rglob("*"))
        if path.is_file() and path.name != "lock"
    }
