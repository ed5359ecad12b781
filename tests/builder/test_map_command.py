"""``kg map``: files of triples that hold what a build does, and nothing where there is none."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib

from kg import cli, mapped_files, metadata, records, resources
from kg.builder import build
from kg.catalogue import rdf
from kg.contexts import Contexts
from kg.errors import CollisionError, StoreError
from kg.index import Index
from kg.iris import DEFAULT_BASE, Minter, short_hash
from kg.mapped_files import map_to_files
from kg.mapper import Mapper
from kg.mapping import Task
from kg.snapshot import SnapshotFolder
from kg.sources import RawRecord, Sources
from tests.builder.making import dataset, lines_file, paper, triples
from tests.processes.children import LONG, ON_LINUX, wait_until, working_in
from tests.records.archive_records import EVERY_KIND

OWN = (
    "@prefix : <https://example.org/> .\n"
    ':a :b 1, 01, "x"@en, [ :c :d ] . :g { :a :b 1 . <https://w3id.org/paperkg/paper/a> :e :f }\n'
)


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    """A folder of records of all kinds, some of which disagree, and of statements."""
    folder = tmp_path / "in"
    folder.mkdir()
    tasks = [{"task_slug": "t", "task_name": "T"}]
    lines_file(folder / "a.jsonl", paper("a", tasks=tasks), paper("b", tasks=tasks), dataset("d"))
    lines_file(folder / "b.jsonl", paper("a", title="Another"), *EVERY_KIND)
    (folder / "own.trig").write_text(OWN, "utf-8")
    return folder


def run(*words: str | Path) -> int:
    return cli.run(["map", *map(str, words)])


def lines_of(path: Path) -> list[bytes]:
    content = path.read_bytes()
    return (gzip.decompress(content) if path.suffix == ".gz" else content).splitlines()


@pytest.mark.parametrize("name", ["x.nt", "x.nt.gz"])
def test_the_triples_are_the_product_of_a_build(
    tmp_path: Path, inputs: Path, name: str, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    product = build([inputs], tmp_path / "s").snapshot.triples.read_bytes()
    assert run(inputs, "-o", tmp_path / name) == 0
    written = (tmp_path / name).read_bytes()
    assert written == (product if name.endswith(".gz") else gzip.decompress(product))
    out, err = capfdbinary.readouterr()
    said = err.decode()
    assert out == b""
    count = len(lines_of(tmp_path / name))
    assert f"\n{count:,} triples in {tmp_path / name}\n" in said
    assert ["paper", "3", "3", "0"] in [line.split() for line in said.splitlines()]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "s", name]


@pytest.mark.parametrize("ending", [".nt", ".nt.gz", ".nq"])
@pytest.mark.parametrize("number", [2, 3, 11])
def test_shards_together_hold_it_all_once(
    tmp_path: Path, inputs: Path, number: int, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kg.sorting._LEAST_READ", 500)
    monkeypatch.setattr("kg.sorting._MERGE_BYTES", 500)
    options = ["--graphs"] if ending == ".nq" else []
    assert run(inputs, "-o", tmp_path / f"x{ending}", "--shards", str(number), *options) == 0
    assert run(inputs, "-o", tmp_path / f"all{ending}", *options) == 0
    width = len(str(number))
    shards = [f"x-{n + 1:0{width}}-of-{number}{ending}" for n in range(number)]
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(["in", f"all{ending}", *shards])
    parts = [lines_of(tmp_path / name) for name in shards]
    assert sorted(chain.from_iterable(parts)) == lines_of(tmp_path / f"all{ending}")
    assert all(part == sorted(part) for part in parts)
    assert all(parts)
    assert max(map(len, parts)) < 2 * len(list(chain.from_iterable(parts))) / number


def mapped_records(folder: Path) -> Iterator[tuple[str, set[bytes]]]:
    """Yield of each record of *folder* the IRI of its source and its triples."""
    with Sources([folder]) as sources:
        found = [records.read(raw.value) for raw in sources if isinstance(raw, RawRecord)]
    index = Index()
    for record in found:
        index.learn(record)
    mapper = Mapper(minter=Minter(), index=index, contexts=Contexts.load())
    for record in found:
        mapped = mapper.map(record)
        yield mapped.source, set(mapped.lines)


def test_with_graphs_a_triple_stands_in_that_of_each_record_that_says_it_and_nowhere_else(
    tmp_path: Path, inputs: Path
) -> None:
    (inputs / "own.trig").unlink()
    path = tmp_path / "x.nq"
    assert run(inputs, "-o", path, "--graphs") == 0
    expected: dict[str, set[ox.Triple]] = defaultdict(set)
    for source, said in mapped_records(inputs):
        expected[source] |= {q.triple for q in ox.parse(b"\n".join(said), ox.RdfFormat.N_TRIPLES)}
    found: dict[str, set[ox.Triple]] = defaultdict(set)
    for quad in ox.parse(path=str(path), format=ox.RdfFormat.N_QUADS):
        assert isinstance(quad.graph_name, ox.NamedNode)
        found[quad.graph_name.value].add(quad.triple)
    assert found == expected
    # Two records are about one paper, so they have one source; what two others share is in both.
    assert len(found) == 8
    one, two = (found[f"{DEFAULT_BASE}record/codewithpapers/paper/{s}"] for s in "ab")
    assert any(triple.subject == ox.NamedNode(f"{DEFAULT_BASE}task/t") for triple in one & two)
    lines = lines_of(path)
    assert lines == sorted(set(lines))


@pytest.mark.filterwarnings("ignore:Dataset.default_context is deprecated:DeprecationWarning")
@pytest.mark.filterwarnings("ignore:Dataset.identifier is deprecated:DeprecationWarning")
def test_the_graphs_together_are_the_product_and_two_parsers_read_them(
    tmp_path: Path, inputs: Path
) -> None:
    snapshot = build([inputs], tmp_path / "s").snapshot
    assert run(inputs, "-o", tmp_path / "x.nq.gz", "--graphs") == 0
    lines = lines_of(tmp_path / "x.nq.gz")
    assert {line.rsplit(b" ", 2)[0] + b" ." for line in lines} == set(triples(snapshot))
    graphs = (rdf.graph_iri(DEFAULT_BASE), metadata.graph_iri(DEFAULT_BASE))
    own = tuple(f"<{iri}> .".encode() for iri in graphs)
    mine = [line for line in lines_of(snapshot.quads) if not line.endswith(own)]
    assert len(mine) == 7
    assert set(mine) <= set(lines)
    engine = {str(quad) for quad in ox.parse(b"\n".join(lines), ox.RdfFormat.N_QUADS)}
    assert engine == {line.decode().removesuffix(" .") for line in lines}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rdflib, "NORMALIZE_LITERALS", False)
        other = rdflib.Dataset()
        other.parse(data=b"\n".join(lines) + b"\n", format="nquads")
        assert sum(len(graph) for graph in other.graphs()) == len(lines)
        assert {str(g.identifier) for g in other.graphs() if len(g)} == {
            line.rsplit(b" ", 2)[1].decode().strip("<>") for line in lines
        }


def test_what_is_excluded_stands_in_no_graph_either(tmp_path: Path, inputs: Path) -> None:
    exclude = tmp_path / "exclude.txt"
    exclude.write_text("task:t\npaper:b\n", "utf-8")
    product = triples(build([inputs], tmp_path / "s", exclude=exclude).snapshot)
    assert run(inputs, "-o", tmp_path / "x.nt", "--exclude", exclude) == 0
    assert run(inputs, "-o", tmp_path / "x.nq", "--exclude", exclude, "--graphs") == 0
    assert lines_of(tmp_path / "x.nt") == product
    quads = lines_of(tmp_path / "x.nq")
    assert sorted({line.rsplit(b" ", 2)[0] + b" ." for line in quads}) == product


def test_the_base_is_where_the_things_are(tmp_path: Path, inputs: Path) -> None:
    base = "https://example.org/kg/"
    product = build([inputs], tmp_path / "s", base=base).snapshot.triples.read_bytes()
    assert run(inputs, "-o", tmp_path / "x.nt.gz", "--base", base) == 0
    assert (tmp_path / "x.nt.gz").read_bytes() == product


def test_the_packaged_samples_map_as_they_build(tmp_path: Path) -> None:
    product = build([resources.samples()], tmp_path / "s").snapshot.triples.read_bytes()
    assert run(resources.samples(), "-o", tmp_path / "x.nt.gz") == 0
    assert (tmp_path / "x.nt.gz").read_bytes() == product


# --- what goes wrong ---------------------------------------------------------------------------


def test_what_is_refused_is_said_as_a_build_says_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = lines_file(tmp_path / "x.jsonl", paper("a", odd_key=1), *["{"] * 7)
    report, output = tmp_path / "report.jsonl", tmp_path / "x.nt"
    assert run(source, "-o", output, "--report", report) == 1
    said = capsys.readouterr().err
    assert "error: refused record, 7" in said
    assert "warning: unknown key, 1" in said
    assert f"All of them: {report}" in said
    built = build([source], tmp_path / "s")
    assert report.read_bytes() == built.snapshot.report.read_bytes()
    assert lines_of(output) == triples(built.snapshot)
    assert cli.run(["-q", "map", str(source), "-o", str(output)]) == 1
    assert capsys.readouterr().err.splitlines()[0].startswith(f"{source}, line 2: column 2: ")


def test_every_kind_of_failure_has_its_exit_code_and_its_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = lines_file(tmp_path / "x.jsonl", paper("a"), "{")
    output = tmp_path / "x.nt"
    output.write_text("before", "utf-8")
    there = sorted(path.name for path in tmp_path.iterdir())

    def fails(code: int, said: str, *words: str | Path) -> None:
        assert run(*words) == code
        err = capsys.readouterr().err
        assert said in err
        assert "Traceback" not in err
        assert output.read_text("utf-8") == "before"
        assert sorted(path.name for path in tmp_path.iterdir()) == there

    fails(2, "Missing option '-o'", source)
    fails(2, "it cannot be written", source, "-o", tmp_path / "no" / "x.nt")
    fails(
        2,
        "it cannot be written",
        source,
        "-o",
        output,
        "--report",
        tmp_path / "no" / "r.jsonl",
    )
    for name in ("x.ttl", "x.nq", "x", "x.gz", "x.nt.bz2"):
        fails(2, "give a name that ends in .nt or .nt.gz", source, "-o", tmp_path / name)
    fails(2, "in .nq or .nq.gz", source, "-o", output, "--graphs")
    fails(2, "is a directory", source, "-o", tmp_path)
    fails(2, "--shards", source, "-o", output, "--shards", "0")
    fails(2, "the base 'nonsense' is no web address", source, "-o", output, "--base", "nonsense")
    fails(1, f"{source}, line 2", source, "-o", output, "--strict")
    fails(3, "there is no such file", tmp_path / "no.json", source, "-o", output, "--strict")
    fails(3, "no record could be taken in", tmp_path / "no.json", "-o", output)
    fails(3, "exclude.txt", source, "-o", output, "--exclude", tmp_path / "exclude.txt")
    assert run(tmp_path / "no.json", source, "-o", output) == 3
    assert lines_of(output) == triples(build([source], tmp_path / "s").snapshot)


@ON_LINUX
def test_a_folder_that_cannot_be_written_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = lines_file(tmp_path / "x.jsonl", paper("a"))
    assert run(source, "-o", "/proc/x.nt") == 4
    said = capsys.readouterr().err
    assert said.startswith("Error: /proc/")
    assert len(said.splitlines()) == 1


@ON_LINUX
def test_a_full_disk_leaves_nothing_behind(
    tmp_path: Path, inputs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = mapped_files._deal

    def deal(blocks: Iterator[list[bytes]], files: list[Path]) -> int:
        files[-1].symlink_to("/dev/full")
        return original(blocks, files)

    monkeypatch.setattr(mapped_files, "_deal", deal)
    for name in ("x.nt", "x.nt.gz"):
        files = [tmp_path / f"1{name}", tmp_path / f"2{name}"]
        with pytest.raises(StoreError, match="the disk is full"):
            map_to_files(Task([inputs, *[inputs / "b.jsonl"] * 2]), files)
        assert [path.name for path in tmp_path.iterdir()] == ["in"]


def test_two_things_with_one_iri_stop_it_as_they_stop_a_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slugs = ("\u00c4", "\u00d6")
    original = short_hash
    monkeypatch.setattr(
        "kg.iris.short_hash", lambda text: "0123abcd" if text in slugs else original(text)
    )
    records = [{"url": f"/dataset/{slug}", "name": "N"} for slug in slugs]
    task = Task([lines_file(tmp_path / "x.jsonl", *records)])
    for name, graphs in (("x.nt", False), ("x.nq", True)):
        with pytest.raises(CollisionError, match=r"\\xc4.*\\xd6"):
            map_to_files(task, [tmp_path / name], graphs=graphs)
    # One name in two records is one thing, in whatever graphs it stands.
    task = Task([lines_file(tmp_path / "x.jsonl", records[0], records[0] | {"name": "M"})])
    map_to_files(task, [tmp_path / "x.nq"], graphs=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x.jsonl", "x.nq"]


@pytest.mark.parametrize("options", [[], ["--shards", "2"]])
def test_what_was_written_before_is_not_taken_for_input(
    tmp_path: Path, inputs: Path, capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    before = sorted(path.name for path in inputs.iterdir())
    assert run(inputs, "-o", inputs / "x.nt", *options) == 0  # its work is not taken for input
    written = {path: path.read_bytes() for path in inputs.iterdir() if path.name not in before}
    assert len(written) == (2 if options else 1)
    assert ".paperkg-" not in capsys.readouterr().err
    assert run(inputs, "-o", inputs / "x.nt", *options) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"Error: {next(iter(sorted(written)))}: it is among the input")
    assert {path: path.read_bytes() for path in written} == written
    assert len(list(inputs.iterdir())) == len(before) + len(written)


@ON_LINUX
def test_an_interrupt_leaves_nothing_behind(tmp_path: Path) -> None:
    source = lines_file(tmp_path / "x.jsonl", *(paper(str(n)) for n in range(3000)))
    with subprocess.Popen(
        [sys.executable, "-m", "kg", "map", str(source), "-o", str(tmp_path / "x.nt")],
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as running:
        wait_until(lambda: any(tmp_path.glob(".paperkg-*/sorting")))
        os.killpg(running.pid, signal.SIGINT)
        _, said = running.communicate(timeout=LONG)
    assert running.returncode == 130
    assert said == b"\nInterrupted.\n"
    assert [path.name for path in tmp_path.iterdir()] == ["x.jsonl"]
    assert working_in(tmp_path) == set()


@ON_LINUX
def test_one_that_is_killed_is_cleared_up_after_by_the_next_and_one_at_work_is_left_alone(
    tmp_path: Path,
) -> None:
    many = lines_file(tmp_path / "many.jsonl", *(paper(str(n)) for n in range(3000)))
    few = lines_file(tmp_path / "few.jsonl", paper("a"))
    own = tmp_path / ".paperkg-notes"  # not made by us: without a lock
    own.mkdir()
    words = [sys.executable, "-m", "kg", "map", str(many), "-o", str(tmp_path / "x.nt")]

    def work() -> set[Path]:
        return {path.parent for path in tmp_path.glob(".paperkg-*/sorting")}

    with subprocess.Popen(words, stderr=subprocess.PIPE) as running:
        try:
            wait_until(work)
            (left,) = work()
            os.kill(running.pid, signal.SIGSTOP)
            assert run(few, "-o", tmp_path / "y.nt") == 0
            assert work() == {left}
        finally:
            running.kill()
    assert work() == {left}
    wait_until(lambda: not working_in(tmp_path))
    assert run(few, "-o", tmp_path / "y.nt") == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        ".paperkg-notes",
        "few.jsonl",
        "many.jsonl",
        "y.nt",
    ]


def test_standard_input_is_mapped(tmp_path: Path) -> None:
    content = json.dumps(paper("a")).encode()
    words = ["map", "-", "-o", str(tmp_path / "x.nt")]
    subprocess.run(
        [sys.executable, "-m", "kg", *words], input=content, capture_output=True, check=True
    )
    (tmp_path / "x.json").write_bytes(content)
    with tempfile.TemporaryDirectory() as store:
        snapshot = build([tmp_path / "x.json"], store).snapshot
        assert SnapshotFolder(store).built() == snapshot
        assert lines_of(tmp_path / "x.nt") == triples(snapshot)
