"""What the README promises is what happens."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from kg import cli
from tests.conftest import ROOT

README = (ROOT / "README.md").read_text("utf-8")


def block(language: str, n: int = 0) -> str:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)[n]


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


def test_the_readme_is_under_two_screens() -> None:
    assert len(README.splitlines()) <= 160


def test_every_file_that_the_readme_links_to_is_there() -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", README):
        assert (ROOT / target).exists(), target
