"""A short soak: every kind of hostile client at once, for some seconds."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT


@pytest.mark.skipif(not Path("/proc/self/stat").is_file(), reason="needs /proc")
def test_every_hostile_client_gets_a_clear_answer_and_the_server_lives() -> None:
    command = [sys.executable, "-m", "tests.benchmarks.soak", "--seconds", "8"]
    run = subprocess.run(
        command, cwd=ROOT, capture_output=True, check=False, text=True, timeout=400
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "trivial" in run.stdout
