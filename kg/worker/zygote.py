"""The process that holds a store in memory and forks workers, each of which has it at once.

It runs no second thread, since a fork copies none but the calling one. What the server asks for::

    FORK, with two descriptors   fork a worker that talks over the first socket and writes its
                                 errors to the second; the reply is its process id
    REAP pid                     collect a worker that is dying; the reply is its wait status
"""

from __future__ import annotations

import gc
import os
import socket
from pathlib import Path
from typing import Final, Self

from kg.compressed import decompressed
from kg.snapshot import Snapshot
from kg.store import Store
from kg.worker.answering import work
from kg.worker.confinement import confine
from kg.worker.frames import Kind, frame
from kg.worker.setup import Setup

FORK: Final = b"F"
REAP: Final = b"R"
NUMBER: Final = 8
"""Bytes of a process id or a wait status. A request is its letter and a number, which FORK does not
need; the reply is a READY with a number."""


class Zygote:
    """A *store* in memory and the socket over which its *server* asks for workers."""

    def __init__(self, store: Store, setup: Setup, server: socket.socket) -> None:
        self._store = store
        self._setup = setup
        self._server = server

    @classmethod
    def loaded(cls, setup: Setup, server: socket.socket) -> Self:
        """Load the product of the snapshot; raises :class:`~kg.errors.StoreError`."""
        folder = Path(setup.store).parent
        snapshot = Snapshot(folder.name, folder)
        store = Store.in_memory()
        for product in (snapshot.triples, snapshot.quads):
            with decompressed(product) as file:
                store.load(file)
        return cls(store, setup, server)

    def run(self) -> None:
        """Do as the server asks, until it closes its end."""
        gc.freeze()  # so that no collection writes to pages that all workers share
        self._server.sendall(frame(Kind.READY))
        while True:
            request, descriptors, _, _ = socket.recv_fds(self._server, 1 + NUMBER, 2)
            if request[:1] == FORK:
                reply = self._fork(*descriptors)
            elif request[:1] == REAP:
                reply = os.waitpid(int.from_bytes(request[1:], "big"), 0)[1]
            else:
                return
            self._server.sendall(frame(Kind.READY, reply.to_bytes(NUMBER, "big")))

    def _fork(self, connection: int, errors: int) -> int:
        zygote = os.getpid()
        child = os.fork()
        if child == 0:
            try:
                confine(zygote)
                self._server.close()
                os.dup2(errors, 2)
                os.close(errors)
                work(self._store, self._setup, socket.socket(fileno=connection))
            finally:
                os._exit(1)
        os.close(connection)
        os.close(errors)
        return child
