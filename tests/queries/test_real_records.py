"""The canned queries asked about the two real records, where they are."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pyoxigraph as ox
import pytest

from kg.builder import build
from kg.catalogue import Catalogue
from kg.snapshot import SnapshotFolder
from kg.store import Store


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("real")


@pytest.fixture
def rows(shared: Path, real: Path, catalogue: Catalogue) -> dict[str, list[tuple[str, ...]]]:
    if SnapshotFolder(real).current() is None:
        build([shared / "records/seeds"], real)
    snapshot = SnapshotFolder(real).current()
    assert snapshot is not None
    store = Store.open(snapshot.store)
    answers: dict[str, list[tuple[str, ...]]] = {}
    for query in catalogue:
        required = {p.name: p.example for p in query.parameters if p.required}
        answer = store.query(query.bind(required))
        assert isinstance(answer, ox.QuerySolutions)
        answers[query.name] = [
            tuple("" if row[v] is None else row[v].value for v in answer.variables)
            for row in answer
        ]
    return answers


def test_every_example_has_an_answer(rows: dict[str, list[tuple[str, ...]]]) -> None:
    # The real records hold no tree of tasks and no code that stands in two places.
    assert {name for name, found in rows.items() if not found} == {"same-code", "subtasks"}


def test_the_real_paper_has_its_results_code_and_samples(
    rows: dict[str, list[tuple[str, ...]]],
) -> None:
    assert [row[:5] for row in rows["leaderboard"]] == [
        ("2", "MacBERT-large", "Micro F1", "62.4", "62.4")
    ]
    assert [(row[1], row[4]) for row in rows["paper-results"]] == [
        ("KUAKE-QIC", "85.5"),
        ("CMeIE", "55.9"),
        ("CMeEE", "62.4"),
        ("KUAKE-QQR", "84.7"),
        ("KUAKE-QTR", "62.9"),
        ("CHIP-STS", "85.6"),
        ("CHIP-CTC", "70.9"),
    ]
    assert [row[:2] for row in rows["paper-code"]] == [
        ("true", "https://github.com/cbluebenchmark/cblue"),
        ("false", "https://github.com/freedomintelligence/sdak"),
    ]
    assert [row[:3] for row in rows["paper-samples"][:2]] == [
        ("whitespace_tokenize", "ran_draft_wrong", "2"),
        ("url_to_filename", "ran_draft_wrong", "1"),
    ]
    assert Counter(row[1] for row in rows["paper-samples"]) == {
        "unverified": 12,
        "ran_draft_wrong": 3,
        "ran_honours": 1,
    }
