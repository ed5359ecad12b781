"""``kg build``: exit codes, the words on standard error, nothing on standard output."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kg.cli import telling
from kg.snapshot import SnapshotFolder
from tests.builder.making import (
    current,
    dataset,
    lines_file,
    paper,
    report_of,
    titles,
    triples,
)

KG = [sys.executable, "-m", "kg"]


def kg(
    *arguments: str | Path, stdin: bytes = b"", **environment: str
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*KG, *map(str, arguments)],
        input=stdin,
        capture_output=True,
        env=os.environ | environment,
        check=False,
    )


def words(done: subprocess.CompletedProcess[bytes]) -> str:
    assert done.stdout == b""
    return done.stderr.decode("utf-8", "replace")


def test_a_clean_build_says_what_it_made_and_prints_no_data(tmp_path: Path) -> None:
    source = lines_file(tmp_path / "x.jsonl", paper("a"), dataset("d"))
    done = kg("build", source, "--store", tmp_path / "s")
    assert done.returncode == 0
    said = words(done)
    rows = [line.split() for line in said.splitlines()]
    assert ["paper", "1", "1", "0"] in rows
    assert ["dataset", "1", "1", "0"] in rows
    assert ["kg:Paper", "1"] in rows
    count = len(triples(current(tmp_path / "s")))
    assert f"{count} triples in {current(tmp_path / 's').path}" in said


def test_problems_are_counted_shown_and_in_the_report_file(tmp_path: Path) -> None:
    source = lines_file(tmp_path / "x.jsonl", paper("a", odd_key=1), *["{"] * 7)
    report = tmp_path / "report.jsonl"
    done = kg("build", source, "--store", tmp_path / "s", "--report", report)
    assert done.returncode == 1
    said = words(done)
    assert "error: refused record, 7" in said
    assert said.count(f"  {source}, line ") == 6  # five of the seven, and the warning
    assert said.count("\n  …") == 1
    assert "warning: unknown key, 1" in said
    assert f"All of them: {report}" in said
    entries = [json.loads(line) for line in report.read_text("utf-8").splitlines()]
    assert entries == report_of(current(tmp_path / "s"))
    assert len(entries) == 8


@pytest.mark.skipif(sys.platform == "win32", reason="terminals are those of POSIX")
def test_on_a_terminal_a_bar_is_shown_and_leaves_the_summary(tmp_path: Path) -> None:
    source = lines_file(tmp_path / "x.jsonl", *(paper(str(n)) for n in range(300)))
    terminal, inside = os.openpty()
    with subprocess.Popen(
        [*KG, "build", str(source), "--store", str(tmp_path / "s")],
        stderr=inside,
        stdout=subprocess.PIPE,
        env=os.environ | {"TERM": "xterm"},
    ) as running:
        os.close(inside)
        shown = b""
        with contextlib.suppress(OSError):  # how Linux says that the other end is closed
            while part := os.read(terminal, 4096):
                shown += part
        assert running.stdout
        assert running.stdout.read() == b""
    os.close(terminal)
    assert running.returncode == 0
    assert b"mapping" in shown
    assert b"300/300" in shown
    summary = shown.split(b"\x1b")[-1].decode()
    assert "300/300" not in summary
    assert ["paper", "300", "300", "0"] in [line.split() for line in summary.splitlines()]


def test_elsewhere_a_line_is_written_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = iter([0.0, 1.0, 5.0, 5.0, 6.0, 11.0, 11.0])
    monkeypatch.setattr("kg.cli.telling.time.monotonic", lambda: next(clock))
    with telling.progress() as progress:
        progress("reading", 1000, None)
        progress("reading", 2000, None)
        progress("mapping", 10, 2000)
        progress("mapping", 1100, 2000)
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == "reading: 2,000\nmapping: 1,100 of 2,000\n"


def test_quiet_says_nothing_but_errors(tmp_path: Path) -> None:
    source = lines_file(tmp_path / "x.jsonl", paper("a"), "{")
    done = kg("-q", "build", source, "--store", tmp_path / "s")
    assert (done.returncode, done.stdout) == (1, b"")
    assert words(done).startswith(f"{source}, line 2: column 2: ")
    done = kg("-q", "build", source, "--store", tmp_path / "s", "--strict")
    assert done.returncode == 1
    assert words(done).startswith(f"Error: {source}, line 2: column 2: ")
    assert len(words(done).splitlines()) == 1


def test_every_kind_of_failure_has_its_exit_code_and_its_sentence(tmp_path: Path) -> None:
    source = lines_file(tmp_path / "x.jsonl", paper("a"), "{")
    store = tmp_path / "s"
    assert kg("build", source).returncode == 2
    assert kg("build", "--store", store).returncode == 2
    done = kg("build", source, "--store", store, "--base", "nonsense")
    assert done.returncode == 2
    assert words(done).startswith("Error: the base 'nonsense' is no web address")
    assert kg("build", source, "--store", store, "--report", tmp_path / "no" / "x").returncode == 2
    done = kg("build", tmp_path / "no.json", source, "--store", store)
    assert done.returncode == 3
    assert f"{tmp_path / 'no.json'}: there is no such file" in words(done)
    old = current(store)
    done = kg("build", tmp_path / "no.json", source, "--store", store, "--strict")
    assert done.returncode == 3
    assert f"Nothing was changed; the snapshot {old.id}" in words(done)
    assert current(store) == old
    done = kg("build", source, "--store", tmp_path / "t", "--strict")
    assert done.returncode == 1
    assert "Nothing was built; there is no snapshot" in words(done)
    with SnapshotFolder(store).new():
        done = kg("build", source, "--store", store)
    assert done.returncode == 4
    assert "another build is writing this store" in words(done)
    assert "Traceback" not in words(done)
    done = kg("build", source, "--store", source)
    assert done.returncode == 2


def test_standard_input_is_built(tmp_path: Path) -> None:
    content = lines_file(tmp_path / "x.jsonl", paper("a", title="Größe → ≥ 名前")).read_bytes()
    done = kg("build", "-", "--store", tmp_path / "s", stdin=content)
    assert done.returncode == 0
    assert titles(tmp_path / "s") == ["Größe → ≥ 名前"]
    inputs = current(tmp_path / "s").manifest["inputs"]
    assert isinstance(inputs, list)
    assert inputs[0]["name"] == "standard input"
    assert inputs[0]["size"] == len(content)


def test_the_locale_changes_no_byte(tmp_path: Path) -> None:
    path = tmp_path / "größe 名前.jsonl"
    path.write_text(
        json.dumps(paper("a", title="Größe → ≥ 名前", odd="→"), ensure_ascii=False) + "\n{\n",
        "utf-8",
    )
    products = []
    for name, environment in {
        "utf8": {"PYTHONUTF8": "1"},
        "cp1252": {"PYTHONUTF8": "0", "PYTHONIOENCODING": "cp1252"},
        "c": {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"},
    }.items():
        done = kg("build", path, "--store", tmp_path / name, **environment)
        assert done.returncode == 1, done.stderr
        assert titles(tmp_path / name) == ["Größe → ≥ 名前"]
        snapshot = current(tmp_path / name)
        products.append((snapshot.triples.read_bytes(), snapshot.report.read_bytes()))
    assert products[0] == products[1] == products[2]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on the size of files")
@pytest.mark.parametrize(
    ("size", "said"),
    [
        (3_000, "/work/index.sqlite: disk I/O error"),
        (9_000, "/work/sorting: File too large"),
        (60_000, "/store: IO error: "),
    ],
)
def test_a_store_that_cannot_be_written_is_one_sentence(
    tmp_path: Path, size: int, said: str
) -> None:
    store = tmp_path / "s"
    assert (
        kg("build", lines_file(tmp_path / "o.jsonl", paper("o")), "--store", store).returncode == 0
    )
    old = current(store)
    source = lines_file(tmp_path / "x.jsonl", *(paper(str(n)) for n in range(60)))
    code = (
        f"import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}));"
        "from kg.cli import run; sys.exit(run(sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "build", str(source), "--store", str(store)],
        capture_output=True,
        check=False,
    )
    assert done.returncode == 4
    first, second = words(done).splitlines()
    assert first == f"Nothing was changed; the snapshot {old.id} in {store} stands."
    assert second.startswith(f"Error: {store}/snapshots/.draft-")
    assert said in second
    assert "Traceback" not in words(done)
    assert current(store) == old
    assert titles(store) == ["Title of o"]
    assert [path.name for path in (store / "snapshots").iterdir()] == [old.id]


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_build_that_is_killed_leaves_the_old_snapshot(
    tmp_path: Path, number: signal.Signals
) -> None:
    store = tmp_path / "s"
    assert (
        kg("build", lines_file(tmp_path / "o.jsonl", paper("o")), "--store", store).returncode == 0
    )
    old = current(store)
    source = lines_file(tmp_path / "x.jsonl", *(paper(str(n)) for n in range(3000)))
    with subprocess.Popen(
        [*KG, "build", str(source), "--store", str(store)], stderr=subprocess.PIPE
    ) as running:
        assert running.stderr
        deadline = time.monotonic() + 60
        while not any((store / "snapshots").glob(".draft-*/work/sorting")):
            assert time.monotonic() < deadline
            assert running.poll() is None
            time.sleep(0.01)
        running.send_signal(number)
        sent = time.monotonic()
        said = running.stderr.read().decode()
        code = running.wait()
    assert time.monotonic() - sent < 2
    assert current(store) == old
    assert titles(store) == ["Title of o"]
    left = [path.name for path in (store / "snapshots").iterdir()]
    if number == signal.SIGINT:
        assert code == 130
        assert f"Nothing was changed; the snapshot {old.id}" in said
        assert "Traceback" not in said
        assert left == [old.id]
    else:
        assert code == -signal.SIGKILL
        assert len(left) == 2
    small = lines_file(tmp_path / "x.jsonl", *(paper(str(n)) for n in range(30)))
    assert kg("build", small, "--store", store).returncode == 0
    assert kg("build", small, "--store", tmp_path / "t").returncode == 0
    assert triples(current(store)) == triples(current(tmp_path / "t"))
    assert sorted(path.name for path in (store / "snapshots").iterdir()) == [
        old.id,
        current(store).id,
    ]


@pytest.mark.parametrize("inputs", [["nope.json"], ["broken.jsonl"]])
def test_a_mistyped_input_does_not_take_the_place_of_a_good_snapshot(
    tmp_path: Path, inputs: list[str]
) -> None:
    lines_file(tmp_path / "broken.jsonl", "{")
    store = tmp_path / "s"
    assert (
        kg("build", lines_file(tmp_path / "x.jsonl", paper("a")), "--store", store).returncode == 0
    )
    before = current(store)
    done = kg("build", *(tmp_path / name for name in inputs), "--store", store)
    assert done.returncode == (3 if inputs == ["nope.json"] else 1)
    assert "no record could be taken in" in words(done)
    assert inputs[0] in words(done)
    assert current(store) == before


def test_a_folder_that_holds_something_else_is_no_place_for_a_store(tmp_path: Path) -> None:
    source = lines_file(tmp_path / "x.jsonl", paper("a"))
    done = kg("build", source, "--store", tmp_path)
    assert done.returncode == 4
    assert "holds no store" in words(done)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x.jsonl"]
