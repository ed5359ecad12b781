"""``kg search`` and ``graph.search``: what they show, and what they say where nothing is."""

from __future__ import annotations

import csv
import gc
import io
import json
from pathlib import Path

import pytest

import kg
from kg import cli
from kg.endpoint import Endpoint
from kg.errors import EndpointError, StoreError, UsageError
from kg.graph import graph as graphs
from kg.search import FILE
from kg.snapshot import SnapshotFolder

Out = pytest.CaptureFixture[str]


def run(store_dir: Path, *arguments: str) -> int:
    return cli.run(["search", *arguments, "--store", str(store_dir)])


def test_a_search_is_a_table_for_people(store_dir: Path, capsys: Out) -> None:
    assert run(store_dir, "attention", "is", "all") == 0
    printed = capsys.readouterr()
    head, rule, first, *_ = printed.out.splitlines()
    assert head.split() == ["kind", "name", "detail", "slug"]
    assert set(rule) == {"-", " "}
    assert "Attention Is All You Need" in first
    assert "Ashish Vaswani et al. · NeurIPS 2017" in first
    assert printed.err == ""


def test_json_and_csv_say_the_same(store_dir: Path, capsys: Out) -> None:
    assert run(store_dir, "squad", "--format", "json") == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["query"] == "squad"
    assert answer["hits"][0] == {
        "kind": "dataset",
        "iri": "https://w3id.org/paperkg/dataset/squad",
        "name": "SQuAD",
        "slug": "squad",
        "detail": "Stanford Question Answering Dataset · 2016",
    }
    assert run(store_dir, "squad", "--format", "csv") == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["iri"] for row in rows] == [hit["iri"] for hit in answer["hits"]]


def test_a_kind_and_a_limit_narrow_it_down(store_dir: Path, capsys: Out) -> None:
    asked = ["language", "--format", "csv", "--kind", "task", "--kind", "method", "--limit", "2"]
    assert run(store_dir, *asked) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["kind"] for row in rows] == ["task", "task"]
    assert run(store_dir, "x", "--kind", "author") == 2
    assert run(store_dir, "x", "--limit", "0") == 2
    assert run(store_dir) == 2


def test_what_is_not_there_is_said_and_no_error(store_dir: Path, capsys: Out) -> None:
    assert run(store_dir, "qqqq") == 0
    assert "nothing of this name" in capsys.readouterr().err
    assert run(store_dir, '"* NEAR(') == 0


def test_a_snapshot_without_an_index_says_so(store_dir: Path, capsys: Out, tmp_path: Path) -> None:
    file = SnapshotFolder(store_dir).built().path / FILE
    aside = file.rename(tmp_path / FILE)
    try:
        assert run(store_dir, "bert") == 4
        assert "this snapshot has no index of names; kg build makes one" in capsys.readouterr().err
        with pytest.raises(StoreError, match="it has no index of names"):
            kg.open(store_dir).search("bert")
    finally:
        aside.rename(file)


def test_a_graph_searches_and_gives_rows(store_dir: Path) -> None:
    graph = kg.open(store_dir)
    found = graph.search("bert", limit=2)
    assert found.columns == ("kind", "name", "detail", "slug", "iri")
    assert [(row["kind"], row["slug"]) for row in found] == [
        ("method", "bert"),
        ("paper", "bert-pre-training-of-deep-bidirectional"),
    ]
    assert {row["kind"] for row in graph.search("bert", "paper")} == {"paper"}
    assert {row["kind"] for row in graph.search("e", ["task", "dataset"])} == {"task", "dataset"}
    assert len(graph.search("")) == 0
    with pytest.raises(UsageError, match="is none of the kinds"):
        graph.search("bert", "papers")


def test_a_graph_lets_go_of_its_index(store_dir: Path) -> None:
    graph = kg.open(store_dir)
    search = graph._search
    assert search is not None
    del graph
    gc.collect()
    with pytest.raises(StoreError):
        search("bert", (), 1)


def test_a_graph_elsewhere_is_searched_over_http(monkeypatch: pytest.MonkeyPatch) -> None:
    hit = {"kind": "task", "iri": "http://e/t", "name": "T", "slug": None, "detail": ""}
    answers = iter([json.dumps({"query": "t", "hits": [hit]}).encode(), b"<html>"])
    asked: list[str] = []

    def fetch(_: Endpoint, address: str, *__: object) -> tuple[str, bytes]:
        asked.append(address)
        return "application/json", next(answers)

    monkeypatch.setattr(Endpoint, "_fetch", fetch)
    endpoint = Endpoint("http://127.0.0.1:1")
    (row,) = graphs._searched(endpoint, "a t\ud800&", ("task", "paper"), 3)
    assert (row.iri, row.slug) == ("http://e/t", None)
    assert asked == ["http://127.0.0.1:1/search?q=a+t%3F%26&kind=task&kind=paper&limit=3"]
    with pytest.raises(EndpointError, match="no search by name"):
        graphs._searched(endpoint, "t", (), 3)
