"""A build from all kinds of records: counts, joins, exclusions, stages."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from kg import builder
from kg.errors import SourceError
from kg.snapshot import SnapshotFolder
from tests.records.archive_records import DATASET, EVERY_KIND, METHOD, PWC

KINDS = (
    "papers-with-abstracts",
    "links-between-papers-and-code",
    "methods",
    "datasets",
    "evaluation-tables",
)
BASE = "https://w3id.org/paperkg/"


def lines_of(store: Path) -> list[str]:
    snapshot = SnapshotFolder(store).current()
    assert snapshot is not None
    return gzip.decompress(snapshot.triples.read_bytes()).decode().splitlines()


@pytest.fixture
def records(tmp_path: Path) -> Path:
    folder = tmp_path / "records"
    folder.mkdir()
    for n, value in enumerate(EVERY_KIND):
        (folder / f"{n}.json").write_text(json.dumps([value]), "utf-8")
    return folder


def test_every_kind_is_recognised_counted_and_joined(records: Path, tmp_path: Path) -> None:
    report = builder.build([records], tmp_path / "s")
    assert {
        kind: (c.read, c.mapped, c.refused) for kind, c in report.records.items()
    } == dict.fromkeys(KINDS, (1, 1, 0))
    # The link, the method, the dataset and its verified paper, two rows.
    assert report.joins == {
        "by their address on Papers with Code": 3,
        "by their arXiv identifier": 1,
        "in no record": 2,
    }
    assert list(report.stages)[:3] == ["reading", "mapping", "loading"]
    snapshot = SnapshotFolder(tmp_path / "s").current()
    assert snapshot is not None
    told: Any = snapshot.manifest
    assert told["joins"] == report.joins
    assert all(stage["seconds"] >= 0 for stage in told["stages"].values())
    assert not (snapshot.path / "work").exists()


def test_things_are_left_out_with_their_parts_and_all_that_points_to_them(
    records: Path, tmp_path: Path
) -> None:
    exclude = tmp_path / "exclude.txt"
    exclude.write_text(
        "# vandalism\nmethod:transformer  # a comment\n<https://w3id.org/paperkg/dataset/example-corpus>\n"
        "task:no-such-task\n",
        "utf-8",
    )
    builder.build([records], tmp_path / "all")
    report = builder.build([records], tmp_path / "s", exclude=exclude)
    gone = [f"<{BASE}method/transformer", f"<{BASE}dataset/example-corpus"]
    before, after = lines_of(tmp_path / "all"), lines_of(tmp_path / "s")

    def touches(line: str) -> bool:
        subject, _, rest = line.split(" ", 2)
        return any(t.startswith((f"{iri}>", f"{iri}#")) for iri in gone for t in (subject, rest))

    assert after == [line for line in before if not touches(line)]
    assert len(after) < len(before)
    said = [str(entry) for entry in report.first["left out on request"]]
    assert any("task/no-such-task>: 0 statements" in text for text in said)
    assert report.exit_code == 0
    assert all(count.read == count.mapped for count in report.records.values())


@pytest.mark.parametrize(("text", "line"), [("paper:a\na b c\n", 2), ("papr:x y", 1)])
def test_a_line_that_names_no_thing_is_said(
    records: Path, tmp_path: Path, text: str, line: int
) -> None:
    exclude = tmp_path / "exclude.txt"
    exclude.write_text(text, "utf-8")
    with pytest.raises(SourceError, match=f"line {line}"):
        builder.build([records], tmp_path / "s", exclude=exclude)
    with pytest.raises(SourceError, match=r"missing\.txt"):
        builder.build([records], tmp_path / "s", exclude=tmp_path / "missing.txt")


def test_the_two_sources_of_one_dataset_and_method_are_one_thing(tmp_path: Path) -> None:
    site = {"url": "/dataset/example-corpus", "name": "Example Corpus", "num_papers_in_archive": 1}
    path = tmp_path / "x.jsonl"
    other = {**METHOD, "url": f"{PWC}/method/other", "name": "Other"}
    path.write_text("\n".join(json.dumps(v) for v in (site, DATASET, METHOD, other)), "utf-8")
    report = builder.build([path], tmp_path / "s")
    assert report.classes["https://w3id.org/paperkg/ns#Dataset"] == 1
    assert report.classes["https://w3id.org/paperkg/ns#Method"] == 2
    assert report.kinds["conflict"] == 1  # paperCount 1 and 3: both stand
    assert (
        sum(
            "#paperCount" in line and "example-corpus>" in line for line in lines_of(tmp_path / "s")
        )
        == 2
    )


def test_the_real_archive_builds_and_names_what_it_cannot_read(
    shared: Path, tmp_path: Path
) -> None:
    folders = [shared / "records" / name for name in ("archive", "evaluation-tables", "seeds")]
    report = builder.build(folders, tmp_path / "s")
    assert report.exit_code == 3
    (unreadable,) = report.first["unreadable file"]
    assert "example_json_format.json" in str(unreadable)
    assert "line 27" in str(unreadable)
    assert {kind: c.mapped for kind, c in report.records.items()} == {
        "paper": 1,
        "dataset": 1,
        "papers-with-abstracts": 1,
        "links-between-papers-and-code": 2,
        "methods": 1044,
        "datasets": 1,
        "evaluation-tables": 54,
    }
    assert all(c.refused == 0 and c.read == c.mapped for c in report.records.values())
