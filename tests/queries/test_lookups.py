"""Queries that say ``cost: lookup`` end soon whatever the store holds: they run in the server."""

from __future__ import annotations

import gzip
import re
import time

import pytest

from kg import builder, namespaces, resources
from kg.catalogue import CannedQuery, Catalogue, ParameterType
from kg.iris import DEFAULT_BASE
from kg.snapshot import SnapshotFolder
from kg.sparql import QueryForm, check, scan
from kg.store import Store

LOOKUPS = [query for query in Catalogue.load() if query.is_lookup]
OTHERS = [query for query in Catalogue.load() if not query.is_lookup]
THING = re.compile(rf"<{DEFAULT_BASE}(?!ns#|vocab/)[a-z]+/".encode())
TIMES = 25
"""How often everything stands in the large store, under other names."""

# What reads more than what hangs together with one thing.
WIDE = ("COUNT", "SUM", "AVG", "MIN", "MAX", "SAMPLE", "GROUP_CONCAT", "GROUP", "SERVICE")


def wide(text: str) -> list[str]:
    """Return what in a query reads more than what hangs together with what is named."""
    tokens = list(scan(text))
    found = [t.text for t in tokens if t.is_word(*WIDE)]
    found += [t.text for t in tokens if t.is_word("SELECT")][1:]
    # A path of any length is that modifier right after a name or a bracket.
    found += [t.text for t in tokens if t.is_mark("*", "+") and text[t.start - 1] not in " ("]
    return found


def test_there_are_some() -> None:
    names = {query.name for query in LOOKUPS}
    assert {"leaderboard", "paper-code", "paper-results", "dataset-card"} <= names
    assert {"class-counts", "methods-together"} <= {query.name for query in OTHERS}


@pytest.mark.parametrize("query", LOOKUPS, ids=lambda query: query.name)
def test_a_look_up_begins_at_one_thing_that_is_named(query: CannedQuery) -> None:
    assert query.form is QueryForm.SELECT
    assert [p for p in query.parameters if p.required and p.type is ParameterType.IRI]
    assert wide(query.text) == []


@pytest.mark.parametrize(
    "text",
    [
        "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }",
        "SELECT ?s { ?s kg:a+ ?o }",
        "SELECT ?s { ?s (kg:a|kg:b)* ?o }",
        "SELECT ?s { { SELECT ?s { ?s ?p ?o } } }",
    ],
)
def test_what_reads_more_is_found(text: str) -> None:
    check(text, namespaces.prefixes(), DEFAULT_BASE)
    assert wide(text)


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> tuple[Store, Store]:
    """The samples, and a store in which everything stands many times under other names as well."""
    folder = tmp_path_factory.mktemp("lookups") / "store"
    builder.build([str(resources.samples())], folder)
    lines = gzip.decompress(SnapshotFolder(folder).built().triples.read_bytes()).splitlines()
    small, large = Store.in_memory(), Store.in_memory()
    small.load(lines)
    large.load(lines)
    for number in range(TIMES):
        large.load([THING.sub(rb"\g<0>%d-" % number, line) for line in lines])
    return small, large


def seconds(store: Store, text: str) -> float:
    """The least of several times in which *store* answers."""
    taken = []
    for _ in range(7):
        begun = time.perf_counter()
        for _ in store.query(text, prefixes=namespaces.prefixes(), base=DEFAULT_BASE):  # type: ignore[union-attr]  # a SELECT
            pass
        taken.append(time.perf_counter() - begun)
    return min(taken)


@pytest.mark.parametrize("query", LOOKUPS, ids=lambda query: query.name)
def test_a_look_up_takes_no_longer_in_a_larger_store(
    query: CannedQuery, stores: tuple[Store, Store]
) -> None:
    small, large = stores
    assert seconds(large, query.text) < 4 * seconds(small, query.text) + 0.005


def test_one_that_is_none_takes_longer(stores: tuple[Store, Store]) -> None:
    text = "SELECT ?r { ?s ?p ?r FILTER(STR(?r) = 'x') }"
    small, large = stores
    assert seconds(large, text) > 8 * seconds(small, text)
