"""What the README promises is what happens."""

from __future__ import annotations

import csv
import io
import os
import re
import shlex
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pyoxigraph as ox
import pytest
import rdflib

from kg import cli
from kg.opened import Opened
from tests.conftest import ROOT

README = (ROOT / "README.md").read_text("utf-8")


def block(language: str, n: int = 0) -> str:
    found: list[str] = re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)
    return found[n]


def test_the_demonstration_prints_what_the_readme_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.run(["demo"]) == 0
    printed = capfdbinary.readouterr()
    told = block("text").strip().splitlines()
    assert told[0] in printed.err.decode().splitlines()
    assert "\n".join(told[1:]).strip() == printed.out.decode().strip()


def test_the_commands_of_the_demonstration_repeat_its_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.run(["demo"]) == 0
    printed = capfdbinary.readouterr().out.decode()
    commands = re.findall(r"^\$ kg (.*)$", printed, re.MULTILINE)
    assert len(commands) == 3
    for command in commands:
        assert cli.run([*shlex.split(command), "--format", "csv"]) == 0
        rows = capfdbinary.readouterr().out.decode().strip().splitlines()
        shown = printed.split(command)[1].split("\n\n")[0].strip().splitlines()
        assert len(rows) - 1 == len([line for line in shown[2:] if not line.startswith("(")]) > 3


def test_the_first_query_of_the_readme_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.run(["demo"]) == 0
    capfdbinary.readouterr()
    (command,) = [
        text for text in re.findall(r"```sh\n(.*?)```", README, re.DOTALL) if "--text" in text
    ]
    arguments = shlex.split(command)
    assert cli.run([*arguments[1:], "--format", "csv"]) == 0
    rows = capfdbinary.readouterr().out.decode().splitlines()
    assert rows[0] == "title,ran"
    assert len(rows) > 3


def lines(command: str) -> list[list[str]]:
    """Return the lines of the README's shell blocks that begin with *command*, as words."""
    text = "\n".join(re.findall(r"```sh\n(.*?)```", README, re.DOTALL))
    found = re.findall(rf"^{re.escape(command)}.*$", text, re.MULTILINE)
    return [shlex.split(line, comments=True) for line in found]


@pytest.fixture(scope="module")
def demonstration(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which ``kg demo`` was run."""
    folder = tmp_path_factory.mktemp("demonstration")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert cli.run(["-q", "demo"]) == 0
    return folder


@pytest.fixture
def here(demonstration: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(demonstration)
    return demonstration


@pytest.fixture(scope="module")
def address(demonstration: Path) -> Iterator[str]:
    """The address at which the README's ``kg serve`` serves, on a port that is free."""
    ((_, *arguments),) = lines("kg serve")
    running = subprocess.Popen(
        [sys.executable, "-m", "kg", *arguments, "--port", "0"],
        cwd=demonstration,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert running.stderr is not None
    try:
        (served,) = re.findall(r"http://[^ ]+(?= \()", running.stderr.readline())
        yield served
    finally:
        running.send_signal(signal.SIGINT)
        rest = running.communicate(timeout=20)[1]
    assert (running.returncode, rest.strip()) == (130, "Interrupted.")


def test_the_line_that_describes_a_paper_does(
    here: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    ((_, *arguments),) = lines("kg describe")
    assert cli.run(arguments) == 0
    assert "Attention Is All You Need" in capfdbinary.readouterr().out.decode()


def counted(where: str) -> int:
    """Return how many solutions the pattern *where* has in the store of the demonstration."""
    answer = Opened.at("paperkg-demo").query(f"SELECT (COUNT(*) AS ?n) {{ {where} }}")
    assert isinstance(answer, ox.QuerySolutions)
    return int(next(answer)["n"].value)


def test_the_line_that_exports_writes_the_default_graph(here: Path) -> None:
    ((_, *arguments),) = lines("kg export")
    assert cli.run(["-q", *arguments]) == 0
    graph = rdflib.Graph().parse(here / "papers.ttl", format="turtle")
    assert len(graph) == counted("?s ?p ?o") > 3000


def test_every_other_format_that_the_line_names_is_one(here: Path) -> None:
    (named,) = re.findall(r"-o papers.ttl +# or (.*)", README)
    for format_ in named.split():
        output = here / f"papers.{format_}"
        arguments = ["-q", "export", "--store", "paperkg-demo", "--format", format_]
        assert cli.run([*arguments, "-o", str(output)]) == 0
        if format_ in ("nt", "rdfxml"):
            read = rdflib.Graph().parse(output, format={"rdfxml": "xml"}.get(format_, format_))
            assert len(read) == counted("?s ?p ?o")
        elif format_ in ("nq", "trig", "jsonld"):
            # rdflib warns of itself where it reads quads.
            quads = ox.parse(path=output, format=ox.RdfFormat.from_extension(format_))
            both = "{ ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } }"
            assert len(set(quads)) == counted(both) > counted("?s ?p ?o")
        else:
            assert output.stat().st_size > 100_000


def test_the_graph_of_the_demonstration_has_its_shape(
    here: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    ((_, *arguments),) = lines("kg validate")
    assert cli.run(arguments) == 0
    assert capfdbinary.readouterr().out


def test_the_line_that_tells_what_a_store_is_does(
    here: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    ((_, *arguments),) = lines("kg info")
    assert cli.run(arguments) == 0
    assert "3,933" in capfdbinary.readouterr().out.decode()


def test_the_line_that_asks_by_http_has_the_rows_of_the_demonstration(address: str) -> None:
    ((_, url),) = lines("curl")
    url = url.replace("http://127.0.0.1:7878", address)
    with urllib.request.urlopen(url) as answer:  # noqa: S310 - an http address of this machine
        rows = list(csv.DictReader(io.StringIO(answer.read().decode())))
    assert [row["isOfficial"] for row in rows] == ["true", "", "", "false", "false"]


def test_the_line_that_asks_a_server_gets_what_the_store_says(
    address: str, here: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    ((_, *arguments),) = lines("kg query class-counts")
    arguments[arguments.index("--endpoint") + 1] = address
    assert cli.run([*arguments, "--format", "csv"]) == 0
    served = capfdbinary.readouterr().out
    assert len(served.splitlines()) > 10
    assert cli.run(["query", "class-counts", "--store", "paperkg-demo", "--format", "csv"]) == 0
    assert capfdbinary.readouterr().out == served


@pytest.mark.parametrize("remote", [False, True])
def test_the_lines_of_python_give_a_data_frame(remote: bool, address: str, here: Path) -> None:
    code = block("python")
    opening, connecting = 'kg.open("paperkg-demo")', 'kg.connect("http://127.0.0.1:7878")'
    assert opening in code
    assert connecting in code
    if remote:
        code = code.replace(opening, f'kg.connect("{address}")')
    *setting_up, asking = code.strip().splitlines()
    names: dict[str, object] = {}
    exec("\n".join(setting_up), names)  # noqa: S102 - what the README says is what is run
    frame = eval(asking, names)  # noqa: S307 - the same
    assert isinstance(frame, pd.DataFrame)
    em = frame[frame["metricName"] == "EM"]
    assert list(em["model"])[:2] == ["XLNet (single model)", "ELECTRA-1.75M"]


def test_the_readme_is_under_two_screens() -> None:
    assert len(README.splitlines()) <= 160


def test_every_file_that_the_readme_links_to_is_there() -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", README):
        assert (ROOT / target).exists(), target
