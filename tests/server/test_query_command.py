"""``kg query --endpoint`` says what ``kg query --store`` says of the same store."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg import cli

TEXTS = [
    ["class-counts"],
    ["leaderboard", "-p", "leaderboard=named-entity-recognition-on-cmeee"],
    ["leaderboard", "-p", "leaderboard=named-entity-recognition-on-cmee"],
    ["--text", "ASK { ?s a kg:Paper }"],
    ["--text", "SELECT ?s ?none { ?s a kg:Dataset } ORDER BY ?s"],
    ["--text", "SELECT ?l { <rel> ?p ?l }"],
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


@pytest.mark.parametrize("format_", ["table", "csv", "tsv", "json"])
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
