"""What the project's own text must and must not hold."""

from __future__ import annotations

import subprocess

import pytest

from tests.conftest import ROOT

# Spelt in two halves, so that this file does not hold what it looks for.
LEFT_OVERS = [
    f"{a}{b}" for a, b in (("TO", "DO"), ("FIX", "ME"), ("XX", "X"), ("Not", "Implemented"))
]


def texts() -> list[tuple[str, str]]:
    """Return the names and texts of all files of the project that are text."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("not a git checkout: which files are the project's own is not known")
    found = []
    for name in listed.stdout.splitlines():
        path = ROOT / name
        if path.is_file() and path.suffix not in (".lock",):
            found.append((name, path.read_text("utf-8", errors="replace")))
    return found


def test_nothing_is_left_to_do_in_the_tree() -> None:
    found = [(name, word) for name, text in texts() for word in LEFT_OVERS if word in text]
    assert found == []


def test_an_ignored_check_has_a_reason_on_its_line() -> None:
    bare = [
        (name, line)
        for name, text in texts()
        if name.endswith(".py")
        for line in text.splitlines()
        if line.rstrip().endswith(("# noqa", "# type: " + "ignore"))
    ]
    assert bare == []
