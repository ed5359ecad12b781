"""The build accounts for everything; the old snapshot stands until the new one is whole."""

import errno
import gzip
import hashlib
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pyoxigraph as ox
import pytest

from kg import __version__, resources
from kg.builder import BuildReport, build
from kg.catalogue import Catalogue, rdf
from kg.errors import CollisionError, KgError, RecordError, SourceError, StoreError, UsageError
from kg.index import Index
from kg.mapper import Mapped, Mapper
from kg.passes import Passes, RecordCount
from kg.records import Record
from kg.report import errors
from kg.sorting import SortedLines
from kg.store import Store
from tests.builder.making import (
    current,
    dataset,
    in_children,
    in_default_graph,
    lines_file,
    paper,
    report_of,
    state,
    titles,
    triples,
)


def test_the_product_the_store_and_the_manifest_hold_the_same(tmp_path: Path) -> None:
    source = lines_file(tmp_path / "x.jsonl", paper("a"), dataset("d"), paper("b"))
    report = build([source], tmp_path / "s")
    snapshot = current(tmp_path / "s")
    assert report.snapshot == snapshot
    assert report.exit_code == 0
    assert report.records == {"paper": RecordCount(2, 2, 0), "dataset": RecordCount(1, 1, 0)}
    lines = triples(snapshot)
    assert lines == sorted(set(lines))
    assert len(lines) == in_default_graph(snapshot) == report.triples
    assert report.classes["https://w3id.org/paperkg/ns#Paper"] == 2
    assert sum(report.classes.values()) == sum(b"#type> " in line for line in lines)
    manifest = snapshot.manifest
    created = manifest.pop("created")
    stages = cast("dict[str, dict[str, float]]", manifest.pop("stages"))
    assert list(stages) == ["reading", "mapping", "loading"]
    assert manifest.pop("joins") == {}
    parts = [line.decode().split(" ", 2)[:2] for line in lines]
    partitions = cast("dict[str, object]", manifest.pop("partitions"))
    assert partitions["subjects"] == len({subject for subject, _ in parts})
    assert partitions["properties"] == Counter(predicate.strip("<>") for _, predicate in parts)
    assert isinstance(created, str)
    assert created.endswith("Z")
    assert manifest == {
        "paperkg": __version__,
        "snapshot": snapshot.id,
        "base": "https://w3id.org/paperkg/",
        "inputs": [
            {
                "name": str(source),
                "sha256": hashlib.sha256(source.read_bytes()).hexdigest(),
                "size": source.stat().st_size,
                "records": 3,
                "refused": 0,
            }
        ],
        "records": {
            "dataset": {"read": 1, "mapped": 1, "refused": 0, "expanded": 0},
            "paper": {"read": 2, "mapped": 2, "refused": 0, "expanded": 0},
        },
        "triples": report.triples,
        "graphs": report.graphs,
        "classes": report.classes,
        "report": {},
    }
    assert {path.name for path in snapshot.path.iterdir()} == {
        "triples.nt.gz",
        "quads.nq.gz",
        "search.sqlite",
        "store",
        "manifest.json",
        "report.jsonl",
    }


def test_a_cut_off_line_is_refused_and_the_others_are_in(tmp_path: Path) -> None:
    source = lines_file(tmp_path / "x.jsonl", paper("a"), '{"url": "/paper/b",', paper("c"))
    report = build([source], tmp_path / "s")
    assert report.exit_code == 1
    assert report.records == {"paper": RecordCount(2, 2, 0), "unknown": RecordCount(1, 0, 1)}
    assert titles(tmp_path / "s") == ["Title of a", "Title of c"]
    (entry,) = report_of(report.snapshot)
    assert (entry["file"], entry["line"]) == (str(source), 2)
    assert str(entry["reason"]).startswith("column 20: ")


def test_a_record_refused_is_in_the_report_with_its_field(tmp_path: Path) -> None:
    bad = paper("bad", title="")
    source = tmp_path / "x.json"
    source.write_text(json.dumps([paper("a"), bad, 3, {"what": 1}, dataset("d")]), "utf-8")
    report = build([source], tmp_path / "s")
    assert report.exit_code == 1
    assert report.records == {
        "paper": RecordCount(2, 1, 1),
        "dataset": RecordCount(1, 1, 0),
        "unknown": RecordCount(2, 0, 2),
    }
    first, *others = report_of(report.snapshot)
    assert first["severity"] == "error"
    assert first["kind"] == "refused record"
    assert first["file"] == str(source)
    assert first["index"] == 1
    assert first["record"] == "/paper/bad"
    assert first["field"] == "title"
    assert [entry["index"] for entry in others] == [2, 3]
    assert [entry.place.position for entry in errors(report.first)] == [
        "record 1",
        "record 2",
        "record 3",
    ]


