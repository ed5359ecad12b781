from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workers.asking import begin, children, descriptors, write_snapshot

if os.name != "posix":
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store of a small snapshot, which nobody changes."""
    return write_snapshot(tmp_path_factory.mktemp("workers") / "20260101T000000.000000Z")


@pytest.fixture(params=["disk", "memory"])
def in_memory(request: pytest.FixtureRequest) -> bool:
    """Whether the store is to be held in memory: once not, and once."""
    return request.param == "memory"


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    """Every test leaves no process behind, dead or alive, and no file open."""
    if not Path("/proc/self/fd").is_dir():
        yield
        return
    begin()
    opened = descriptors()
    yield
    assert not children()
    assert descriptors() <= opened
