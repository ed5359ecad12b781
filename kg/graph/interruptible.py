"""Ctrl-C while the engine evaluates a query: it notices no signal, so nobody waits for it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from kg.errors import without_frames

T = TypeVar("T")


def interruptible(work: Callable[[], T]) -> T:
    """Do *work* in a thread of its own and return what it returns, or raise what it raises.

    KeyboardInterrupt is raised at once. The engine cannot be stopped: it goes on until it has its
    answer, which nobody gets, or until the process ends. Signals come to the main thread alone;
    called in another one, this does the work there.
    """
    if threading.current_thread() is not threading.main_thread():
        return work()
    returned: list[T] = []
    raised: list[BaseException] = []

    def run() -> None:
        try:
            returned.append(work())
        except BaseException as error:
            raised.append(without_frames(error))

    # A daemon, because the process must be able to end while the engine works.
    thread = threading.Thread(target=run, name="query", daemon=True)
    thread.start()
    thread.join()
    if raised:
        raise raised[0]
    return returned[0]
