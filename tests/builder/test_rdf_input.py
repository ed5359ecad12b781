"""RDF files beside records: a user's own statements in the default graph and in their own."""

import bz2
import gzip
import hashlib
from pathlib import Path

import pyoxigraph as ox
import pytest

from kg import cli, metadata
from kg.builder import build
from kg.catalogue import Catalogue, rdf
from kg.errors import EmptyBuildError, SourceError
from kg.passes import RecordCount
from kg.statements import graph_iri
from kg.store import Store
from tests.builder.making import (
    current,
    in_default_graph,
    lines_file,
    paper,
    report_of,
    state,
    titles,
    triples,
)

BASE = "https://w3id.org/paperkg/"
GRAPH = f"{BASE}graph/mine-ttl~81ad7a87"
MINE = (
    f"@prefix : <https://example.org/> . @prefix paper: <{BASE}paper/> .\n"
    'paper:a :read true ; :review [ :by "me" ] .\n'
)


def mine(tmp_path: Path, text: str = MINE, name: str = "mine.ttl") -> Path:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return path


def quads(store_dir: Path) -> list[bytes]:
    """Return the lines of the named graphs but those of paperkg itself."""
    lines = gzip.decompress(current(store_dir).quads.read_bytes()).splitlines()
    assert lines == sorted(set(lines))
    own = tuple(f"<{iri}> .".encode() for iri in (rdf.graph_iri(BASE), metadata.graph_iri(BASE)))
    return [line for line in lines if not line.endswith(own)]


def test_statements_join_the_default_graph_and_stand_again_in_that_of_their_file(
    tmp_path: Path,
) -> None:
    source = lines_file(tmp_path / "x.jsonl", paper("a"))
    own = mine(tmp_path)
    report = build([source, own], tmp_path / "s")
    assert report.exit_code == 0
    assert report.records == {"paper": RecordCount(1, 1, 0)}
    assert report.statements == {str(own): 3}
    graphs = dict(report.graphs)
    assert graphs.pop(metadata.graph_iri(BASE)) > 50
    assert graphs == {
        GRAPH: 3,
        rdf.graph_iri(BASE): len(rdf.quads(Catalogue.load(), BASE)),
    }
    named = quads(tmp_path / "s")
    assert len(named) == 3
    assert all(line.endswith(f" <{GRAPH}> .".encode()) for line in named)
    product = triples(report.snapshot)
    assert product == sorted(set(product))
    assert {line.rsplit(b" ", 2)[0] + b" ." for line in named} < set(product)
    assert len(product) == report.triples == in_default_graph(report.snapshot)
    store = Store.open(report.snapshot.store)
    assert len(store) == report.triples + sum(report.graphs.values())
    assert report.snapshot.manifest["inputs"] == [
        {
            "name": str(source),
            "sha256": hashlib.sha256(source.read_bytes()).hexdigest(),
            "size": source.stat().st_size,
            "records": 1,
            "refused": 0,
        },
        {
            "name": str(own),
            "sha256": hashlib.sha256(own.read_bytes()).hexdigest(),
            "size": own.stat().st_size,
            "statements": 3,
        },
    ]


def test_the_product_is_the_same_in_every_build_and_order(tmp_path: Path) -> None:
    inputs = [lines_file(tmp_path / "x.jsonl", paper("a")), mine(tmp_path)]
    inputs.append(mine(tmp_path, "[] <e:a> [] . <e:x> <e:y> ( 1 1 ) .", "two.ttl"))
    products = []
    for n, given in enumerate((inputs, inputs, inputs[::-1])):
        snapshot = build(given, tmp_path / f"s{n}").snapshot
        products.append((snapshot.triples.read_bytes(), snapshot.quads.read_bytes()))
    assert products[0] == products[1] == products[2]


