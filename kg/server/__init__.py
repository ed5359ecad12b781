"""A store served over HTTP/1.1: sockets, connections, snapshots that follow each other, counts.

What a request means and how it is answered is :mod:`kg.protocol`'s; queries are evaluated by
:mod:`kg.workers`.
"""

from __future__ import annotations

from collections.abc import Callable

from kg.server.access_log import AccessLog
from kg.server.application import Application
from kg.server.running import Server, allow_files, listening
from kg.server.settings import Settings

__all__ = ["AccessLog", "Application", "Server", "Settings", "listening", "serve"]

_OTHER_FILES = 256
"""Open files that the process needs beside those of its connections."""


def serve(
    application: Application,
    *,
    host: str,
    port: int,
    settings: Settings,
    started: Callable[[str], object],
) -> None:
    """Serve an *application* until a signal ends it.

    *started* is told the address, in which port 0 is a free one. Raises
    :class:`~kg.errors.UsageError` where the address cannot be had, :class:`~kg.errors.StoreError`
    where there is no store, and KeyboardInterrupt after an interrupt.
    """
    files = allow_files(settings.connections + _OTHER_FILES)
    server = Server(
        application,
        most=min(settings.connections, files - _OTHER_FILES),
        grace=settings.grace,
    )
    with listening(host, port) as socket:
        shown = f"[{host}]" if ":" in host else host
        address = f"http://{shown}:{socket.getsockname()[1]}"
        server.run([socket], lambda: started(address))
