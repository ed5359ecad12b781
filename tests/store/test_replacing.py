"""A file is replaced when the new one is complete; until then it stays what it was."""

import os
import re
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from kg import replacing
from kg.replacing import replaced

POSIX = pytest.mark.skipif(os.name == "nt", reason="permissions are those of POSIX")


@pytest.fixture(params=[True, False], ids=["without a name", "with one"])
def nameless(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Both ways to hold what is not complete."""
    if not request.param:
        monkeypatch.setattr(replacing, "_DESCRIPTORS", "/nowhere")
    return bool(request.param)


def write(path: Path, content: bytes = b"new") -> None:
    with replaced(path) as stream:
        stream.write(content)


def break_off(path: Path) -> None:
    with replaced(path) as stream:
        stream.write(b"half")
        raise KeyboardInterrupt


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.usefixtures("nameless")
def test_a_file_is_made_or_replaced_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a"
    beside = {name: tmp_path / name for name in ("a.part", ".a.part", ".paperkg-.part")}
    for other in beside.values():
        other.write_bytes(b"somebody's own")
    for content in (b"one", b"two"):
        write(path, content)
        assert path.read_bytes() == content
    assert all(other.read_bytes() == b"somebody's own" for other in beside.values())
    assert {one.name for one in tmp_path.iterdir()} == {"a", *beside}


@pytest.mark.usefixtures("nameless")
def test_where_it_fails_the_old_file_stays_and_nothing_is_left(tmp_path: Path) -> None:
    path = tmp_path / "a"
    for before in ([], [path]):
        for one in before:
            one.write_bytes(b"old")
        with pytest.raises(KeyboardInterrupt):
            break_off(path)
        assert list(tmp_path.iterdir()) == before
        assert all(one.read_bytes() == b"old" for one in before)


@POSIX
@pytest.mark.usefixtures("nameless")
@pytest.mark.parametrize("given", [0o600, 0o640, 0o755, 0o444])
def test_the_permissions_of_the_old_file_are_kept(tmp_path: Path, given: int) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    path.chmod(given)
    if not os.access(path, os.W_OK):
        with pytest.raises(PermissionError):
            write(path)
        return
    write(path)
    assert (mode(path), path.read_bytes()) == (given, b"new")


@POSIX
@pytest.mark.usefixtures("nameless")
@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_a_new_file_has_the_permissions_that_any_has(tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        write(tmp_path / "a")
    finally:
        os.umask(before)
    assert mode(tmp_path / "a") == 0o666 & ~mask


@POSIX
@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root gives files away")
@pytest.mark.usefixtures("nameless")
def test_the_owner_of_the_old_file_stays_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    os.chown(path, 1234, 4321)
    path.chmod(0o640)
    write(path)
    assert (path.stat().st_uid, path.stat().st_gid, mode(path)) == (1234, 4321, 0o640)


@POSIX
def test_what_is_not_complete_can_be_read_by_nobody_who_could_not_read_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replacing, "_DESCRIPTORS", "/nowhere")
    path = tmp_path / "a"
    path.write_bytes(b"old")
    path.chmod(0o600)
    with replaced(path):
        (part,) = set(tmp_path.iterdir()) - {path}
        assert mode(part) == 0o600


@POSIX
def test_a_link_stays_one_and_one_that_leads_in_circles_is_refused(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    target, link = tmp_path / "folder" / "a", tmp_path / "link"
    link.symlink_to(target)
    for content in (b"one", b"two"):
        write(link, content)
        assert link.is_symlink()
        assert target.read_bytes() == content
    (tmp_path / "round").symlink_to("round")
    with pytest.raises(OSError, match="symbolic links"):
        write(tmp_path / "round")


@POSIX
def test_a_device_is_written_to(tmp_path: Path) -> None:
    link = tmp_path / "null"
    link.symlink_to(os.devnull)
    write(link)
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


def test_where_nothing_can_be_written_that_is_known_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for path in (tmp_path / "no" / "a", tmp_path, tmp_path / "file" / "a"):
        for attempt in (replacing.check, write):
            with pytest.raises(OSError, match=re.escape(str(path)) + "|No such file"):
                attempt(path)
    assert [one.name for one in tmp_path.iterdir()] == ["file"]


def test_a_name_may_be_as_long_as_names_are(tmp_path: Path) -> None:
    write(tmp_path / ("n" * 255))
    assert [len(one.name) for one in tmp_path.iterdir()] == [255]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has files without one")
def test_nothing_is_left_after_a_kill(tmp_path: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path; from kg.replacing import replaced\n"
        "with replaced(Path(sys.argv[1])) as stream:\n"
        "    stream.write(b'x' * 1_000_000); stream.flush(); print('half', flush=True)\n"
        "    time.sleep(60)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path / "a")], stdout=subprocess.PIPE
    ) as running:
        assert running.stdout
        assert running.stdout.readline() == b"half\n"
        running.send_signal(signal.SIGKILL)
        running.wait()
    assert list(tmp_path.iterdir()) == []
