"""What a worker does to itself, so that it harms and outlives nobody.

What an operating system does not have is left out: on Linux all of it holds.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

if os.name == "posix":
    import resource

LATE: Final = 1.0
"""Seconds after the time limit at which a worker ends itself, if nobody has ended it by then."""

KEPT: Final = 32 << 20
"""Bytes that a worker may keep from one query for the next."""

_PR_SET_PDEATHSIG: Final = 1  # linux/prctl.h
_PAGE: Final = mmap.PAGESIZE


def confine(parent: int) -> None:
    """Bind this process to *parent*, the process that has started it; call it first of all.

    Interrupts and requests to end are the parent's business: it lets answers come to their end.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    # One byte, and not none: where core dumps go to a program, a limit of none has no effect.
    _, hard = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (_at_most(1, hard), hard))
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        with suppress(OSError):  # where memory runs out, a worker is to go, and not the server
            Path("/proc/self/oom_score_adj").write_text("500", "ascii")
    if os.getppid() != parent:  # it has died before
        os._exit(1)


def _at_most(wanted: int, hard: int) -> int:
    return wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)


class Memory:
    """The memory that this process may use above what it uses now: *limit* bytes of it."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._kept = 0  # what was left when the allocator last gave back what it could
        self._statm = -1
        if sys.platform == "linux":
            self._statm = os.open("/proc/self/statm", os.O_RDONLY)
            size, self._start = self._used()
            _, hard = resource.getrlimit(resource.RLIMIT_AS)
            resource.setrlimit(resource.RLIMIT_AS, (_at_most(size + limit, hard), hard))

    def is_worn(self) -> bool:
        """Say whether what queries have left takes more than half of it.

        What the allocator keeps for later is given back to the system first, if it is much.
        """
        if self._statm < 0 or self._taken() - self._kept < KEPT:
            return False
        with suppress(AttributeError):  # it is the GNU library's
            ctypes.CDLL(None).malloc_trim(0)
        self._kept = max(self._taken(), 0)
        return self._kept > self._limit // 2

    def _taken(self) -> int:
        return self._used()[1] - self._start

    def _used(self) -> tuple[int, int]:
        """Return how much is mapped and how much of it is there, in bytes.

        The first counts for the limit; but what is mapped and not there serves the next query.
        """
        mapped, there = os.pread(self._statm, 64, 0).split()[:2]
        return int(mapped) * _PAGE, int(there) * _PAGE


@contextmanager
def ended_after(seconds: float) -> Iterator[None]:
    """End this process, whatever it is doing, if the block takes longer than *seconds*."""
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
