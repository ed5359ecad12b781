"""The processes that work for others: found by the folder that they work in (Linux)."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

ON_LINUX = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="it looks at the system's list of processes"
)
LONG = 60
"""Seconds after which what is waited for does not come any more."""


def working_in(folder: Path) -> set[int]:
    """Return the numbers of the processes of paperkg that name *folder* or what is below it."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:  # it has ended
            continue
        here = str(folder).encode()
        if b"kg.processes" in b" ".join(words) and any(word.startswith(here) for word in words):
            found.add(int(path.parent.name))
    return found


def at_work(folder: Path) -> int:
    """Return the number of the process that works in *folder*, once it is there."""
    wait_until(lambda: working_in(folder))
    (number,) = working_in(folder)
    return number


def wait_until(holds: Callable[[], object], seconds: float = LONG) -> None:
    """Wait until something *holds*; it must within *seconds*."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)
