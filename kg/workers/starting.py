"""Workers started from disk: each a program of its own that opens the store."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Final, Protocol

import kg
from kg.errors import StoreError
from kg.store import reason
from kg.worker.setup import Setup
from kg.workers.connection import Connection
from kg.workers.process import Process

_LOOKED: Final = 0.002
"""Seconds between two looks at whether a process that was killed has ended."""

Closed = Callable[[], None]
"""Is called when a process has closed its connection, which it does at its end at the latest."""


class Starter(Protocol):
    """Whatever starts workers."""

    async def start(self, closed: Closed) -> Process:
        """Start a worker and wait until it is ready.

        Raises :class:`~kg.errors.StoreError` where it cannot be.
        """
        ...

    async def close(self) -> None:
        """End whatever makes workers; those that are there have been ended before."""
        ...


class FromDisk:
    """Starts workers that open the store, each by itself."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup

    async def start(self, closed: Closed) -> Process:
        """Start a worker."""
        process = await run("disk", self._setup, closed)
        await process.ready()
        return process

    async def close(self) -> None:
        """Do nothing: there is nothing but workers."""


async def run(kind: str, setup: Setup, closed: Closed) -> Process:
    """Run ``python -m kg.worker`` as *kind*, without waiting until it is ready.

    The thread that calls must live as long as the process is to: Linux ends a process with the
    thread that has started it, if it is asked to. Raises :class:`~kg.errors.StoreError`.
    """
    # It finds the modules that this process has found, and none that lie about where it is run.
    package = str(Path(kg.__file__).parents[1])
    paths = [package, *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    with ExitStack() as opened:
        try:
            server_end, worker_end = map(opened.enter_context, socket.socketpair())
            errors = opened.enter_context(tempfile.TemporaryFile())
            number = str(worker_end.fileno())
            program = subprocess.Popen(  # noqa: S603 - our own program, and no shell
                [sys.executable, "-P", "-m", "kg.worker", kind, number, setup.text()],
                stdin=subprocess.DEVNULL,
                stdout=errors,
                stderr=errors,
                env=environment,
                pass_fds=[worker_end.fileno()],
                start_new_session=True,  # Ctrl-C is for the server, which lets answers end
            )
        except OSError as error:
            raise StoreError(f"a worker could not be started: {reason(error)}") from error
        opened.callback(program.wait)
        opened.callback(program.kill)
        worker_end.close()
        connection = await Connection.over(server_end, closed)
        opened.pop_all()

    async def collect() -> int:
        while (code := program.poll()) is None:
            await asyncio.sleep(_LOOKED)
        return code

    return Process(program.pid, connection, program.kill, collect, errors)
