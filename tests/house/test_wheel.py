"""What is installed finds its ontology, its queries and its samples, wherever it stands."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.conftest import ROOT


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    options = ["--no-deps", "--no-build-isolation", "--wheel-dir", str(folder)]
    subprocess.run([*pip, "wheel", *options, str(ROOT)], check=True)
    (made,) = folder.glob("*.whl")
    return made


def test_the_wheel_holds_all_that_the_checkout_has(wheel: Path) -> None:
    inside = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("kg/")}
    expected = {
        f"kg/{path.relative_to(ROOT if folder != 'kg' else ROOT / 'kg').as_posix()}"
        for folder in ("kg", "ontology", "queries")
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert inside == expected


def test_the_wheel_installed_elsewhere_runs_the_demonstration(wheel: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    subprocess.run([*pip, "install", "--no-deps", "--target", str(site), str(wheel)], check=True)
    run = subprocess.run(
        [sys.executable, "-W", "error", "-m", "kg", "demo", "--store", "s"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.count("$ kg query") == 3
    assert (tmp_path / "s" / "current").is_file()
