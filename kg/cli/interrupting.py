"""Ctrl-C while the engine works: it notices no signal, so the process ends without it."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

INTERRUPTED: Final = 130
"""The exit code after an interrupt."""


@contextmanager
def interruptible() -> Iterator[None]:
    """End the process at an interrupt, even while the engine evaluates a query.

    A handler of Python's runs only when the engine has returned. The interpreter's wake-up socket
    is written at once, and a thread that reads it runs while the engine does. Only for commands
    that leave nothing half done behind.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    reading, writing = socket.socketpair()
    writing.setblocking(False)
    before = signal.set_wakeup_fd(writing.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=_watch, args=(reading,), daemon=True).start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        writing.close()


def _watch(reading: socket.socket) -> None:
    with reading:
        while signals := reading.recv(16):
            if signal.SIGINT in signals:
                sys.stderr.write("Interrupted.\n")
                sys.stderr.flush()
                os._exit(INTERRUPTED)