def test_an_unreadable_file_is_named_and_wins_over_a_refused_record(tmp_path: Path) -> None:
    good = lines_file(tmp_path / "good.jsonl", paper("a"), "{")
    cut = tmp_path / "cut.json"
    cut.write_text(json.dumps([paper("b"), paper("c")], indent=1)[:-60], "utf-8")
    report = build([tmp_path / "no.json", cut, good], tmp_path / "s")
    assert report.exit_code == 3
    assert titles(tmp_path / "s") == ["Title of a", "Title of b"]
    assert [(entry["kind"], entry["file"]) for entry in report_of(report.snapshot)] == [
        ("unreadable file", str(tmp_path / "no.json")),
        ("unreadable file", str(cut)),
        ("refused record", str(good)),
    ]


def test_an_empty_file_is_a_note(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_bytes(b"")
    report = build([tmp_path / "x.json"], tmp_path / "s")
    assert report.exit_code == 0
    assert report.triples == 0
    assert triples(report.snapshot) == []
    assert in_default_graph(report.snapshot) == 0
    (entry,) = report_of(report.snapshot)
    assert (entry["severity"], entry["kind"]) == ("note", "empty file")


@pytest.mark.parametrize(
    ("bad", "error"),
    [
        ("{", RecordError),
        (paper("bad", title=""), RecordError),
        (None, SourceError),
    ],
)
def test_strict_raises_the_first_problem_and_changes_nothing(
    tmp_path: Path, bad: object, error: type[KgError]
) -> None:
    build([lines_file(tmp_path / "old.jsonl", paper("old"))], tmp_path / "s")
    before = state(tmp_path / "s")
    source = lines_file(tmp_path / "x.jsonl", paper("a"), *([bad] if bad else []), "{")
    inputs = [source] if bad else [tmp_path / "missing.json", source]
    with pytest.raises(error) as raised:
        build(inputs, tmp_path / "s", strict=True)
    assert state(tmp_path / "s") == before
    where = f"{source}, line 2" if bad else str(tmp_path / "missing.json")
    assert str(raised.value).startswith(where)


def test_the_same_input_gives_the_same_bytes_in_any_order(tmp_path: Path) -> None:
    first = lines_file(tmp_path / "a.jsonl", paper("a", authors=["X", "Y"]), dataset("d"))
    second = lines_file(tmp_path / "b.jsonl", paper("b"))
    again = lines_file(tmp_path / "c.jsonl", paper("b"))
    products = [
        build(inputs, tmp_path / name).snapshot.triples.read_bytes()
        for name, inputs in {
            "1": [first, second],
            "2": [first, second],
            "3": [again, second, first, first],
        }.items()
    ]
    assert products[0] == products[1] == products[2]
    assert products[0][3:8] == bytes(5)  # no name and no time in the gzip header


def test_a_record_built_again_is_no_more_and_a_changed_one_replaces_the_old(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    others = (paper("b"), dataset("d"))
    first = build([lines_file(path, paper("a", title="Old"), *others)], tmp_path / "s")
    second = build([path], tmp_path / "s")
    assert first.triples == second.triples
    assert triples(first.snapshot) == triples(second.snapshot)
    third = build([lines_file(path, paper("a", title="New"), *others)], tmp_path / "s")
    assert titles(tmp_path / "s") == ["New", "Title of b"]
    gone = set(triples(second.snapshot)) - set(triples(third.snapshot))
    assert len(gone) == 1
    assert b'"Old"' in gone.pop()
    assert not first.snapshot.path.exists()


def test_the_base_is_where_the_things_are(tmp_path: Path) -> None:
    source = lines_file(tmp_path / "x.jsonl", paper("a"))
    report = build([source], tmp_path / "s", base="https://example.org/kg/")
    lines = triples(report.snapshot)
    assert all(line.startswith(b"<https://example.org/kg/") for line in lines)
    assert report.snapshot.manifest["base"] == "https://example.org/kg/"
    with pytest.raises(UsageError):
        build([source], tmp_path / "t", base="no iri")
    assert not (tmp_path / "t").exists()


def test_two_records_that_disagree_both_stand_and_are_named(tmp_path: Path) -> None:
    first = lines_file(tmp_path / "a.jsonl", paper("x"), paper("a", title="One"))
    second = tmp_path / "b.json"
    second.write_text(json.dumps([paper("a", title="Two"), paper("b")]), "utf-8")
    report = build([first, second], tmp_path / "s")
    assert report.exit_code == 0
    assert report.kinds == {"conflict": 1}
    assert titles(tmp_path / "s") == ["One", "Title of b", "Title of x", "Two"]
    (entry,) = report_of(report.snapshot)
    assert entry["severity"] == "warning"
    assert entry["field"] == "http://purl.org/dc/terms/title"
    assert "paper/a>" in str(entry["reason"])
    assert entry["values"] == [
        {
            "value": '"One"',
            "records": [{"file": str(first), "line": 2, "record": "/paper/a"}],
            "count": 1,
        },
        {
            "value": '"Two"',
            "records": [{"file": str(second), "index": 0, "record": "/paper/a"}],
            "count": 1,
        },
    ]


def test_the_last_thing_of_the_product_is_looked_at_too(tmp_path: Path) -> None:
    tasks = [[{"task_slug": "zz", "task_name": name}] for name in ("One", "Two")]
    source = lines_file(
        tmp_path / "x.jsonl", *(paper(f"p{n}", tasks=t) for n, t in enumerate(tasks))
    )
    report = build([source], tmp_path / "s")
    assert triples(report.snapshot)[-1].startswith(b"<https://w3id.org/paperkg/task/zz> ")
    (entry,) = report_of(report.snapshot)
    assert (entry["kind"], entry["line"]) == ("conflict", 1)


def test_all_records_that_name_a_thing_alike_are_counted(tmp_path: Path) -> None:
    # The node of a task is made, and its lines are written, with the first record that names it.
    names = ["One", "Two", "One", "One", "Two"]
    source = lines_file(
        tmp_path / "x.jsonl",
        *(paper(f"p{n}", tasks=[{"task_slug": "t", "task_name": x}]) for n, x in enumerate(names)),
    )
    (entry,) = report_of(build([source], tmp_path / "s").snapshot)
    lines = {
        str(value["value"]): [place["line"] for place in value["records"]]
        for value in entry["values"]  # type: ignore[attr-defined]  # JSON
    }
    assert lines == {'"One"': [1, 3, 4], '"Two"': [2, 5]}


def test_two_slugs_with_one_key_are_fatal(tmp_path: Path) -> None:
    def other(index: Index, _record: object) -> None:
        raise CollisionError("paper/x", "the paper 'x'", "the paper 'X'")

    source = lines_file(tmp_path / "x.jsonl", paper("x"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Index, "learn", other)
        with pytest.raises(CollisionError, match="the paper 'x' and the paper 'X'"):
            build([source], tmp_path / "s")
    assert state(tmp_path / "s") == {}


def test_findings_are_warnings_with_the_records_place(tmp_path: Path) -> None:
    source = lines_file(tmp_path / "x.jsonl", paper("a", no_such_key=1))
    report = build([source], tmp_path / "s")
    assert report.exit_code == 0
    (entry,) = report_of(report.snapshot)
    assert entry["kind"] == "unknown key"
    assert (entry["line"], entry["record"]) == (1, "/paper/a")


def test_values_that_json_does_not_have_are_reported_and_the_next_record_is_in(
    tmp_path: Path,
) -> None:
    results = (
        '{"url": "/paper/m1", "title": "M1", "results": [{"leaderboard": "/sota/t-on-d",'
        ' "task": "T", "dataset": "D", "model": "M", "rank_in_archive_order": 1, "of": 1,'
        ' "metrics": {"FID": NaN, "PPL": Infinity, "Loss": -Infinity, "Acc": 91.2},'
        ' "uses_additional_data": false}]}'
    )
    source = lines_file(tmp_path / "x.jsonl", results, paper("m2"))
    report = build([source], tmp_path / "s")
    assert report.records == {"paper": RecordCount(2, 2, 0)}
    product = b"\n".join(triples(report.snapshot))
    assert b"91.2" in product
    assert b"#double>" not in product
    assert in_default_graph(report.snapshot) == report.triples


def test_half_a_surrogate_pair_stops_nothing(tmp_path: Path) -> None:
    records = (
        r'{"url": "/paper/s1", "title": "half \ud835 NUL \u0000 VT \u000b", "code_links": []}',
        r'{"url": "/paper/s2", "title": "whole \ud835\udc65", "code_links": []}',
    )
    report = build([lines_file(tmp_path / "x.jsonl", *records)], tmp_path / "s")
    assert titles(tmp_path / "s") == ["half \ufffd NUL \0 VT \v", "whole \U0001d465"]
    assert in_default_graph(report.snapshot) == report.triples


def test_a_record_nested_too_deep_is_refused(tmp_path: Path) -> None:
    deep = json.dumps(paper("deep"))[:-1] + ', "x": ' + "[" * 5000 + "]" * 5000 + "}"
    report = build([lines_file(tmp_path / "x.jsonl", deep, paper("a"))], tmp_path / "s")
    assert titles(tmp_path / "s") == ["Title of a"]
    assert report.exit_code == 1
    for depth in (500, 900, 940, 960):
        deep = json.dumps(paper("deep"))[:-1] + ', "x": ' + "[" * depth + "]" * depth + "}"
        report = build([lines_file(tmp_path / "x.jsonl", deep, paper("a"))], tmp_path / "s")
        assert "Title of a" in titles(tmp_path / "s")


def test_the_packaged_samples_build_with_everything_taken_in(tmp_path: Path) -> None:
    report = build([resources.samples()], tmp_path / "s")
    assert report.exit_code == 0
    assert set(report.records) == {"paper", "dataset"}
    assert all(count.refused == 0 for count in report.records.values())
    assert in_default_graph(report.snapshot) == report.triples


def test_the_two_real_records_build(tmp_path: Path, shared: Path) -> None:
    report = build([shared / "records" / "seeds"], tmp_path / "s")
    assert report.exit_code == 0
    assert report.records == {"paper": RecordCount(1, 1, 0), "dataset": RecordCount(1, 1, 0)}
    assert in_default_graph(report.snapshot) == report.triples


# --- what goes wrong in the middle -------------------------------------------------------------


def disagreeing(tmp_path: Path) -> Path:
    """Return input with which a build goes through every stage."""
    return lines_file(
        tmp_path / "x.jsonl", *(paper(str(n)) for n in range(3)), paper("1", title="Other")
    )


STAGES = ["reading", "mapping", "writing triples", "loading", "tracing conflicts", "finishing"]


def test_the_stages_are_told_in_order(tmp_path: Path) -> None:
    told: list[tuple[str, int, int | None]] = []
    build([disagreeing(tmp_path)], tmp_path / "s", progress=lambda *step: told.append(step))
    assert list(dict.fromkeys(stage for stage, _, _ in told)) == STAGES
    assert ("mapping", 4, 4) in told


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("error", [KeyboardInterrupt(), OSError(errno.ENOSPC, "No space left")])
def test_a_break_at_any_stage_leaves_the_old_snapshot_whole(
    tmp_path: Path, stage: str, error: BaseException
) -> None:
    build([lines_file(tmp_path / "old.jsonl", paper("old"))], tmp_path / "s")
    before = state(tmp_path / "s")

    def stop(now: str, _done: int, _total: int | None) -> None:
        if now == stage:
            raise error

    expected = StoreError if isinstance(error, OSError) else KeyboardInterrupt
    with pytest.raises(expected) as raised:
        build([disagreeing(tmp_path)], tmp_path / "s", progress=stop)
    if expected is StoreError:
        assert str(raised.value).endswith(": the disk is full")
    assert state(tmp_path / "s") == before
    assert titles(tmp_path / "s") == ["Title of old"]
    whole = build([disagreeing(tmp_path)], tmp_path / "s")
    elsewhere = build([disagreeing(tmp_path)], tmp_path / "t")
    assert triples(whole.snapshot) == triples(elsewhere.snapshot)


@pytest.mark.parametrize("change", [lambda p: p.write_bytes(b"{}"), Path.unlink])
def test_input_that_changes_between_the_passes_is_an_error(
    tmp_path: Path, change: Callable[[Path], object]
) -> None:
    source = disagreeing(tmp_path)

    def alter(now: str, done: int, _total: int | None) -> None:
        if now == "mapping" and done == 0:
            change(source)

    with pytest.raises(SourceError, match="changed while it was being read"):
        build([source], tmp_path / "s", progress=alter)
    assert state(tmp_path / "s") == {}


def test_a_record_that_the_mapper_refuses_counts_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = Mapper.map

    def refusing(self: Mapper, record: Record) -> Mapped:
        if record.id == "/paper/1":
            raise RecordError("no", field="f", record=record.id)
        return original(self, record)

    monkeypatch.setattr(Mapper, "map", refusing)
    source = lines_file(
        tmp_path / "x.jsonl", *(paper(str(n)) for n in range(3)), paper("2", title="Other")
    )
    report = build([source], tmp_path / "s")
    assert report.records == {"paper": RecordCount(4, 3, 1)}
    assert report.kinds == {"refused record": 1, "conflict": 1}
    entry = report_of(report.snapshot)[0]
    assert (entry["file"], entry["line"], entry["field"]) == (str(source), 2, "f")
    with pytest.raises(RecordError, match="line 2"):
        build([source], tmp_path / "s", strict=True)


def test_a_record_gone_astray_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    original = Passes._mapped
    monkeypatch.setattr(Passes, "_mapped", lambda *given: list(original(*given))[1:])
    with pytest.raises(KgError, match="of 4 paper records 3 were mapped and 0 refused") as raised:
        build([disagreeing(tmp_path)], tmp_path / "s")
    assert raised.value.exit_code == 70
    assert state(tmp_path / "s") == {}


def test_the_store_below_the_input_is_no_input(tmp_path: Path) -> None:
    lines_file(tmp_path / "x.jsonl", paper("a"))
    for _ in range(2):
        report: BuildReport = build([tmp_path], tmp_path / "s")
        assert report.exit_code == 0
        assert report.records == {"paper": RecordCount(1, 1, 0)}


def test_more_lines_than_are_held_at_once_make_the_same_product(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = lines_file(tmp_path / "x.jsonl", *(paper(str(n)) for n in range(3000)))
    whole = build([source], tmp_path / "s")
    in_children(
        monkeypatch,
        tmp_path / "patch",
        "from kg import sorting, store\n"
        "sorting.SortedLines.__init__.__kwdefaults__.update(chunk_bytes=5000)\n"
        "store.BYTES_AT_ONCE = 50_000\n",
    )
    runs: list[Path] = []
    original = SortedLines.of

    def of(folder: Path) -> SortedLines:
        runs.extend(folder.iterdir())
        return original(folder)

    monkeypatch.setattr(SortedLines, "of", of)
    pieces = build([source], tmp_path / "t")
    assert len(runs) > 1
    assert triples(pieces.snapshot) == triples(whole.snapshot)
    assert pieces.classes == whole.classes
    assert in_default_graph(pieces.snapshot) == whole.triples


def test_the_catalogue_stands_in_a_named_graph_of_product_and_store(tmp_path: Path) -> None:
    base = "https://e.org/kg/"
    report = build([lines_file(tmp_path / "x.jsonl", paper("a"))], tmp_path / "s", base=base)
    lines = gzip.decompress(report.snapshot.quads.read_bytes()).splitlines()
    described = [line for line in lines if line.endswith(f"<{base}void> .".encode())]
    queries = [line for line in lines if line not in described]
    assert queries == rdf.quads(Catalogue.load(), base)
    assert report.graphs == {f"{base}queries": len(queries), f"{base}void": len(described)}
    store = Store.open(report.snapshot.store)
    assert len(store) == report.triples + len(lines)
    assert in_default_graph(report.snapshot) == report.triples
    texts = store.query(
        f"SELECT ?text {{ GRAPH <{base}queries> {{"
        f" <{base}queries/class-counts> sh:select ?text }} }}",
        prefixes={"sh": "http://www.w3.org/ns/shacl#"},
    )
    assert isinstance(texts, ox.QuerySolutions)
    assert [row["text"].value for row in texts] == [Catalogue.load().get("class-counts").text]


def test_the_named_graphs_are_the_same_bytes_in_every_build(tmp_path: Path) -> None:
    source = lines_file(tmp_path / "x.jsonl", paper("a"))
    first = build([source], tmp_path / "s").snapshot.quads.read_bytes()
    assert build([source], tmp_path / "s").snapshot.quads.read_bytes() == first
