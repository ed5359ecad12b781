"""A build that is stopped, or whose process is: the old snapshot stands, and nothing is left."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kg.builder import build
from tests.builder.making import current, in_children, lines_file, paper, state, titles, triples
from tests.processes.children import LONG, ON_LINUX, at_work, wait_until, working_in

pytestmark = ON_LINUX

# What loads takes as long as the engine may.
HANGING = """
import sys, time
if any("kg.processes" in word for word in sys.orig_argv):
    from kg.store import Store
    Store.load = lambda *_: time.sleep(600)
"""


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store with a snapshot of one paper."""
    build([lines_file(tmp_path / "old.jsonl", paper("old"))], tmp_path / "s")
    return tmp_path / "s"


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    """Enough papers that it takes a while to map them."""
    return lines_file(tmp_path / "x.jsonl", *(paper(str(n)) for n in range(3000)))


@contextmanager
def building(*arguments: str | Path) -> Iterator[subprocess.Popen[bytes]]:
    """Build in a group of processes of its own, as a terminal has one."""
    with subprocess.Popen(
        [sys.executable, "-m", "kg", "build", *map(str, arguments)],
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as running:
        try:
            yield running
        finally:
            running.kill()


def draft_has(store: Path, name: str) -> bool:
    return any((store / "snapshots").glob(f".draft-*/{name}"))


def left(store: Path) -> list[str]:
    return sorted(path.name for path in (store / "snapshots").iterdir())


def end_of(running: subprocess.Popen[bytes]) -> tuple[int, str]:
    """Wait for the end of a build; return its exit code and what it said."""
    _, said = running.communicate(timeout=LONG)
    text = said.decode()
    assert "Traceback" not in text
    return running.returncode, text


@pytest.mark.parametrize("stage", ["mapping", "loading", "updating"])
def test_an_interrupt_is_noticed_soon_and_leaves_nothing_behind(
    tmp_path: Path, store: Path, papers: Path, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    before, old = state(store), current(store)
    in_children(monkeypatch, tmp_path / "patch", HANGING)
    options = ["--update"] if stage == "updating" else []
    with building(papers, "--store", store, *options) as running:
        # The named graphs are written last; from then on the process is waited for.
        wait_until(
            lambda: draft_has(store, "work/sorting" if stage == "mapping" else "quads.nq.gz")
        )
        at_work(store)
        os.killpg(running.pid, signal.SIGINT)
        sent = time.monotonic()
        code, said = end_of(running)
    # Two seconds, on a machine that has nothing else to do; the process would sleep for minutes.
    assert time.monotonic() - sent < 10
    assert code == 130
    assert said.split("\n") == [
        f"Nothing was changed; the snapshot {old.id} in {store} stands.",
        "",  # after the ^C of a terminal
        "Interrupted.",
        "",
    ]
    assert working_in(store) == set()
    assert state(store) == before
    assert titles(store) == ["Title of old"]


@pytest.mark.parametrize("options", [[], ["--update"]])
def test_a_build_that_is_killed_takes_its_process_along_and_the_next_clears_up(
    tmp_path: Path, store: Path, papers: Path, options: list[str]
) -> None:
    old = current(store)
    with pytest.MonkeyPatch.context() as patch:
        in_children(patch, tmp_path / "patch", HANGING)
        with building(papers, "--store", store, *options) as running:
            wait_until(lambda: draft_has(store, "quads.nq.gz"))
            at_work(store)
            running.kill()
            running.wait()
    wait_until(lambda: not working_in(store))
    assert current(store) == old
    assert titles(store) == ["Title of old"]
    assert len(left(store)) == 2
    small = lines_file(tmp_path / "x.jsonl", *(paper(str(n)) for n in range(30)))
    new = build([small], store, update=bool(options)).snapshot
    assert triples(new) == triples(build([small], tmp_path / "t").snapshot)
    assert left(store) == [old.id, new.id]


@pytest.mark.parametrize("options", [[], ["--update"]])
def test_a_second_build_waits_for_none_and_one_whose_process_is_killed_says_so(
    tmp_path: Path, store: Path, papers: Path, options: list[str]
) -> None:
    before, old = state(store), current(store)
    with pytest.MonkeyPatch.context() as patch:
        in_children(patch, tmp_path / "patch", HANGING)
        first = building(papers, "--store", store, *options)
        with first as running:
            wait_until(lambda: draft_has(store, "quads.nq.gz"))
            during = left(store)
            patch.undo()
            with building(papers, "--store", store, *options) as second:
                assert end_of(second) == (
                    4,
                    f"Nothing was changed; the snapshot {old.id} in {store} stands.\n"
                    f"Error: {store}: another build is writing this store\n",
                )
            assert left(store) == during
            (child,) = working_in(store)
            os.kill(child, signal.SIGKILL)
            code, said = end_of(running)
    name = "updating" if options else "loading"
    assert code == 4
    assert said == (
        f"Nothing was changed; the snapshot {old.id} in {store} stands.\n"
        f"Error: the {name} process was killed (SIGKILL);"
        " where memory has run out, end other programs and begin again\n"
    )
    assert state(store) == before
