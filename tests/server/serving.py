"""A server on a free loopback port of this process, in a thread of its own."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from kg.server import Application, server


@contextmanager
def served(application: Application) -> Iterator[str]:
    """Serve *application*; yield its address."""
    listening = socket.create_server(("127.0.0.1", 0))
    running = server(application)
    thread = threading.Thread(target=running.run, args=([listening],), daemon=True)
    thread.start()
    try:
        while not running.started:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        running.should_exit = True
        thread.join(20)
        listening.close()
        assert not thread.is_alive()
