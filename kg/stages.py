"""How long the stages of a build take, and how much memory the process had by their ends."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

Progress = Callable[[str, int, int | None], None]
"""Told what is being done, how much of it is done, and of how much (None where unknown)."""

if sys.platform == "win32":

    def _peak_memory() -> int | None:
        return None
else:
    import resource

    def _peak_memory() -> int | None:
        """Return the largest resident memory so far, in bytes.

        It is that of this process, and of the largest of those that have worked for it.
        """
        whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
        peak = sum(resource.getrusage(who).ru_maxrss for who in whose)
        return peak if sys.platform == "darwin" else peak * 1024


@dataclass(frozen=True, slots=True)
class Stage:
    """What a stage took: *seconds* of wall-clock time, and the *peak_memory* by its end.

    The memory is resident and in bytes, that of the process and of the largest of those that it
    has started; None where the system does not tell.
    """

    seconds: float
    peak_memory: int | None


class Stages:
    """The stages of a piece of work, in their order."""

    def __init__(self) -> None:
        self.by_name: dict[str, Stage] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Measure the stage *name*."""
        begun = time.monotonic()
        yield
        self.by_name[name] = Stage(time.monotonic() - begun, _peak_memory())
