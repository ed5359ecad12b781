"""Every command is documented where people look for it."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import click
import pytest

import kg
from kg import cli
from tests.conftest import ROOT

COMMANDS = cli.COMMANDS


def help_of(name: str) -> click.Command:
    command = cli.kg.get_command(click.Context(cli.kg), name)
    assert command is not None
    return command


@pytest.mark.parametrize("name", COMMANDS)
def test_a_commands_help_says_what_it_does_and_holds_an_example(name: str) -> None:
    text = help_of(name).help or ""
    assert re.match(r"[A-Z][^\n]+\.", text)
    assert f"kg {name}" in text
    assert "Example" in text


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_of_a_command_says_what_it_is_for(name: str) -> None:
    for parameter in help_of(name).params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.name


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_stands_in_the_readme(name: str) -> None:
    assert f"kg {name}" in (ROOT / "README.md").read_text("utf-8")


def test_the_commands_are_the_modules_of_the_command_line() -> None:
    modules = {
        path.stem
        for path in (ROOT / "kg" / "cli").glob("*.py")
        if "\ndef command(" in path.read_text("utf-8")
    }
    assert modules == set(COMMANDS)


def test_h_is_help_everywhere(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["-h"], *([name, "-h"] for name in COMMANDS)):
        assert cli.run(arguments) == 0
        assert "Usage: kg" in capsys.readouterr().out


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["--version"]) == 0
    assert capsys.readouterr().out == f"kg, version {kg.__version__}\n"
    assert version("paperkg") == kg.__version__


def test_an_unknown_command_or_option_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["biuld"]) == 2
    assert cli.run(["build", "--stoer", "x"]) == 2
    assert capsys.readouterr().out == ""


def test_a_fault_of_ours_is_one_sentence_and_its_own_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fault(*_: object, **__: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr(cli.kg, "main", fault)
    assert cli.run(["demo"]) == 70
    assert capsys.readouterr().err.startswith("Error: a fault in paperkg: ZeroDivisionError: oops")


def test_ctrl_c_is_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli.kg, "main", interrupted)
    assert cli.run(["demo"]) == 130


def test_quiet_and_version_are_understood_everywhere(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in COMMANDS:
        assert cli.run([name, "--version"]) == 0
        assert capsys.readouterr().out == f"kg, version {kg.__version__}\n"
    for arguments in (["-q", "demo"], ["demo", "-q"], ["demo", "--quiet"]):
        assert cli.run(arguments) == 0
        said = capsys.readouterr()
        assert said.err == ""
        assert "kg query" in said.out


def test_a_reader_that_goes_is_no_error(tmp_path: Path) -> None:
    script = f"{sys.executable} -m kg demo --store s | head -n 1; exit ${{PIPESTATUS[0]}}"
    run = subprocess.run(
        ["bash", "-c", script],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert "Traceback" not in run.stderr
