"""How many records go through PyLD: none with our contexts, and those of a context of a user's."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from kg import cli, resources
from kg.builder import build
from kg.contexts import Contexts
from tests.benchmarks.making import KINDS, write
from tests.builder.making import dataset, lines_file, paper, triples
from tests.records.archive_records import EVERY_KIND


def expanded(report: Any) -> dict[str, int]:
    told = report.snapshot.manifest["records"]
    counts = {kind: count.expanded for kind, count in report.records.items()}
    assert {kind: count["expanded"] for kind, count in told.items()} == counts
    return counts


def test_no_record_of_the_samples_goes_through_pyld(tmp_path: Path) -> None:
    report = build([resources.samples()], tmp_path / "s")
    assert expanded(report) == {"dataset": 0, "paper": 0}


def test_no_record_of_any_kind_goes_through_pyld(tmp_path: Path) -> None:
    made = write(tmp_path / "made", 150)
    facts = lines_file(tmp_path / "facts.jsonl", *EVERY_KIND)
    report = build([*made, facts], tmp_path / "s")
    assert expanded(report) == dict.fromkeys(KINDS, 0)
    assert sum(count.mapped for count in report.records.values()) > 200


def test_no_real_record_goes_through_pyld(tmp_path: Path, shared: Path) -> None:
    report = build([shared / "records"], tmp_path / "s")
    assert set(expanded(report).values()) == {0}
    assert sum(count.mapped for count in report.records.values()) > 1000


def with_part(kind: str, **part: object) -> Contexts:
    """Return our contexts, that of *kind* with one part more."""
    known = dict(Contexts.load().by_kind)
    return Contexts(known | {kind: [*copy.deepcopy(known[kind]), part]})


def test_the_records_of_a_context_that_is_not_compiled_are_counted_and_the_triples_are_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    source = lines_file(tmp_path / "x.jsonl", paper("a"), paper("b", odd=1), dataset("d"), "{")
    plain = build([source], tmp_path / "plain")
    context = with_part("paper", **{"@vocab": "https://example.org/ns#"})
    monkeypatch.setattr(Contexts, "load", lambda: context)
    report = build([source], tmp_path / "s")
    assert expanded(report) == {"paper": 2, "dataset": 0, "unknown": 0}
    assert triples(report.snapshot) == triples(plain.snapshot)
    for words in (["build", "--store", str(tmp_path / "s")], ["map", "-o", str(tmp_path / "x.nt")]):
        assert cli.run([*words, str(source)]) == 1
        assert "2 paper records were mapped by PyLD, which is slow" in capsys.readouterr().err
    assert (tmp_path / "x.nt").read_bytes().splitlines() == triples(plain.snapshot)


def test_what_a_user_s_vocabulary_gives_a_meaning_to_is_in_the_graph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = lines_file(tmp_path / "x.jsonl", paper("a"))
    known = dict(Contexts.load().by_kind)
    without: Any = copy.deepcopy(known["paper"])
    del without[-1]["Paper"]["@context"]["title"]
    without[-1]["@vocab"] = "https://example.org/ns#"
    monkeypatch.setattr(Contexts, "load", lambda: Contexts(known | {"paper": without}))
    report = build([source], tmp_path / "s")
    assert expanded(report) == {"paper": 1}
    said = b' <https://example.org/ns#title> "Title of a" .'
    assert any(line.endswith(said) for line in triples(report.snapshot))
