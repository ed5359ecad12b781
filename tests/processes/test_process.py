"""Work in processes of its own: done to its end, or one sentence says why it is not."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from itertools import repeat
from pathlib import Path

import pyoxigraph as ox
import pytest

from kg.errors import KgError, StoreError
from kg.processes import Process
from kg.processes.sorter import Sorter
from kg.store import Store
from tests.builder.making import in_children
from tests.processes.children import ON_LINUX, at_work, wait_until, working_in

LINES = [b'<e:%04d> <e:p> "%d" .' % (n * 7919 % 10_000, n) for n in range(20_000)]
PIECES = [LINES[n : n + 99] for n in range(0, len(LINES), 99)]


def sort(sorter: Sorter, pieces: Iterable[list[bytes]] = PIECES) -> None:
    """Have *pieces* sorted."""
    lines = set()
    for piece in pieces:
        sorter.update(piece)
        lines.update(piece)
    assert list(sorter.sorted()) == sorted(lines)


def give(process: Process, pieces: Iterable[list[bytes]]) -> None:
    """Have a process do all of its work, on *pieces*."""
    for piece in pieces:
        process.write(b"\n".join(piece) + b"\n")
    process.finish()


def load(store: Path, pieces: Iterable[list[bytes]] = PIECES) -> None:
    """Load *pieces* into a new store."""
    with Process("loading", str(store)) as process:
        give(process, pieces)


def quads(path: Path) -> set[str]:
    return {f"{quad} ." for quad in ox.Store.read_only(str(path))}


def test_lines_come_back_sorted(tmp_path: Path) -> None:
    with Sorter(tmp_path / "w") as sorter:
        sorter.update([])
        for piece in PIECES * 2:
            sorter.update(piece)
        lines = sorter.sorted()
        assert list(lines) == list(lines) == sorted(LINES)
    assert working_in(tmp_path) == set()


def test_lines_of_several_runs_come_back_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_children(
        monkeypatch,
        tmp_path / "patch",
        "from kg import sorting\n"
        "sorting.SortedLines.__init__.__kwdefaults__.update(chunk_bytes=50_000, fan_in=3)\n",
    )
    with Sorter(tmp_path / "w") as sorter:
        sort(sorter)
    assert len(list((tmp_path / "w").iterdir())) in (1, 2)


def test_nothing_is_sorted_too(tmp_path: Path) -> None:
    with Sorter(tmp_path / "w") as sorter:
        assert list(sorter.sorted()) == []


def test_lines_are_loaded_into_the_graphs_that_they_name(tmp_path: Path) -> None:
    more = [b"<e:a> <e:p> <e:b> <e:g> .", b"<e:a> <e:p> <e:b> .", b"<e:a> <e:p> <e:c> <e:g> ."]
    load(tmp_path / "store", [*PIECES, more, LINES[:99]])
    assert quads(tmp_path / "store") == {line.decode() for line in [*LINES, *more]}
    assert [path.name for path in tmp_path.iterdir()] == ["store"]


def test_nothing_is_loaded_too(tmp_path: Path) -> None:
    with Process("loading", str(tmp_path / "store")) as process:
        process.finish()
    assert quads(tmp_path / "store") == set()


@pytest.mark.parametrize("size", [1 << 16, 1 << 20, (1 << 20) - 1, 3 << 20])
def test_a_line_may_be_longer_than_what_is_passed_on_at_once(tmp_path: Path, size: int) -> None:
    # One byte less than a mebibyte: the line and its end are passed on, and nothing is left over.
    line = b'<e:s> <e:p> "' + b"x" * (size - 17) + b'" .'
    assert len(line) == size - 1
    with Sorter(tmp_path / "w") as sorter:
        sort(sorter, [[line], LINES[:3]])
    load(tmp_path / "store", [[line], [b"<e:a> <e:p> <e:b> <e:g> ."]])
    assert quads(tmp_path / "store") == {line.decode(), "<e:a> <e:p> <e:b> <e:g> ."}


def test_what_is_written_last_fills_up_what_is_passed_on(tmp_path: Path) -> None:
    with Sorter(tmp_path / "w") as sorter:
        line = b'<e:s> <e:p> "' + b"x" * ((1 << 20) - 18) + b'" .'
        sorter.update([line])
        assert sorter._process._size == (1 << 20) - 1
        assert list(sorter.sorted()) == [line]


# --- what goes wrong ---------------------------------------------------------------------------


@ON_LINUX
def test_a_full_disk_is_one_sentence(tmp_path: Path) -> None:
    with Sorter(tmp_path / "w") as sorter:
        (tmp_path / "w" / "run.0").symlink_to("/dev/full")
        with pytest.raises(StoreError) as raised:
            sort(sorter)
    assert str(raised.value) == f"{tmp_path / 'w'}: the disk is full"


def test_a_store_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "store").write_text("no folder", "utf-8")
    with pytest.raises(StoreError) as raised:
        load(tmp_path / "store")
    assert str(raised.value).startswith(f"{tmp_path / 'store'}: ")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("call", [1, 2, 5])
def test_a_store_that_cannot_be_written_on_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: int
) -> None:
    in_children(
        monkeypatch,
        tmp_path / "patch",
        "import errno\n"
        "from kg import store\n"
        "store.BYTES_AT_ONCE = 10_000\n"
        "original, calls = store._texts, []\n"
        "def texts(file):\n"
        "    for number, text in enumerate(original(file), start=1):\n"
        f"        if number == {call}:\n"
        "            with store._store_errors('the store'):\n"
        "                raise OSError(errno.ENOSPC, 'No space left on device')\n"
        "        yield text\n"
        "store._texts = texts\n",
    )
    with pytest.raises(StoreError) as raised:
        load(tmp_path / "store", [LINES] * 10)
    assert str(raised.value) == "the store: the disk is full"


@ON_LINUX
@pytest.mark.parametrize("when", ["before", "at once"])
@pytest.mark.parametrize("name", ["sorting", "loading"])
def test_a_process_that_is_killed_is_one_sentence(tmp_path: Path, name: str, when: str) -> None:
    (tmp_path / "w").mkdir()
    with Process(name, str(tmp_path / "w")) as process:
        os.kill(at_work(tmp_path), signal.SIGKILL)
        if when == "before":
            wait_until(lambda: process._process.poll() is not None)
        with pytest.raises(StoreError) as raised:
            # More than may wait for a busy process, so that it is noticed on the way.
            give(process, [LINES] * 300)
    assert str(raised.value) == (
        f"the {name} process was killed (SIGKILL);"
        " where memory has run out, end other programs and begin again"
    )


def test_a_fault_is_not_taken_for_a_full_disk(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(KgError) as raised:
        load(tmp_path / "store", [[b"no triple"]])
    assert str(raised.value) == "a fault in paperkg: the loading process has ended with 1"
    assert raised.value.exit_code == 70
    assert "SyntaxError" in capfd.readouterr().err


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONUTF8": "0", "PYTHONIOENCODING": "cp1252"},
        {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"},
    ],
)
def test_the_sentence_is_the_same_in_every_locale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str]
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    folder = tmp_path / "größe 名前"
    folder.write_text("no folder", "utf-8")
    with (
        Process("updating", str(folder), str(tmp_path / "new")) as process,
        pytest.raises(StoreError) as raised,
    ):
        process.finish()
    assert str(raised.value).startswith(f"{folder}: ")


def test_what_lies_about_where_it_is_run_is_not_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    for name in ("kg.py", "tempfile.py", "queue.py"):
        (here / name).write_text("raise SystemExit(9)", "utf-8")
    monkeypatch.chdir(here)
    with Sorter(tmp_path / "w") as sorter:
        sort(sorter)


@ON_LINUX
def test_whoever_leaves_early_leaves_no_process_behind(tmp_path: Path) -> None:
    for pieces in (0, 1, 60):
        folder = tmp_path / str(pieces)
        folder.mkdir()
        with Sorter(folder / "w") as sorter:
            os.kill(at_work(folder), signal.SIGSTOP)  # it will neither read nor notice anything
            for _ in range(pieces):
                sorter.update(LINES * 2)
        assert working_in(folder) == set()


class AlarmError(Exception):
    """What an alarm raises, as an interrupt raises its own."""


def ring(_signal: int, _frame: object) -> None:
    raise AlarmError


@ON_LINUX
def test_an_interrupt_is_noticed_while_the_process_takes_nothing_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kg.processes._UNDER_WAY", 3)
    before = signal.signal(signal.SIGALRM, ring)
    try:
        with Sorter(tmp_path / "w") as sorter:
            os.kill(at_work(tmp_path), signal.SIGSTOP)
            signal.setitimer(signal.ITIMER_REAL, 0.5)
            with pytest.raises(AlarmError):
                sort(sorter, repeat(LINES))
    finally:
        signal.signal(signal.SIGALRM, before)
    assert working_in(tmp_path) == set()


@ON_LINUX
def test_an_interrupt_at_a_terminal_is_not_for_the_process(tmp_path: Path) -> None:
    with Sorter(tmp_path / "w"):
        number = at_work(tmp_path)
        assert os.getsid(number) == number != os.getsid(0)


PARENT = """
import os, signal, sys
from pathlib import Path
from kg.processes import Process

