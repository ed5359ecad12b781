"""Snapshots: the old one or the new one, whole, whatever happens in between."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kg import snapshot as snapshot_module
from kg.errors import StoreError
from kg.snapshot import Draft, Snapshot, SnapshotFolder

MANIFEST: dict[str, object] = {
    "base": "https://e.org/",
    "inputs": [],
    "triples": 0,
    "graphs": {},
    "classes": {},
}


def built(folder: SnapshotFolder, content: str | None = None, **told: object) -> Snapshot:
    with folder.new() as draft:
        text = json.dumps(MANIFEST | told) if content is None else content
        draft.snapshot.manifest_file.write_text(text, "utf-8")
        draft.snapshot.store.mkdir()
        return draft.commit()


def names(path: Path) -> list[str]:
    return sorted(item.name for item in (path / "snapshots").iterdir())


def test_a_folder_in_which_nothing_was_built_has_no_snapshot(tmp_path: Path) -> None:
    folder = SnapshotFolder(tmp_path / "s")
    assert folder.current() is None
    assert not (tmp_path / "s").exists()


def test_a_committed_draft_is_the_current_snapshot(tmp_path: Path) -> None:
    folder = SnapshotFolder(tmp_path / "s")
    made = built(folder, triples=3)
    assert folder.current() == made
    assert made.manifest == MANIFEST | {"triples": 3}
    assert made.path == tmp_path / "s" / "snapshots" / made.id
    assert (tmp_path / "s" / "current").read_bytes() == made.id.encode() + b"\n"
    assert names(tmp_path / "s") == [made.id]


def test_a_draft_left_without_commit_is_gone(tmp_path: Path) -> None:
    folder = SnapshotFolder(tmp_path)
    old = built(folder)
    with folder.new() as draft:
        (draft.snapshot.path / "deep").mkdir()
        (draft.snapshot.path / "deep" / "x").write_text("x", "utf-8")
    assert names(tmp_path) == [old.id]
    assert folder.current() == old


def test_the_newest_two_are_kept(tmp_path: Path) -> None:
    folder = SnapshotFolder(tmp_path)
    made = [built(folder) for _ in range(4)]
    assert names(tmp_path) == [snapshot.id for snapshot in made[-2:]]
    assert [snapshot.id for snapshot in made] == sorted(snapshot.id for snapshot in made)


def test_ids_are_in_order_even_if_the_clock_is_set_back(tmp_path: Path) -> None:
    folder = SnapshotFolder(tmp_path)
    future = "29991231T235959.999999Z"
    (tmp_path / "snapshots" / future).mkdir(parents=True)
    (tmp_path / "current").write_text(future, "utf-8")
    assert built(folder).id == "30000101T000000.000000Z"


def test_what_dead_builds_left_is_cleared_and_nothing_else(tmp_path: Path) -> None:
    folder = SnapshotFolder(tmp_path)
    old = built(folder)
    for name in (".draft-20260101T000000.000000Z", ".dropped-x", "29990101T000000.000000Z"):
        (tmp_path / "snapshots" / name / "store").mkdir(parents=True)
    (tmp_path / "snapshots" / "notes").mkdir()
    (tmp_path / "snapshots" / "readme.txt").write_text("x", "utf-8")
    assert folder.current() == old
    new = built(folder)
    assert names(tmp_path) == sorted([old.id, new.id, "notes", "readme.txt"])


@pytest.mark.parametrize("step", ["rename", "replace"])
def test_a_break_in_the_middle_of_a_commit_leaves_the_old_snapshot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    folder = SnapshotFolder(tmp_path)
    old = built(folder)
    original: Callable[[Path, Path], Path] = getattr(Path, step)

    def broken(self: Path, target: Path) -> Path:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, step, broken)
    with folder.new() as draft:
        with pytest.raises(KeyboardInterrupt):
            draft.commit()
        monkeypatch.setattr(Path, step, original)  # the clearing at the end needs the true one
    assert folder.current() == old
    assert names(tmp_path) == [old.id]


def test_a_break_after_the_swap_keeps_the_new_snapshot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = SnapshotFolder(tmp_path)
    old = built(folder)
    original = SnapshotFolder.publish

    def interrupted(self: SnapshotFolder, draft: Snapshot) -> Snapshot:
        original(self, draft)
        raise KeyboardInterrupt

    monkeypatch.setattr(SnapshotFolder, "publish", interrupted)
    with pytest.raises(KeyboardInterrupt), folder.new() as draft:
        draft.commit()
    current = folder.current()
    assert current is not None
    assert current.id == draft.snapshot.id
    assert names(tmp_path) == [old.id, current.id]


def test_everything_is_on_disk_before_the_swap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = SnapshotFolder(tmp_path)
    synced: list[str] = []
    original = snapshot_module._sync

    def sync(path: Path) -> None:
        original(path)
        synced.append(path.name)

    monkeypatch.setattr(snapshot_module, "_sync", sync)
    with folder.new() as draft:
        draft.snapshot.store.mkdir()
        (draft.snapshot.store / "000001.sst").write_text("x", "utf-8")
        draft.snapshot.manifest_file.write_text("{}", "utf-8")
        draft.commit()
    assert sorted(synced[:2]) == ["000001.sst", "manifest.json"]
    assert synced[2:] == ["current.new"]


def test_a_second_build_is_told_of_the_first(tmp_path: Path) -> None:
    folder = SnapshotFolder(tmp_path)
    code = (
        "import sys; from kg.snapshot import SnapshotFolder\n"
        "with SnapshotFolder(sys.argv[1]).new(): pass"
    )

    def other() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", code, str(tmp_path)],
            capture_output=True,
            text=True,
            check=False,
        )

    with folder.new() as draft:
        with pytest.raises(StoreError, match="another build is writing this store"):
            SnapshotFolder(tmp_path).new()
        second = other()
        assert "StoreError" in second.stderr
        assert "another build is writing this store" in second.stderr
        assert draft.snapshot.path.is_dir()  # the second one cleared nothing away
    assert other().returncode == 0
    built(folder)


@pytest.mark.parametrize("content", ["", "../../etc", "20260101T000000.000000Z\0", "é", "x" * 999])
def test_a_current_file_that_names_no_snapshot_is_an_error_and_can_be_built_over(
    tmp_path: Path, content: str
) -> None:
    folder = SnapshotFolder(tmp_path)
    old = built(folder)
    (tmp_path / "current").write_text(content, "utf-8")
    with pytest.raises(StoreError, match="names no snapshot"):
        folder.current()
    new = built(folder)
    assert folder.current() == new
    assert names(tmp_path) == [old.id, new.id]


def test_a_current_snapshot_that_is_missing_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "current").write_text("20260101T000000.000000Z\n", "utf-8")
    with pytest.raises(StoreError, match="is missing"):
        SnapshotFolder(tmp_path).current()


@pytest.mark.parametrize("content", ["{", "[]", "{}", "null", json.dumps(MANIFEST | {"base": 1})])
def test_a_manifest_that_is_none_is_an_error(tmp_path: Path, content: str) -> None:
    made = built(SnapshotFolder(tmp_path), content)
    with pytest.raises(StoreError, match=r"manifest\.json"):
        _ = made.manifest
    made.manifest_file.unlink()
    with pytest.raises(StoreError, match=r"manifest\.json"):
        _ = made.manifest


def test_a_folder_that_is_a_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", "utf-8")
    with pytest.raises(StoreError, match="file"):
        SnapshotFolder(tmp_path / "file").new()
    with pytest.raises(StoreError, match="file"):
        SnapshotFolder(tmp_path / "file").current()


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps an open file")
def test_a_reader_of_the_snapshot_before_is_not_disturbed(tmp_path: Path) -> None:
    folder = SnapshotFolder(tmp_path)
    first = built(folder, triples=1)
    built(folder)
    assert first.manifest == MANIFEST | {"triples": 1}
    built(folder)
    assert not first.path.exists()


def test_a_draft_is_a_context(tmp_path: Path) -> None:
    with SnapshotFolder(tmp_path).new() as draft:
        assert isinstance(draft, Draft)
        assert draft.snapshot.path.name == f".draft-{draft.snapshot.id}"
