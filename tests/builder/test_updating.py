"""An update makes what a fresh build makes, of the snapshot before it, which stays as it was."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from kg import cli, search
from kg.builder import BuildReport, build
from kg.errors import StoreError
from kg.filling import Changes
from kg.snapshot import Snapshot
from kg.store import Store
from tests.builder.making import (
    current,
    dataset,
    lines_file,
    paper,
    report_of,
    state,
    titles,
    triples,
)
from tests.records.archive_records import EVERY_KIND

XSD = "http://www.w3.org/2001/XMLSchema#"


def contents(path: Path) -> tuple[set[str], set[str]]:
    """Return all quads of a store, and its named graphs."""
    store = ox.Store.read_only(str(path))
    return {str(quad) for quad in store}, {str(graph) for graph in store.named_graphs()}


def same(one: Snapshot, other: Snapshot) -> None:
    """Hold that two snapshots have the same product and the same store."""
    assert one.triples.read_bytes() == other.triples.read_bytes()
    assert one.quads.read_bytes() == other.quads.read_bytes()
    assert contents(one.store) == contents(other.store)
    assert (one.path / search.FILE).read_bytes() == (other.path / search.FILE).read_bytes()
    told, expected = one.manifest, other.manifest
    for key in ("created", "snapshot", "stages"):
        told.pop(key)
        expected.pop(key)
    assert told == expected
    assert report_of(one) == report_of(other)


def result(model: str, value: str) -> dict[str, object]:
    return {
        "leaderboard": "/sota/t-on-d",
        "task": "T",
        "dataset": "D",
        "model": model,
        "rank_in_archive_order": 1,
        "of": 2,
        "metrics": {"Acc (%)": value, "F1": "1e-3"},
        "uses_additional_data": False,
    }


# Records that agree and disagree about the same things, and share tasks, metrics and models.
PAPERS = [
    paper("a"),
    paper("a", title="Another title", tasks=[{"task_slug": "t", "task_name": "T"}]),
    paper("b", tasks=[{"task_slug": "t", "task_name": "T"}], date="2020-01-01"),
    paper("b", tasks=[{"task_slug": None, "task_name": "T"}], date="2020"),
    paper("c", results=[result("M", "85.5"), result("N", "85.50")]),
    paper("c", results=[result("M", "85.50")], authors=["X", "Y"]),
]
OTHERS = [dataset("d"), dataset("d", name="D"), *EVERY_KIND]
RECORDS = st.sampled_from([*PAPERS, *OTHERS]) | st.sampled_from(PAPERS)

# The store keeps the values of numbers, truth values and dates, and not how they are written.
OBJECTS = [
    *(f'"{text}"^^<{XSD}integer>' for text in ("1", "01", "+1", "2")),
    *(f'"{text}"^^<{XSD}decimal>' for text in ("1", "1.0", "1.00")),
    *(f'"{text}"^^<{XSD}boolean>' for text in ("1", "true", "0", "false")),
    *(f'"{text}"^^<{XSD}double>' for text in ("1e0", "1.0E0", "NaN", "INF", "no number")),
    *(f'"{text}"^^<{XSD}dateTime>' for text in ("2020-01-01T00:00:00Z", "2020-01-01T00:00:00.0Z")),
    *(f'"{text}"^^<{XSD}duration>' for text in ("P1Y", "P12M")),
    '"1"',
    '"1"@en',
    '"1"@EN',
    '"1"^^<e:own>',
    '"\\"^^<"',
    "_:b",
    "<e:o>",
]
STATEMENTS = st.builds(
    lambda s, p, o, g: f"{s} {p} {o} {g} .",
    st.sampled_from(["<e:s>", "<e:s#x>", "<https://w3id.org/paperkg/paper/a>", "_:a"]),
    st.sampled_from(["<e:p>", "<http://purl.org/dc/terms/title>"]),
    st.sampled_from(OBJECTS),
    st.sampled_from(["", "<e:g>", "<e:h>"]),
)


class Updates(RuleBasedStateMachine):
    """Input that changes, and a store that is updated."""

    @initialize(records=st.lists(RECORDS, max_size=4), statements=st.lists(STATEMENTS, max_size=6))
    def begin(self, records: list[Any], statements: list[str]) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.records, self.statements = records, statements
        # What takes time and has nothing to do with it: reading the canned queries, and waiting
        # for the disk.
        self.patch = pytest.MonkeyPatch()
        self.patch.setattr("kg.product.Catalogue.load", lambda: None)
        self.patch.setattr("kg.catalogue.rdf.quads", lambda *_: [b"<e:q> <e:p> <e:o> <e:own> ."])
        self.patch.setattr("kg.snapshot._sync", lambda _: None)
        build([self.written()], self.folder / "s")

    @rule(
        data=st.data(),
        records=st.lists(RECORDS, max_size=3),
        statements=st.lists(STATEMENTS, max_size=5),
    )
    def change(self, data: st.DataObject, records: list[Any], statements: list[str]) -> None:
        """Remove some records and statements, add others, and update."""
        for known in (self.records, self.statements):
            for _ in range(data.draw(st.integers(0, min(4, len(known))))):
                known.remove(data.draw(st.sampled_from(known)))
        self.records += records
        self.statements += statements
        old = current(self.folder / "s")
        before = contents(old.store)
        reader = Store.open(old.store)
        source = self.written()
        updated = build([source], self.folder / "s", update=True)
        fresh = build([source], self.folder / "t")
        same(updated.snapshot, fresh.snapshot)
        assert len(reader) == len(before[0])
        assert contents(old.store) == before
        assert updated.changes is not None
        assert fresh.changes is None
        changed = updated.changes.added - updated.changes.removed
        assert updated.triples == old.lines[0] + changed

    def written(self) -> Path:
        """Write the input; return its folder, the same each time."""
        folder = self.folder / "input"
        folder.mkdir(exist_ok=True)
        lines_file(folder / "x.jsonl", *self.records)
        (folder / "own.nq").write_text("\n".join(self.statements), "utf-8")
        return folder

    def teardown(self) -> None:
        self.patch.undo()
        shutil.rmtree(self.folder)


TestUpdates = Updates.TestCase
# To make a failure smaller would take minutes; it is small.
TestUpdates.settings = settings(
    max_examples=3,
    stateful_step_count=5,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)


# --- by hand -----------------------------------------------------------------------------------


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    """A file of three papers, of which a store is built."""
    path = lines_file(tmp_path / "x.jsonl", *(paper(slug) for slug in "abc"))
    build([path], tmp_path / "s")
    return path


def updated(tmp_path: Path, *inputs: Path, **options: Any) -> BuildReport:
    """Update the store, and hold that it is as a fresh one."""
    report = build(inputs, tmp_path / "s", update=True, **options)
    same(report.snapshot, build(inputs, tmp_path / "fresh", **options).snapshot)
    return report


def test_an_update_changes_what_differs_and_says_how_much(tmp_path: Path, papers: Path) -> None:
    lines_file(papers, paper("a"), paper("b", title="New"), dataset("d"))
    before = set(triples(current(tmp_path / "s")))
    report = updated(tmp_path, papers)
    after = set(triples(report.snapshot))
    assert report.changes == Changes(added=len(after - before), removed=len(before - after))
    assert titles(tmp_path / "s") == ["New", "Title of a"]
    assert list(report.stages) == ["reading", "mapping", "updating"]


def test_an_update_with_the_same_input_changes_nothing(tmp_path: Path, papers: Path) -> None:
    assert updated(tmp_path, papers).changes == Changes(0, 0)


def test_an_update_where_there_is_nothing_yet_is_a_full_build(tmp_path: Path) -> None:
    source = lines_file(tmp_path / "x.jsonl", paper("a"))
    report = updated(tmp_path, source)
    assert report.changes is None
    assert list(report.stages) == ["reading", "mapping", "loading"]


def test_a_reader_of_the_snapshot_before_sees_what_it_saw(tmp_path: Path, papers: Path) -> None:
    reader = Store.open(current(tmp_path / "s").store)
    before = len(reader)
    lines_file(papers, paper("z"))
    updated(tmp_path, papers)
    assert len(reader) == before
    found = reader.query("SELECT ?t { ?s <http://purl.org/dc/terms/title> ?t }")
    assert isinstance(found, ox.QuerySolutions)
    assert sorted(str(row["t"]) for row in found) == [f'"Title of {slug}"' for slug in "abc"]


def test_an_update_with_another_base_moves_everything(tmp_path: Path, papers: Path) -> None:
    report = updated(tmp_path, papers, base="https://example.org/kg/")
    assert report.snapshot.base == "https://example.org/kg/"
    assert all(line.startswith(b"<https://example.org/kg/") for line in triples(report.snapshot))
    assert report.changes is not None
    assert report.changes.removed >= len(triples(report.snapshot))


def test_an_update_leaves_out_what_is_excluded_and_takes_it_in_again(
    tmp_path: Path, papers: Path
) -> None:
    whole = current(tmp_path / "s").triples.read_bytes()
    exclude = tmp_path / "exclude.txt"
    exclude.write_text("paper:b\n", "utf-8")
    without = updated(tmp_path, papers, exclude=exclude)
    assert titles(tmp_path / "s") == ["Title of a", "Title of c"]
    assert report_of(without.snapshot)[0]["kind"] == "left out on request"
    assert updated(tmp_path, papers).snapshot.triples.read_bytes() == whole
    assert titles(tmp_path / "s") == ["Title of a", "Title of b", "Title of c"]


VALUES = {
    "integer": ("1", "01"),
    "decimal": ("1.50", "1.5"),
    "boolean": ("true", "1"),
    "dateTime": ("2020-01-01T00:00:00Z", "2020-01-01T00:00:00.0Z"),
}


def test_what_is_one_value_to_the_store_stays_as_long_as_anything_says_it(tmp_path: Path) -> None:
    own = tmp_path / "own.nq"
    lines = [
        [f'<e:s> <e:p> "{text}"^^<{XSD}{name}> {graph} .\n' for name, texts in VALUES.items()
         for text in (texts[n],) for graph in ("", "<e:g>")]
        for n in range(2)
    ]  # fmt: skip
    own.write_text("".join([*lines[0], *lines[1]]), "utf-8")
    build([own], tmp_path / "s")
    values = len(contents(current(tmp_path / "s").store)[0])
    for gone in (0, 1):
        own.write_text("".join(lines[1 - gone]), "utf-8")
        report = updated(tmp_path, own)
        assert report.changes is not None
        assert report.changes.removed
        assert len(contents(report.snapshot.store)[0]) == values
        own.write_text("".join([*lines[0], *lines[1]]), "utf-8")
        updated(tmp_path, own)


def test_a_graph_of_which_nothing_is_left_is_no_graph_of_the_store(tmp_path: Path) -> None:
    own = tmp_path / "own.nq"
    own.write_text("<e:s> <e:p> <e:o> <e:g> .\n<e:s> <e:p> <e:o> <e:h> .\n", "utf-8")
    build([own], tmp_path / "s")
    own.write_text("<e:s> <e:p> <e:o> <e:h> .\n", "utf-8")
    assert "e:g" not in updated(tmp_path, own).graphs
    found = Store.open(current(tmp_path / "s").store).query("ASK { GRAPH <e:g> {} }")
    assert not found


def test_an_update_takes_in_the_canned_queries_of_its_own_version(
    tmp_path: Path, papers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    graphs = current(tmp_path / "s").manifest["graphs"]
    monkeypatch.setattr("kg.catalogue.rdf.quads", lambda *_: [b"<e:q> <e:p> <e:o> <e:queries> ."])
    changed = updated(tmp_path, papers).graphs
    assert changed.pop("https://w3id.org/paperkg/void") > 50
    assert changed == {"e:queries": 1}
    monkeypatch.undo()
    assert updated(tmp_path, papers).graphs == graphs


def test_after_many_updates_it_is_still_as_a_fresh_one(tmp_path: Path, papers: Path) -> None:
    for n in range(3):
        lines_file(papers, *(paper(f"{n}-{m}", title="x" * n) for m in range(20)), paper("a"))
        build([papers], tmp_path / "s", update=True)
    updated(tmp_path, papers)


@pytest.mark.parametrize(
    ("name", "content"),
    [("triples.nt.gz", b""), ("quads.nq.gz", b"no gzip"), ("triples.nt.gz", None)],
)
def test_an_old_product_that_is_damaged_is_one_sentence_and_the_snapshot_stands(
    tmp_path: Path,
    papers: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
    content: bytes | None,
) -> None:
    damaged = current(tmp_path / "s").path / name
    damaged.write_bytes(damaged.read_bytes()[:-30] if content is None else content)
    before = state(tmp_path / "s")
    words = ["build", str(papers), "--store", str(tmp_path / "s"), "--update"]
    assert cli.run(words) == 4
    said = capsys.readouterr().err.splitlines()
    assert said[-1].startswith(f"Error: {damaged}: it ")
    assert said[-1].endswith("; build the store again")
    assert len(said) == 2
    assert state(tmp_path / "s") == before
    assert cli.run(words[:-1]) == 0  # the way out that it says


@pytest.mark.parametrize("name", ["manifest.json", "store"])
def test_an_old_snapshot_of_which_a_part_is_missing_is_one_sentence(
    tmp_path: Path, papers: Path, name: str
) -> None:
    missing = current(tmp_path / "s").path / name
    missing.rename(tmp_path / "elsewhere")
    with pytest.raises(StoreError) as raised:
        build([papers], tmp_path / "s", update=True)
    assert str(missing) in str(raised.value)
    assert "\n" not in str(raised.value)
    (tmp_path / "elsewhere").rename(missing)
    assert titles(tmp_path / "s") == ["Title of a", "Title of b", "Title of c"]
    updated(tmp_path, papers)


def test_a_conflict_that_an_update_brings_is_traced(tmp_path: Path, papers: Path) -> None:
    lines_file(papers, paper("a"), paper("a", title="Other"))
    report = updated(tmp_path, papers)
    (entry,) = report_of(report.snapshot)
    assert (entry["kind"], json.dumps(entry["values"]).count('"record": "/paper/a"')) == (
        "conflict",
        2,
    )


def test_the_command_says_what_was_changed(
    tmp_path: Path, papers: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = set(triples(current(tmp_path / "s")))
    lines_file(papers, *(paper(slug) for slug in "ab"))
    assert cli.run(["build", str(papers), "--store", str(tmp_path / "s"), "--update"]) == 0
    said = capsys.readouterr().err
    gone = len(before - set(triples(current(tmp_path / "s"))))
    assert gone
    assert f"\n0 triples added, {gone} removed\n" in said
    assert "updating: " in said
