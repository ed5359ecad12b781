"""What is named as input is what is opened (CLI-01)."""

import os
from pathlib import Path

import pytest

from kg.errors import SourceError
from kg.sources import paths


def made(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}", "utf-8")


def found(given: str | Path, leave_out: Path | None = None) -> list[str]:
    return [str(item) for item in paths.files(given, leave_out)]


@pytest.mark.skipif(os.name == "nt", reason="these are names of files elsewhere, not on Windows")
@pytest.mark.parametrize(
    "name",
    [
        r"C:\my data\pwc 50%.jsonl",
        r"\\server\share\pwc.jsonl",
        "data:v2/pwc.jsonl",
        "50%20off.json",
        "file:x.json",
        "[abc].json",
        "what?*.json",
        "größe → 名前.json",
        "no suffix",
    ],
)
def test_a_path_is_a_path(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made(tmp_path, name, "a.json", "50 off.json")
    monkeypatch.chdir(tmp_path)
    assert found(name) == [name]
    assert found(Path(name)) == [name]
    assert found(str(tmp_path / name)) == [str(tmp_path / name)]


@pytest.mark.parametrize(
    "name", [r"C:\no\pwc 50%.jsonl", "data:v2/x.jsonl", "missing.json", "x\0y", "n" * 5000]
)
def test_a_missing_file_is_named_with_its_full_path(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (error,) = paths.files(name)
    assert isinstance(error, SourceError)
    assert error.file == str(tmp_path / name)
    assert error.reason == "there is no such file or folder"


def test_only_in_a_file_url_is_a_percent_decoded(tmp_path: Path) -> None:
    made(tmp_path, "my data 50%.json", "b%20c.json")
    url = (tmp_path / "my data 50%.json").as_uri()
    assert "%20" in url
    assert found(url) == [str(tmp_path / "my data 50%.json")]
    assert found(str(tmp_path / "b%20c.json")) == [str(tmp_path / "b%20c.json")]
    assert found(url.replace("file://", "file://localhost")) == found(url)


@pytest.mark.skipif(os.name == "nt", reason="Windows opens files of other hosts")
def test_a_file_url_of_another_host_is_refused() -> None:
    (error,) = paths.files("file://elsewhere/x.json")
    assert isinstance(error, SourceError)
    assert "another host" in error.reason


def test_a_folder_is_searched_and_sorted(tmp_path: Path) -> None:
    made(tmp_path, "b.jsonl", "a/z.JSON", "a/b/c.ndjson", "a/notes.txt", "a.csv")
    assert found(tmp_path) == [
        str(tmp_path / name) for name in ("a/b/c.ndjson", "a/z.JSON", "b.jsonl")
    ]
    assert found(str(tmp_path)) == found(tmp_path)


@pytest.mark.parametrize("compressed", ["", ".gz", ".bz2", ".xz", ".ZST"])
def test_a_folder_is_searched_for_what_can_be_read(tmp_path: Path, compressed: str) -> None:
    kinds = [
        "json",
        "jsonl",
        "jsonld",
        "ndjson",
        "nq",
        "nt",
        "owl",
        "parquet",
        "rdf",
        "trig",
        "ttl",
    ]
    made(tmp_path, *(f"x.{kind}{compressed}" for kind in kinds))
    made(tmp_path, "x", "x.gz", "gz", ".gz", "x.json.gz.txt", "x.tar.gz", "x.xml", "x.zip", ".json")
    assert found(tmp_path) == [str(tmp_path / f"x.{kind}{compressed}") for kind in kinds]


def test_a_folder_to_leave_out_is_not_looked_into(tmp_path: Path) -> None:
    made(tmp_path, "a.json", "store/snapshots/x/manifest.json")
    assert found(tmp_path, tmp_path / "store") == [str(tmp_path / "a.json")]
    assert len(found(tmp_path)) == 2


def test_a_folder_without_input_is_an_error(tmp_path: Path) -> None:
    made(tmp_path, "notes.txt")
    (error,) = paths.files(tmp_path)
    assert isinstance(error, SourceError)
    assert error.file == str(tmp_path)
    assert "holds no input" in error.reason


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads all")
def test_an_unreadable_folder_is_named(tmp_path: Path) -> None:
    made(tmp_path, "a.json", "closed/b.json")
    (tmp_path / "closed").chmod(0)
    try:
        good, error = paths.files(tmp_path)
    finally:
        (tmp_path / "closed").chmod(0o700)
    assert good == tmp_path / "a.json"
    assert isinstance(error, SourceError)
    assert error.file == str(tmp_path / "closed")


def test_a_pattern_means_what_it_matches(tmp_path: Path) -> None:
    made(tmp_path, "a1.txt", "a2.json", "b.json", "deep/er/a3.json", "ax/c.json")
    assert found(str(tmp_path / "a?.*")) == [str(tmp_path / "a1.txt"), str(tmp_path / "a2.json")]
    assert found(str(tmp_path / "**" / "a3.json")) == [str(tmp_path / "deep/er/a3.json")]
    assert found(str(tmp_path / "a[x]")) == [str(tmp_path / "ax/c.json")]
    (error,) = paths.files(str(tmp_path / "z*"))
    assert isinstance(error, SourceError)
    assert error.file == str(tmp_path / "z*")