Path(sys.argv[1], "w").mkdir()
with Process(sys.argv[2], str(Path(sys.argv[1], "w"))) as process:
    process.write(b"<e:a> <e:p> <e:b> .\\n" * 100_000 + b"<e:a> <e:p")
    os.kill(os.getpid(), signal.SIGKILL)
"""


@ON_LINUX
@pytest.mark.parametrize("name", ["sorting", "loading"])
def test_where_the_parent_dies_the_process_ends_without_a_word(tmp_path: Path, name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PARENT, str(tmp_path), name],
        capture_output=True,  # to its end: the process has the same standard error
        timeout=120,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL
    assert done.stderr == b""
    wait_until(lambda: not working_in(tmp_path))


def test_a_process_that_comes_too_late_makes_no_folder(tmp_path: Path) -> None:
    # Its parent has been interrupted while it was starting, and has cleared up.
    (tmp_path / "work").mkdir()
    with Sorter(tmp_path / "work" / "w") as sorter:
        (tmp_path / "work" / "w").rmdir()
        (tmp_path / "work").rmdir()
        with pytest.raises(StoreError, match="No such file or directory"):
            sorter.sorted()
    assert list(tmp_path.iterdir()) == []


@ON_LINUX
def test_where_the_parent_dies_a_long_load_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_children(
        monkeypatch,
        tmp_path / "patch",
        "import sys, time\n"
        "if any('kg.processes' in word for word in sys.orig_argv):\n"
        "    from kg.store import Store\n"
        "    Store.load = lambda *_: time.sleep(600)\n",
    )
    begun = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", PARENT, str(tmp_path), "loading"],
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL
    wait_until(lambda: not working_in(tmp_path))
    assert time.monotonic() - begun < 60


# --- updating ----------------------------------------------------------------------------------


def made(path: Path, *lines: bytes) -> Path:
    store = Store.create(path)
    store.load(lines)
    store.flush()
    return path


def update(old: Path, new: Path, *lines: bytes) -> None:
    with Process("updating", str(old), str(new)) as process:
        for line in lines:
            process.write(line + b"\n")
        process.finish()


def files(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in path.iterdir()}


def test_a_store_is_made_of_another_which_stays_as_it_was(tmp_path: Path) -> None:
    old = made(tmp_path / "old", *LINES, b"<e:a> <e:p> <e:b> <e:g> .")
    before = files(old)
    reader = Store.open(old)
    new = tmp_path / "new"
    update(old, new, b"-" + LINES[0], b"+<e:new> <e:p> <e:o> .", b"-<e:a> <e:p> <e:none> .")
    assert quads(new) == (quads(old) - {LINES[0].decode()}) | {"<e:new> <e:p> <e:o> ."}
    assert files(old) == before
    assert len(reader) == len(LINES) + 1
    assert Store.open(old).query("ASK { ?s ?p ?o }")
    shared = [f for f in old.iterdir() if f.suffix == ".sst" and (new / f.name).exists()]
    assert shared
    assert all(file.samefile(new / file.name) for file in shared)


def test_what_is_one_value_to_the_store_is_there_as_long_as_anything_says_it(
    tmp_path: Path,
) -> None:
    number = b'<e:s> <e:p> "%s"^^<http://www.w3.org/2001/XMLSchema#integer> .'
    old = made(tmp_path / "old", number % b"1", number % b"01")
    # The order does not matter: all is removed before anything is added.
    update(old, tmp_path / "new", b"+" + number % b"01", b"-" + number % b"1")
    assert quads(tmp_path / "new") == {(number % b"1").decode()}


def test_a_graph_that_holds_nothing_any_more_is_gone(tmp_path: Path) -> None:
    one, two = b"<e:a> <e:p> <e:b> <e:one> .", b"<e:a> <e:p> <e:b> <e:two> ."
    old = made(tmp_path / "old", one, two, b"<e:a> <e:p> <e:b> .")
    update(old, tmp_path / "new", b"-" + one, b"+<e:a> <e:p> <e:b> <e:three> .")
    graphs = ox.Store.read_only(str(tmp_path / "new")).named_graphs()
    assert {graph.value for graph in graphs} == {"e:two", "e:three"}


def test_an_old_store_that_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    old = made(tmp_path / "old", *LINES)
    (old / "CURRENT").write_bytes(b"nonsense")
    with pytest.raises(StoreError) as raised:
        update(old, tmp_path / "new")
    assert str(raised.value).startswith(f"{old}: ")
    assert "\n" not in str(raised.value)
