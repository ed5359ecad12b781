"""``python -m kg.worker KIND DESCRIPTOR SETUP``, as :mod:`kg.workers` runs it.

KIND is ``disk`` for a worker that opens the store, ``memory`` for the process that holds it in
memory and forks workers. DESCRIPTOR is that of the socket to the server.
"""

from __future__ import annotations

import socket
import sys
from pathlib import Path

from kg.errors import StoreError
from kg.store import Store
from kg.worker.answering import work
from kg.worker.confinement import confine
from kg.worker.frames import error_frame
from kg.worker.setup import Setup


def main() -> int:
    """Be a worker, or the process that forks them, until the server's end is closed."""
    kind, descriptor, text = sys.argv[1:]
    setup = Setup.of(text)
    confine(setup.server)
    with socket.socket(fileno=int(descriptor)) as connection:
        try:
            if kind == "disk":
                work(Store.open(Path(setup.store)), setup, connection)
            else:
                from kg.worker.zygote import Zygote  # noqa: PLC0415 - a start from disk is quicker

                Zygote.loaded(setup, connection).run()
        except StoreError as error:
            connection.sendall(error_frame(error))
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
