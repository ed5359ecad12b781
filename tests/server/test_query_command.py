"""``kg query --endpoint`` says what ``kg query --store`` says of the same store."""

from __future__ import annotations

from pathlib import Path

import pytest

import kg
from kg import cli
from kg.iris import DEFAULT_BASE
from kg.namespaces import KG

TEXTS = [
    ["class-counts"],
    ["leaderboard", "-p", "leaderboard=named-entity-recognition-on-cmeee"],
    ["leaderboard", "-p", "leaderboard=named-entity-recognition-on-cmee"],
    ["--text", "ASK { ?s a kg:Paper }"],
    ["--text", "SELECT ?s ?none { ?s a kg:Dataset } ORDER BY ?s"],
    ["--text", "SELECT ?l { <rel> ?p ?l }"],
    ["--text", "ASK { <paper/cblue-a-chinese-biomedical-language> ?p ?o }"],
    ["--text", "SELECT ?s { ?s a kg:None }", "--format", "csv"],
    ["--text", "CONSTRUCT { ?s ?p ?o } { ?s a kg:None ; ?p ?o }"],
    ["--text", "SELECT * {\n ?s ?p }"],
]


def said(
    arguments: list[str], capfdbinary: pytest.CaptureFixture[bytes]
) -> tuple[int, bytes, bytes]:
    status = cli.run(["query", *arguments])
    out, err = capfdbinary.readouterr()
    return status, out, err


@pytest.mark.parametrize("arguments", TEXTS, ids=lambda arguments: arguments[-1])
def test_the_same_words_from_both(
    address: str, store_dir: Path, arguments: list[str], capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    here = said([*arguments, "--store", str(store_dir)], capfdbinary)
    there = said([*arguments, "--endpoint", address], capfdbinary)
    assert there == here
    assert here[1] or here[2]


@pytest.mark.parametrize("format_", ["table", "csv", "tsv", "json", "xml"])
def test_the_same_solutions_in_every_format(
    address: str, store_dir: Path, format_: str, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    arguments = ["paper-results", "-p", "paper=cblue-a-chinese-biomedical-language"]
    arguments += ["--format", format_]
    here = said([*arguments, "--store", str(store_dir)], capfdbinary)
    assert said([*arguments, "--endpoint", address], capfdbinary) == here
    assert here[0] == 0


def test_the_same_triples(
    address: str, store_dir: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    arguments = ["--text", "CONSTRUCT WHERE { ?s a kg:Paper ; ?p ?o }", "--format", "nt"]
    _, here, _ = said([*arguments, "--store", str(store_dir)], capfdbinary)
    _, there, _ = said([*arguments, "--endpoint", address], capfdbinary)
    assert sorted(here.splitlines()) == sorted(there.splitlines())
    assert here


def test_one_of_the_two_is_asked(
    address: str, store_dir: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    for places in ([], ["--store", str(store_dir), "--endpoint", address]):
        status, out, err = said(["--text", "ASK {}", *places], capfdbinary)
        assert (status, out) == (2, b"")
        assert b"say what to ask: --store DIR or --endpoint URL" in err


def test_an_endpoint_that_is_not_there(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    status, out, err = said(["class-counts", "--endpoint", "http://127.0.0.1:9"], capfdbinary)
    assert (status, out) == (4, b"")
    assert b"Connection refused" in err


def test_a_relative_iri_is_one_below_the_base_wherever_it_is_asked(
    address: str, store_dir: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    query = "SELECT (STR(<paper/x>) AS ?iri) (kg:Paper AS ?class) { } LIMIT 1"
    headerless = tmp_path / "plain.sparql"
    headerless.write_text(query, "utf-8")
    own = tmp_path / "own-one.rq"
    own.write_text(f"#+ title: One\n#+ description: One row.\n#+ limit:\n{query}\n", "utf-8")
    expected = (0, f"iri,class\r\n{DEFAULT_BASE}paper/x,{KG}Paper\r\n".encode())
    for place in (["--store", str(store_dir)], ["--endpoint", address]):
        for asked in (
            ["--text", query],
            ["--file", str(headerless)],
            ["--file", str(own)],
            ["own-one", "--queries", str(tmp_path)],
        ):
            assert said([*asked, *place, "--format", "csv"], capfdbinary)[:2] == expected
    for graph in (
        kg.open(store_dir, queries=own.parent),
        kg.connect(address, queries=own.parent),
    ):
        for results in (graph.sparql(query), graph.ask("own-one", limit=7)):
            assert list(results) == [{"iri": f"{DEFAULT_BASE}paper/x", "class": f"{KG}Paper"}]
