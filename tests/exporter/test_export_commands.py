"""``kg export``, ``kg describe`` and ``kg info`` on the command line."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import cast

import pyoxigraph as ox
import pytest
from click.testing import CliRunner, Result

from kg import builder, cli, resources
from kg.errors import KgError, StoreError, UsageError
from tests.builder.making import current
from tests.exporter.making import (
    BASE,
    default_graph,
    exported,
    iri,
    kg,
    literal,
    oxigraph_reads,
    product,
    snapshot_of,
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("samples") / "store"
    builder.build([resources.samples()], folder)
    return folder


@pytest.fixture
def graphs(tmp_path: Path) -> Path:
    b, p = iri("http://e.org/b"), iri("http://e.org/p")
    snapshot_of(
        tmp_path / "g",
        [ox.Quad(b, p, literal("y")), ox.Quad(b, p, literal("x"), iri(BASE + "queries"))],
    )
    return tmp_path / "g"


def ran(command: str, *arguments: str | Path) -> Result:
    return CliRunner().invoke(cli.kg, [command, *map(str, arguments)])


def refusal(command: str, *arguments: str | Path) -> KgError:
    outcome = ran(command, *arguments)
    assert isinstance(outcome.exception, KgError), outcome.output
    assert outcome.stdout == ""
    return outcome.exception


def test_the_format_is_that_of_the_files_name(store: Path, tmp_path: Path) -> None:
    for name, format_ in (("a.ttl", "ttl"), ("a.rdf", "rdfxml"), ("a.NT", "nt")):
        assert ran("export", "--store", store, "-o", tmp_path / name).exit_code == 0
        content = (tmp_path / name).read_bytes()
        assert oxigraph_reads(content, format_) == oxigraph_reads(
            exported(current(store), format_), format_
        )
    assert ran("export", "--store", store, "-o", tmp_path / "a.nq.gz").exit_code == 0
    unpacked = gzip.decompress((tmp_path / "a.nq.gz").read_bytes())
    assert unpacked == exported(current(store), "nq")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.NT", "a.nq.gz", "a.rdf", "a.ttl"]


def test_standard_output_has_the_dump_and_nothing_else(store: Path) -> None:
    for extra in ((), ("-o", "-")):
        outcome = ran("export", "--store", store, "--format", "ttl", *extra)
        assert outcome.stdout_bytes == exported(current(store), "ttl")
    packed = ran("export", "--store", store, "--format", "ttl", "--gzip").stdout_bytes
    assert gzip.decompress(packed) == exported(current(store), "ttl")


def test_named_graphs_that_are_left_out_are_said_on_standard_error(graphs: Path) -> None:
    outcome = ran("export", "--store", graphs, "--format", "nt")
    assert f"left out: the named graph <{BASE}queries>" in outcome.stderr
    assert '"y"' in outcome.stdout
    assert '"x"' not in outcome.stdout
    for arguments in (("--format", "trig"), ("--format", "nt", "--graph", f"{BASE}queries")):
        outcome = ran("export", "--store", graphs, *arguments)
        assert outcome.stderr == ""
        assert '"x"' in outcome.stdout


def test_an_export_that_cannot_be_leaves_the_old_file(tmp_path: Path) -> None:
    snapshot_of(tmp_path / "s", default_graph([(iri("paper/b"), kg("note"), literal("\x00"))]))
    target = tmp_path / "old.rdf"
    target.write_text("old", "utf-8")
    error = refusal("export", "--store", tmp_path / "s", "-o", target)
    assert f"<{BASE}paper/b>" in str(error)
    assert target.read_text("utf-8") == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["old.rdf", "s"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-o", "x.txt"], "give --format"),
        ([], "give --format"),
        (["--format", "nt", "--graph", "http://e.org/none"], "no named graph <http://e.org/none>"),
        (["--format", "nt", "--graph", "none"], "neither an IRI nor a CURIE"),
        (["--format", "nt", "-o", "."], "it is a folder"),
        (["--format", "nt", "-o", "no-such-folder/x.nt"], "cannot be written"),
    ],
)
def test_what_cannot_be_asked_for_is_wrong_usage(
    store: Path, arguments: list[str], said: str
) -> None:
    error = refusal("export", "--store", store, *arguments)
    assert isinstance(error, UsageError)
    assert said in str(error)


@pytest.mark.parametrize(
    ("command", "arguments"),
    [("export", ["--format", "nt"]), ("describe", ["paper:a"]), ("info", [])],
)
def test_a_missing_store_is_a_store_error(
    tmp_path: Path, command: str, arguments: list[str]
) -> None:
    error = refusal(command, *arguments, "--store", tmp_path / "none")
    assert isinstance(error, StoreError)
    assert "kg build" in str(error)


def test_describe_prints_a_thing_with_its_parts_as_turtle(store: Path) -> None:
    outcome = ran("describe", "paper:attention-is-all-you-need", "--store", store)
    assert outcome.exit_code == 0
    said = oxigraph_reads(outcome.stdout_bytes, "ttl")
    assert said < product(current(store))
    thing = f"<{BASE}paper/attention-is-all-you-need>"
    assert {q for q in product(current(store)) if q[0] == thing} <= said
    assert any("#author-8>" in quad[0] for quad in said)
    assert any("/result/" in quad[0] for quad in said)
    body = outcome.stdout.partition("\n\n")[2]
    assert body.startswith("paper:attention-is-all-you-need\n")
    assert "@prefix paper:" in outcome.stdout
    assert "@prefix wd:" not in outcome.stdout


def test_describe_writes_the_same_triples_as_json_ld(store: Path, tmp_path: Path) -> None:
    thing = f"{BASE}paper/attention-is-all-you-need"
    arguments = ("--store", store, "--format", "jsonld", "-o", tmp_path / "x.json")
    assert ran("describe", thing, *arguments).exit_code == 0
    turtle = ran("describe", thing, "--store", store).stdout_bytes
    content = (tmp_path / "x.json").read_bytes()
    assert oxigraph_reads(content, "jsonld") == oxigraph_reads(turtle, "ttl")
    assert json.loads(content)["id"] == thing


@pytest.mark.parametrize(
    ("thing", "said"),
    [
        ("paper:no-such-paper", f"<{BASE}paper/no-such-paper> is not in this store"),
        ("attention-is-all-you-need", "a paper is paper:SLUG"),
    ],
)
def test_describe_says_what_it_does_not_know(store: Path, thing: str, said: str) -> None:
    assert said in str(refusal("describe", thing, "--store", store))


def test_info_says_what_the_snapshot_is(store: Path) -> None:
    snapshot = current(store)
    text = ran("info", "--store", store).stdout
    rows = [line.split() for line in text.splitlines()]
    assert ["snapshot", snapshot.id] in rows
    assert ["base", BASE] in rows
    assert ["triples", f"{len(product(snapshot)):,}"] in rows
    assert ["paper", "14", "14", "0"] in rows
    authorships = {quad[0] for quad in product(snapshot) if quad[2] == str(kg("Authorship"))}
    assert ["kg:Authorship", f"{len(authorships):,}"] in rows
    graph, count = next(iter(cast("dict[str, int]", snapshot.manifest["graphs"]).items()))
    assert ["graph", f"<{graph}>", f"{count:,}", "quads"] in rows
    (papers,) = (row for row in rows if row and row[0].endswith("papers.jsonl"))
    assert papers[1] == "14"
    assert len(papers[3]) == 64


def test_info_as_json_is_the_manifest(store: Path) -> None:
    text = ran("info", "--store", store, "--format", "json").stdout
    assert json.loads(text) == current(store).manifest
