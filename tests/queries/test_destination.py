"""Where an answer goes: whose fault it is that it does not arrive."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO

import pytest

from kg import cli, resources
from kg.cli.answers import Destination
from kg.errors import StoreError, UsageError


def test_what_cannot_be_read_is_the_stores_fault_and_leaves_no_file(tmp_path: Path) -> None:
    def produce(stream: BinaryIO) -> None:
        stream.write(b"half")
        raise OSError(5, "Input/output error")

    with pytest.raises(StoreError, match="the store cannot be read: Input/output error"):
        Destination(tmp_path / "x").write(produce)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("size", [1, 1 << 20])
def test_what_cannot_be_written_is_the_places_fault(size: int) -> None:
    with pytest.raises(UsageError, match=r"/dev/full: it cannot be written: No space left"):
        Destination(Path("/dev/full")).write(lambda stream: stream.write(b"x" * size))


POSIX = pytest.mark.skipif(os.name == "nt", reason="permissions are those of POSIX")


@POSIX
def test_a_report_takes_the_place_of_an_old_one_and_nothing_elses(tmp_path: Path) -> None:
    report = tmp_path / "report.jsonl"
    report.write_text("old", "utf-8")
    report.chmod(0o640)
    other = tmp_path / "report.jsonl.part"
    other.write_text("somebody's own", "utf-8")
    samples = str(resources.samples())
    store = str(tmp_path / "s")
    assert cli.run(["-q", "build", samples, "--store", store, "--report", str(report)]) == 0
    assert stat.S_IMODE(report.stat().st_mode) == 0o640
    assert "old" not in report.read_text("utf-8")
    assert other.read_text("utf-8") == "somebody's own"
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "report.jsonl",
        "report.jsonl.part",
        "s",
    ]


@POSIX
def test_a_report_that_cannot_be_written_stops_the_build_before_it_begins(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    (tmp_path / "round").symlink_to("round")
    for name in ("no/report", "file/report", "round"):
        report = tmp_path / name
        arguments = ["build", "nothing.json", "--store", str(tmp_path / "s")]
        assert cli.run([*arguments, "--report", str(report)]) == 2
        assert capfd.readouterr().err.startswith(f"Error: {report}: it cannot be written: ")
    assert not (tmp_path / "s").exists()


@POSIX
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_report_that_finds_no_room_says_that_the_store_is_built(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "x.jsonl"
    source.write_text('{"url":"/paper/a","title":"T","code_links":[]}\n{\n', "utf-8")
    store = tmp_path / "s"
    arguments = ["-q", "build", str(source), "--store", str(store), "--report", "/dev/full"]
    assert cli.run(arguments) == 2
    said = capfd.readouterr().err.splitlines()[-1]
    assert said.startswith("Error: /dev/full: it cannot be written: No space left on device;")
    assert "the store is built, and the report is in " in said
    assert Path(said.rpartition(" is in ")[2]).is_file()
