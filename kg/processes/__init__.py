"""Work in processes of its own: sorting and loading beside mapping and merging.

A child reads lines from its standard input and ends when they end. It stands in a session of its
own, so that Ctrl-C is for its parent alone to act on; and where the parent dies, it ends at once.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from io import BufferedIOBase
from pathlib import Path
from queue import Queue
from types import TracebackType
from typing import IO, Final, Self, cast

from kg.errors import KgError, StoreError
from kg.store import reason

_ROOT: Final = Path(__file__).parents[2]
_AT_ONCE: Final = 1 << 20
"""Bytes that are passed on at once."""
_UNDER_WAY: Final = 64
"""Times :data:`_AT_ONCE` that may wait for a busy child, before its parent does."""
_PARENT: Final = "PAPERKG_PARENT"
"""The variable that tells a child whose it is: by the time it looks, its parent may be dead."""
_LOOKED: Final = 0.5
"""Seconds between two looks of a child at whether its parent is still there."""


class Process:
    """The module *name* of this package, run in a process of its own with *arguments*.

    A thread passes on what is written, so that neither waits for the other while there is memory.
    Leaving its ``with`` block without :meth:`finish` kills the process.
    """

    def __init__(self, name: str, *arguments: str) -> None:
        self._name = name
        # It finds the modules that this process has found, and none that lie about where it is run.
        paths = [str(_ROOT), os.environ.get("PYTHONPATH", "")]
        self._process = subprocess.Popen(  # noqa: S603 - our own module
            [sys.executable, "-P", "-X", "utf8", "-m", f"{__name__}.{name}", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            env=os.environ
            | {"PYTHONPATH": os.pathsep.join(filter(None, paths)), _PARENT: str(os.getpid())},
            start_new_session=True,
        )
        self._gathered: list[bytes] = []
        self._size = 0
        self._texts: Queue[bytes] = Queue(_UNDER_WAY)
        self._is_gone = False
        self._thread = threading.Thread(target=self._pass_on, name=name, daemon=True)
        self._thread.start()

    def write(self, lines: bytes) -> None:
        """Pass on whole lines, their ends included; raises what :meth:`finish` does."""
        self._gathered.append(lines)
        self._size += len(lines)
        if self._size >= _AT_ONCE:
            self._put()
            if self._is_gone:
                self.finish()

    def finish(self) -> None:
        """Wait until the work is done.

        Raises :class:`~kg.errors.StoreError` where it could not be, in the child's words, or where
        the child was killed.
        """
        self._put()
        self._texts.put(b"")
        self._thread.join()
        said = cast("IO[bytes]", self._process.stdout).read()
        status = self._process.wait()
        if status == StoreError.exit_code:
            raise StoreError(said.decode("utf-8"))
        if status < 0:
            raise StoreError(
                f"the {self._name} process was killed ({signal.Signals(-status).name});"
                " where memory has run out, end other programs and begin again"
            )
        if status:
            raise KgError(f"a fault in paperkg: the {self._name} process has ended with {status}")

    def _put(self) -> None:
        text = b"".join(self._gathered)
        for start in range(0, len(text), _AT_ONCE):
            self._texts.put(text[start : start + _AT_ONCE])
        self._gathered.clear()
        self._size = 0

    def _pass_on(self) -> None:
        """Write what is put into the queue, up to the empty text, which is the end."""
        lines = cast("IO[bytes]", self._process.stdin)
        with suppress(BrokenPipeError), lines:
            while text := self._texts.get():
                try:
                    left = memoryview(text)
                    while left:
                        left = left[lines.write(left) :]
                except BrokenPipeError:  # the child has ended, and says why
                    self._is_gone = True
                    while self._texts.get():
                        pass
                    return

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process.poll() is None:
            self._process.kill()
        if self._thread.is_alive():
            self._texts.put(b"")
            self._thread.join()
        cast("IO[bytes]", self._process.stdout).close()
        self._process.wait()


def work(do: Callable[[BufferedIOBase], None], place: Path) -> None:
    """Do the work of a child on its standard input, and say how it went; for the child.

    *place* is where it writes, named where the system refuses something. The process ends at once
    where its parent dies, for then nobody waits for the work.
    """
    threading.Thread(target=_end_with_parent, name="parent", daemon=True).start()
    try:
        do(cast("BufferedIOBase", sys.stdin.buffer))
    except (StoreError, OSError) as error:
        if isinstance(error, OSError):
            said = f"{error.filename or place}: {reason(error)}"
        else:
            said = str(error)
        with suppress(BrokenPipeError):  # where the parent has died, nobody hears it
            os.write(sys.stdout.fileno(), said.encode("utf-8", "backslashreplace"))
        os._exit(StoreError.exit_code)  # at once, whatever the engine is doing in another thread
    except Exception:
        if _is_alone():  # its lines may have ended in the middle of one
            os._exit(StoreError.exit_code)
        raise


def _end_with_parent() -> None:
    while not _is_alone():
        time.sleep(_LOOKED)
    os._exit(StoreError.exit_code)


def _is_alone() -> bool:
    return os.getppid() != int(os.environ[_PARENT])
