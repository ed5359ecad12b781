"""Labels tell the files of a build apart, and say no more of where they are than that takes."""

import io
import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.sources import SourceFile, Sources
from kg.sources.labels import told_apart

NAMES = st.sampled_from(["a", "b", "c.ttl"])
PATHS = st.lists(NAMES, min_size=1, max_size=4).map(lambda parts: "/" + "/".join(parts))


@given(st.lists(PATHS, unique=True, max_size=8), st.data())
def test_labels_differ_and_are_the_ends_of_their_paths(
    paths: list[str], data: st.DataObject
) -> None:
    ends = []
    for path in paths:
        parts = path[1:].split("/")
        ends.append("/".join(parts[-data.draw(st.integers(1, len(parts))) :]))
    labels = told_apart(list(zip(ends, paths, strict=True)))
    assert len(set(labels)) == len(labels)
    for label, end, path in zip(labels, ends, paths, strict=True):
        assert label.endswith(end)
        assert label == path or path.endswith(f"/{label}")
        if ends.count(end) == 1 and not any(one.endswith(f"/{end}") for one in labels):
            assert label == end


def test_names_that_only_unicode_tells_apart_are_alike() -> None:
    assert told_apart([("\xfc", "/a/\xfc"), ("u\u0308", "/b/u\u0308")]) == ["a/\xfc", "b/u\u0308"]


def made(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}", "utf-8")


def labels(*inputs: str | Path) -> list[str]:
    with Sources(inputs) as found:
        return [file.label for file in found.files]


def test_where_a_folder_stands_is_no_part_of_a_label(tmp_path: Path) -> None:
    for place in ("one", "two/deeper"):
        made(tmp_path / place, "notes/a.ttl", "notes/sub/a.ttl", "b.ttl")
        folder = tmp_path / place
        assert labels(folder / "notes", folder / "b.ttl") == ["a.ttl", "sub/a.ttl", "b.ttl"]


def test_files_of_one_name_are_told_apart_by_their_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(tmp_path, "x/mine.ttl", "y/mine.ttl", "z/y/mine.ttl", "z/other.ttl")
    assert labels(tmp_path / "x" / "mine.ttl") == ["mine.ttl"]
    assert labels(tmp_path / "x" / "mine.ttl", tmp_path / "y") == ["x/mine.ttl", "y/mine.ttl"]
    monkeypatch.chdir(tmp_path)
    assert labels("x/mine.ttl", "./y/../y/mine.ttl", "z") == [
        "x/mine.ttl",
        f"{tmp_path.name}/y/mine.ttl",
        "other.ttl",
        "z/y/mine.ttl",
    ]


@pytest.mark.skipif(os.name == "nt", reason="names are bytes on POSIX only")
def test_a_file_called_like_standard_input_and_one_that_is_no_utf_8(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(tmp_path, "standard input")
    odd = os.fsencode(tmp_path) + b"/\xff.json"
    with open(odd, "w", encoding="utf-8") as file:  # noqa: PTH123  a name of bytes
        file.write("{}")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"{}")))
    found = labels("-", tmp_path / "standard input", os.fsdecode(odd))
    assert found == ["standard input", f"{tmp_path.name}/standard input", "\ufffd.json"]


def test_a_file_of_the_input_knows_its_label(tmp_path: Path) -> None:
    made(tmp_path, "a.json")
    with Sources([tmp_path]) as found:
        (file,) = found.files
    assert file == SourceFile(str(tmp_path / "a.json"), "a.json", file.path, file.path)  # type: ignore[arg-type]  it has one
