"""Threads that stay for a while, because starting one takes longer than a look-up does."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Final

_STAYING: Final = 1.0
"""Seconds that a thread waits for more to do."""

Work = Callable[[], object]
"""Must not raise; what it returns is dropped."""


class Threads:
    """Runs each work in a thread that does nothing else meanwhile; there is no limit to them."""

    def __init__(self) -> None:
        self._works: queue.SimpleQueue[Work] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._free = 0  # threads that wait and for which there is no work in the queue

    def run(self, work: Work) -> None:
        """Have *work* done; raises RuntimeError where a thread is needed and cannot be started."""
        with self._lock:
            if self._free:
                self._free -= 1
                self._works.put(work)
                return
        # A daemon, because a process must be able to end whatever the engine is doing.
        threading.Thread(target=self._serve, args=([work],), name="query", daemon=True).start()

    def _serve(self, first: list[Work]) -> None:
        # What has been done is not held on to: it holds a store open.
        first.pop()()
        while True:
            with self._lock:
                self._free += 1
            while True:
                try:
                    self._works.get(timeout=_STAYING)()
                except queue.Empty:
                    with self._lock:
                        if self._works.empty():
                            self._free -= 1
                            return
                else:
                    break
