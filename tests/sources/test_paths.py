"""What is named as input is what is opened (CLI-01)."""

import os
import socket
from pathlib import Path

import pytest

from kg.errors import SourceError
from kg.sources import paths
from kg.sources.left_out import LeftOut
from kg.sources.paths import InputFile


def made(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}", "utf-8")


def found(given: str | Path, leave_out: Path | None = None) -> list[str]:
    """Return what *given* means: the paths of files, and the words of everything else."""
    return [
        str(item.path)
        if isinstance(item, InputFile)
        else f"{item.place}: left out, {item.reason}"
        if isinstance(item, LeftOut)
        else str(item)
        for item in paths.files(given, leave_out)
    ]


def labels(given: str | Path) -> list[str]:
    return [item.label for item in paths.files(given) if isinstance(item, InputFile)]


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


@pytest.mark.skipif(os.name == "nt", reason="permissions are those of POSIX")
def test_what_may_not_be_looked_into_is_named_and_the_rest_goes_on(
    unprivileged: Path,
) -> None:
    made(unprivileged, "a.json", "closed/b.json", "listed/c.json")
    (unprivileged / "closed").chmod(0)
    (unprivileged / "listed").chmod(0o400)
    closed, listed = unprivileged / "closed", unprivileged / "listed" / "c.json"
    assert found(unprivileged) == [
        str(unprivileged / "a.json"),
        f"{listed}: it cannot be read: Permission denied",
        f"{closed}: it cannot be read: Permission denied",
    ]
    for path in (closed, closed / "b.json"):
        assert found(path) == [f"{path}: it cannot be read: Permission denied"]


def test_a_pattern_means_what_it_matches(tmp_path: Path) -> None:
    made(tmp_path, "a1.txt", "a2.json", "b.json", "deep/er/a3.json", "ax/c.json")
    assert found(str(tmp_path / "a?.*")) == [str(tmp_path / "a1.txt"), str(tmp_path / "a2.json")]
    assert found(str(tmp_path / "**" / "a3.json")) == [str(tmp_path / "deep/er/a3.json")]
    assert found(str(tmp_path / "a[x]")) == [str(tmp_path / "ax/c.json")]
    (error,) = paths.files(str(tmp_path / "z*"))
    assert isinstance(error, SourceError)
    assert error.file == str(tmp_path / "z*")


def test_a_file_of_a_folder_is_labelled_by_its_path_below_it_and_another_by_its_name(
    tmp_path: Path,
) -> None:
    made(tmp_path, "in/b.json", "in/deep/er/a.json")
    assert labels(tmp_path / "in") == ["b.json", "deep/er/a.json"]
    assert labels(tmp_path / "in" / "deep" / "er" / "a.json") == ["a.json"]
    assert labels(str(tmp_path / "in" / "*" / "*" / "a.*")) == ["a.json"]


# --- stores --------------------------------------------------------------------------------------


def store(folder: Path, counts: str = "current") -> Path:
    made(folder, counts, "snapshots/x/manifest.json", "snapshots/x/report.jsonl")
    return folder


@pytest.mark.parametrize("counts", ["current", "lock"])
def test_a_store_below_a_folder_is_left_out_and_said(tmp_path: Path, counts: str) -> None:
    made(tmp_path, "a.json", "snapshots/b.json", "no/snapshots/c.json", "no/d.json")
    inside = store(tmp_path / "data" / "graph", counts)
    assert found(tmp_path) == [
        *(
            str(tmp_path / name)
            for name in ("a.json", "no/d.json", "no/snapshots/c.json", "snapshots/b.json")
        ),
        f"{inside}: left out, it is a store of paperkg",
    ]


def test_the_store_that_is_built_is_passed_over_without_a_word(tmp_path: Path) -> None:
    made(tmp_path, "a.json")
    mine, other = store(tmp_path / "mine"), store(tmp_path / "other")
    said = [str(tmp_path / "a.json"), f"{other}: left out, it is a store of paperkg"]
    assert found(tmp_path, mine) == said
    assert sorted(found(str(tmp_path / "*"), mine)) == sorted(said)
    assert sorted(found(str(tmp_path / "**" / "*"), mine)) == sorted(said)


def test_a_store_is_no_input_and_what_is_named_inside_one_is(tmp_path: Path) -> None:
    inside = store(tmp_path / "graph")
    assert found(inside) == [
        f"{inside}: it is a store of paperkg and no input; kg export makes a file of what it holds"
    ]
    snapshot = inside / "snapshots" / "x"
    assert found(snapshot) == [str(snapshot / "manifest.json"), str(snapshot / "report.jsonl")]
    assert found(str(snapshot / "man*")) == [str(snapshot / "manifest.json")]


def test_a_folder_of_stores_alone_holds_no_input(tmp_path: Path) -> None:
    store(tmp_path / "graph")
    left_out, error = found(tmp_path)
    assert "left out" in left_out
    assert "holds no input" in error