def test_statements_built_twice_are_no_more(tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    once = build([mine(tmp_path)], tmp_path / "s")
    twice = build([mine(tmp_path), mine(tmp_path / "copy")], tmp_path / "t")
    assert once.triples == twice.triples == 3
    assert triples(once.snapshot) == triples(twice.snapshot)
    assert len(quads(tmp_path / "t")) == 2 * len(quads(tmp_path / "s"))


def test_files_of_one_name_in_two_folders_have_two_graphs_wherever_those_stand(
    tmp_path: Path,
) -> None:
    graphs = []
    for place in ("one", "other/place"):
        folder = tmp_path / place
        for name, text in (("a", "<e:a> <e:b> 1 ."), ("a/sub", "<e:a> <e:b> 2 ."), ("b", "")):
            (folder / name).mkdir(parents=True, exist_ok=True)
            mine(folder / name, text)
        report = build([folder / "a"], folder / "s")
        graphs.append(sorted(graph for graph in report.graphs if "/graph/" in graph))
        # On a clash of what was named, the folders' names tell the files apart.
        report = build([folder / "a" / "mine.ttl", folder / "b" / "mine.ttl"], folder / "t")
        graphs.append(sorted(graph for graph in report.graphs if "/graph/" in graph))
    assert graphs[:2] == graphs[2:]
    assert graphs[0] == [GRAPH, graph_iri("sub/mine.ttl", BASE)]
    assert graphs[1] == [graph_iri("a/mine.ttl", BASE)]


@pytest.mark.parametrize("base", [BASE, "https://e.org/kg/"])
def test_the_graph_is_below_the_base_of_the_build(tmp_path: Path, base: str) -> None:
    report = build([mine(tmp_path, "<> <e:a> [] .")], tmp_path / "s", base=base)
    graph = GRAPH.replace(BASE, base)
    assert report.graphs[graph] == 1
    (line,) = triples(report.snapshot)
    assert line.startswith(f"<{graph}> <e:a> <{base}.well-known/genid/".encode())


def test_a_statement_of_record_and_user_is_one_triple(tmp_path: Path) -> None:
    source = lines_file(tmp_path / "x.jsonl", paper("a"))
    alone = build([source], tmp_path / "s")
    said = triples(alone.snapshot)[0].decode()
    both = build([source, mine(tmp_path, said, "x.nt")], tmp_path / "t")
    assert triples(both.snapshot) == triples(alone.snapshot)
    assert len(quads(tmp_path / "t")) == 1


def test_a_user_may_give_a_thing_another_name_and_a_conflict_names_the_file(
    tmp_path: Path,
) -> None:
    # A task known by name only has a key that is a hash of it; two names there are a collision
    # where records give them.
    source = lines_file(
        tmp_path / "x.jsonl",
        paper("a", tasks=[{"task_slug": "t", "task_name": "T"}], title="One"),
    )
    own = mine(
        tmp_path,
        f"<{BASE}task/name/größe~00000000> <http://www.w3.org/2000/01/rdf-schema#label> 'A', 'B' ."
        f"<{BASE}paper/a> <http://purl.org/dc/terms/title> 'Two' .",
    )
    report = build([source, own], tmp_path / "s")
    assert titles(tmp_path / "s") == ["One", "Two"]
    (entry,) = [entry for entry in report_of(report.snapshot) if entry["kind"] == "conflict"]
    assert entry["values"] == [
        {
            "value": '"One"',
            "records": [{"file": str(source), "line": 1, "record": "/paper/a"}],
            "count": 1,
        },
        {"value": '"Two"', "records": [{"file": str(own)}], "count": 1},
    ]


FAULTS = {
    "bad.ttl": (b"<e:a> <e:b> 1 .\n<e:c> x:d 2 .", "line 2, column 7: The prefix x: has not been"),
    "cut.nt.gz": (gzip.compress(b"<e:a> <e:b> <e:c> .\n")[:-4], "truncated: "),
    "cut.nq.bz2": (bz2.compress(b"<e:a> <e:b> <e:c> .\n")[:-4], "truncated: "),
    "bad.jsonld": (b'{"@context": "https://schema.org/", "name": "x"}', "line 1, column "),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_file_with_a_fault_is_named_and_nothing_of_it_is_in(tmp_path: Path, name: str) -> None:
    content, said = FAULTS[name]
    (tmp_path / name).write_bytes(content)
    source = lines_file(tmp_path / "x.jsonl", paper("a"))
    good = build([source], tmp_path / "g")
    report = build([tmp_path / name, source], tmp_path / "s")
    assert report.exit_code == 3
    (entry,) = report_of(report.snapshot)
    assert (entry["severity"], entry["file"]) == ("error", str(tmp_path / name))
    assert str(entry["reason"]).startswith(said)
    assert "nothing of the file is taken in; statements read before it: " in str(entry["reason"])
    assert triples(report.snapshot) == triples(good.snapshot)
    assert report.statements == {}
    before = state(tmp_path / "s")
    with pytest.raises(SourceError, match=name):
        build([tmp_path / name, source], tmp_path / "s", strict=True)
    assert state(tmp_path / "s") == before
    with pytest.raises(EmptyBuildError) as raised:
        build([tmp_path / name], tmp_path / "s")
    assert raised.value.exit_code == 3
    assert state(tmp_path / "s") == before


def test_a_build_of_statements_alone_stands_beside_a_fault(tmp_path: Path) -> None:
    report = build([mine(tmp_path), tmp_path / "missing.json"], tmp_path / "s")
    assert report.exit_code == 3
    assert report.triples == 3


def test_a_file_without_statements_is_a_note(tmp_path: Path) -> None:
    report = build([mine(tmp_path, "# nothing\n")], tmp_path / "s")
    assert report.exit_code == 0
    (entry,) = report_of(report.snapshot)
    assert (entry["severity"], entry["reason"]) == ("note", "the file holds no statement")


def test_the_queries_of_an_export_are_not_taken_for_statements(tmp_path: Path) -> None:
    graph = rdf.graph_iri(BASE)
    text = f"<e:a> <e:b> <e:c> <{graph}> .\n<e:a> <e:b> <e:d> <e:g> .\n"
    report = build([mine(tmp_path, text, "x.nq")], tmp_path / "s")
    assert triples(report.snapshot) == [b"<e:a> <e:b> <e:d> ."]
    assert quads(tmp_path / "s") == [b"<e:a> <e:b> <e:d> <e:g> ."]
    assert report.graphs[graph] == len(rdf.quads(Catalogue.load(), BASE))
    (entry,) = report_of(report.snapshot)
    assert entry["severity"] == "note"
    assert str(entry["reason"]).startswith("1 statements of the canned queries' graph")


def test_a_folder_holds_records_and_statements(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    lines_file(folder / "x.jsonl", paper("a"))
    mine(folder)
    (folder / "y.nq.gz").write_bytes(gzip.compress(b"<e:a> <e:b> <e:c> <e:g> .\n"))
    report = build([folder], tmp_path / "s")
    assert report.records == {"paper": RecordCount(1, 1, 0)}
    assert report.statements == {str(folder / "mine.ttl"): 3, str(folder / "y.nq.gz"): 1}
    assert report.graphs["e:g"] == 1


def test_what_is_to_be_left_out_is_left_out_of_statements_too(tmp_path: Path) -> None:
    (tmp_path / "out.txt").write_text("paper:a\n", "utf-8")
    own = mine(tmp_path, f"<{BASE}paper/a> <e:b> 1 . <e:c> <e:d> <{BASE}paper/a>, 2 .")
    report = build([own], tmp_path / "s", exclude=tmp_path / "out.txt")
    assert len(triples(report.snapshot)) == len(quads(tmp_path / "s")) == 1
    assert any("2 statements were left out" in str(e["reason"]) for e in report_of(report.snapshot))


def test_describe_says_which_statements_are_the_users_and_from_where(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    source = lines_file(tmp_path / "x.jsonl", paper("a"))
    other = mine(tmp_path, f"<e:g> {{ <{BASE}paper/a> <https://example.org/read> true }}", "y.trig")
    build([source, mine(tmp_path), other], tmp_path / "s")
    capfdbinary.readouterr()
    assert cli.run(["describe", "paper:a", "--store", str(tmp_path / "s")]) == 0
    said = capfdbinary.readouterr().out.decode()
    turtle, *graphs = said.split("\n# from ")
    described = set(ox.parse(said, format=ox.RdfFormat.TURTLE))
    assert described == set(ox.parse(turtle, format=ox.RdfFormat.TURTLE))
    node = next(line.split()[0] for line in map(bytes.decode, triples(current(tmp_path / "s")))
                if line.endswith('"me" .'))  # fmt: skip
    assert graphs == [
        "<e:g>\n#   paper:a\n#       <https://example.org/read> true .\n",
        f"<{GRAPH}>\n#   paper:a\n#       <https://example.org/read> true ;\n"
        f"#       <https://example.org/review> {node} .\n",
    ]


def test_describe_says_nothing_of_graphs_where_there_is_nothing_of_the_user(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    build(
        [lines_file(tmp_path / "x.jsonl", paper("a"), paper("b")), mine(tmp_path)], tmp_path / "s"
    )
    capfdbinary.readouterr()
    assert cli.run(["describe", "paper:b", "--store", str(tmp_path / "s")]) == 0
    assert b"# from" not in capfdbinary.readouterr().out
    query = f"{BASE}queries/class-counts"
    assert cli.run(["describe", query, "--store", str(tmp_path / "s")]) == 2


def test_coverage_passes_over_statements(tmp_path: Path) -> None:
    source = lines_file(tmp_path / "x.jsonl", paper("a"))
    assert cli.run(["coverage", str(source), str(mine(tmp_path))]) == 0
