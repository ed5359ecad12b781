"""Made records are records, the same every time, and as many of each kind as the archive has."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kg import records
from kg.sources import RawRecord, Sources
from tests.benchmarks.making import KINDS, made, write
from tests.conftest import decode


@pytest.mark.parametrize("kind", KINDS)
def test_a_made_record_is_one_of_its_kind_and_the_same_every_time(kind: str) -> None:
    texts = [json.dumps(value) for value in made(kind, 12)]
    assert len(set(texts)) == 12
    assert {records.read(decode(text)).kind for text in texts} == {kind}
    # By its number alone, whatever was made before it.
    assert [json.dumps(KINDS[kind].make(n)) for n in (7, 3)] == [texts[7], texts[3]]


def test_kinds_stand_in_the_proportions_of_the_archive() -> None:
    assert {kind: own.among(576_000) for kind, own in KINDS.items()} == {
        "papers-with-abstracts": 576_000,
        "links-between-papers-and-code": 300_000,
        "datasets": 15_000,
        "methods": 8_700,
        "evaluation-tables": 2_300,
        "paper": 6_000,
        "dataset": 1_000,
    }
    assert {own.among(1) for own in KINDS.values()} == {1}


def test_written_records_are_read_without_a_fault(tmp_path: Path) -> None:
    paths = write(tmp_path / "records", 300)
    with Sources(paths) as sources:
        found = list(sources)
    assert all(isinstance(one, RawRecord) for one in found)
    assert len(found) == sum(own.among(300) for own in KINDS.values()) > 450


def test_made_records_share_and_are_dirty() -> None:
    papers = [KINDS["papers-with-abstracts"].make(n) for n in range(600)]
    tasks = [task for paper in papers for task in paper["tasks"]]
    assert len(set(tasks)) < len(tasks)
    assert any(paper["arxiv_id"] is None for paper in papers)
    assert any(paper["date"] == "soon" for paper in papers)
    links = [KINDS["links-between-papers-and-code"].make(n) for n in range(300)]
    slugs = {paper["paper_url"] for paper in papers}
    assert any(link["paper_url"] in slugs for link in links)
    assert any(link["paper_url"] not in slugs for link in links)