# --- what is no file -----------------------------------------------------------------------------

POSIX = pytest.mark.skipif(os.name == "nt", reason="links, pipes and sockets are those of POSIX")


@POSIX
def test_links_in_circles_and_to_nowhere_are_named_and_the_rest_goes_on(tmp_path: Path) -> None:
    made(tmp_path, "in/a.json", "elsewhere/b.json")
    folder = tmp_path / "in"
    (folder / "loop.json").symlink_to("loop.json")
    (folder / "gone.json").symlink_to("nowhere")
    (folder / "good.json").symlink_to("../elsewhere/b.json")
    (folder / "up").symlink_to("..")
    (folder / "round").symlink_to("round")
    assert sorted(found(folder)) == sorted(
        [
            str(folder / "a.json"),
            str(folder / "good.json"),
            f"{folder / 'gone.json'}: it cannot be read: No such file or directory",
            f"{folder / 'loop.json'}: it cannot be read: Too many levels of symbolic links",
            f"{folder / 'up'}: left out, it is a link to a folder",
        ]
    )
    for name in ("gone.json", "loop.json", "round"):
        (error,) = paths.files(folder / name)
        assert isinstance(error, SourceError)
        assert error.file == str(folder / name)
        assert error.reason.startswith("it cannot be read: ")
    assert found(folder, folder / "round") == found(folder)


@POSIX
def test_a_pattern_of_any_depth_does_not_follow_links_to_folders(tmp_path: Path) -> None:
    made(tmp_path, "in/a.json")
    (tmp_path / "in" / "again").symlink_to("..")
    (tmp_path / "link").symlink_to("in")
    again = f"{tmp_path / 'in' / 'again'}: left out, it is a link to a folder"
    link = f"{tmp_path / 'link'}: left out, it is a link to a folder"
    assert sorted(found(str(tmp_path / "**" / "*.json"))) == sorted(
        [str(tmp_path / "in" / "a.json"), again, link]
    )
    assert found(str(tmp_path / "*" / "*.json")) == [
        str(tmp_path / "in" / "a.json"),
        str(tmp_path / "link" / "a.json"),
    ]
    assert found(str(tmp_path / "link" / "**" / "*.json")) == [
        str(tmp_path / "link" / "a.json"),
        again.replace(str(tmp_path / "in"), str(tmp_path / "link")),
    ]


def test_a_pattern_of_any_depth_matches_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(tmp_path, "a.json", "x/a.json", "x/[y]/a.json", "x/[y]/z/a.json", ".h/a.json", "x/b.ttl")
    monkeypatch.chdir(tmp_path)
    every = ["a.json", "x/[y]/a.json", "x/[y]/z/a.json", "x/a.json"]
    assert found("**/a.json") == sorted(every)
    assert found("**/**/a.json") == sorted(every)
    assert found("x/**/z/**/*.json") == ["x/[y]/z/a.json"]
    assert sorted(found("x/**")) == ["x/[y]/a.json", "x/[y]/z/a.json", "x/a.json", "x/b.ttl"]
    assert found("**/no.json") == [f"{tmp_path / '**' / 'no.json'}: no file matches this pattern"]


@POSIX
def test_pipes_sockets_and_devices_in_a_folder_are_named_and_not_opened(tmp_path: Path) -> None:
    made(tmp_path, "a.json")
    os.mkfifo(tmp_path / "pipe.json")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(os.fsencode(tmp_path / "socket.json"))
    elsewhere = "which is read only where it is named itself"
    expected = [
        str(tmp_path / "a.json"),
        f"{tmp_path / 'pipe.json'}: it is a named pipe, {elsewhere}",
        f"{tmp_path / 'socket.json'}: it is a socket, which cannot be read as a file",
    ]
    assert found(tmp_path) == expected
    assert found(str(tmp_path / "*.json")) == expected
    assert found(tmp_path / "socket.json") == expected[2:]
    (pipe,) = paths.files(tmp_path / "pipe.json")
    assert pipe == InputFile(tmp_path / "pipe.json", "pipe.json", once=True)


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="needs a device")
def test_a_device_is_read_only_where_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "null.json").symlink_to("/dev/null")
    assert found(tmp_path) == [
        f"{tmp_path / 'null.json'}: it is a device, which is read only where it is named itself"
    ]
    (device,) = paths.files("/dev/null")
    assert device == InputFile(Path("/dev/null"), "null", once=True)


@pytest.mark.parametrize(
    "address",
    ["https://example.org/x.json", "http://localhost:7878", "ftp://e.org/a.gz", "s3://bucket/x.nt"],
)
def test_an_address_is_no_file(address: str) -> None:
    assert found(address) == [
        f"{address}: it is an address and no file; download it and name the file"
    ]


@POSIX
def test_a_file_may_be_called_like_an_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(tmp_path, "https:/e.org/x.json")
    monkeypatch.chdir(tmp_path)
    assert found("https://e.org/x.json") == ["https:/e.org/x.json"]
