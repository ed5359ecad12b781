"""A server on a free loopback port of this process, in a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from kg.server import Application, Server, listening
from kg.server.hub import Times


@contextmanager
def served(
    application: Application, *, most: int = 1000, grace: float = 2, times: Times | None = None
) -> Iterator[str]:
    """Serve *application*; yield its address."""
    server = Server(application, most=most, grace=grace, times=times)
    started = threading.Event()
    errors: list[BaseException] = []

    def run() -> None:
        try:
            server.run([socket], started.set)
        except BaseException as error:
            errors.append(error)
            started.set()

    with listening("127.0.0.1", 0) as socket:
        address = f"http://127.0.0.1:{socket.getsockname()[1]}"
        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        started.wait(60)
        try:
            if errors:
                raise errors[0]
            yield address
        finally:
            server.stop()
            thread.join(30)
            assert not thread.is_alive()
