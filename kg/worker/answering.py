"""Questions come in, answers go out, until the other end is closed."""

from __future__ import annotations

import gc
import os
import select
import socket
import threading
import traceback
from typing import Final

from kg.answers import CHUNK, Question, answer
from kg.errors import KgError, MemoryLimitError
from kg.services import Route
from kg.store import Store
from kg.worker import frames
from kg.worker.confinement import LATE, Memory, ended_after
from kg.worker.frames import Kind, frame
from kg.worker.setup import Setup

_END: Final = frame(Kind.END)
_WORN: Final = frame(Kind.END, b"!")
STACK: Final = 256 << 20
"""Bytes of stack for the engine, which goes as deep as a query nests; only what is used counts."""


def work(store: Store, setup: Setup, connection: socket.socket) -> None:
    """Answer the questions that come over *connection*; when it is closed, end this process.

    That is noticed while the engine works, too.
    """
    gc.freeze()  # the garbage collector has no business with what is there to stay
    threading.stack_size(STACK)
    worker = _Worker(store, setup, connection)
    threading.Thread(target=worker.run, name="answers", daemon=True).start()
    watched = select.poll()
    watched.register(connection, 0)  # for nothing but that the other end is closed
    watched.poll()
    os._exit(0)


class _Worker:
    def __init__(self, store: Store, setup: Setup, connection: socket.socket) -> None:
        self._store = store
        self._setup = setup
        self._connection = connection
        self._ahead = b""  # frames that go out with the next bytes, in one piece

    def run(self) -> None:
        """Say that all is ready and answer one question after the other; never return."""
        try:
            # What the first answer takes belongs to what the store needs.
            answer(self._store, Question("ASK {}", "text/csv", None), self._setup.base)
            memory = Memory(self._setup.limits.memory)
            self._connection.sendall(frame(Kind.READY))
            seconds = self._setup.limits.seconds + LATE
            while (received := frames.receive(self._connection)) is not None:
                with ended_after(seconds):
                    is_sound = self._answer(*frames.question(received[1]))
                    is_worn = not is_sound or memory.is_worn()
                    self._connection.sendall(self._ahead + (_WORN if is_worn else _END))
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)

    def _answer(self, question: Question, forwarder: str | None) -> bool:
        """Answer a question, but for the end; say whether this worker is fit for another one."""
        self._ahead = b""
        setup = self._setup
        route = Route(setup.services, forwarder) if forwarder else None
        try:
            answered = answer(self._store, question, setup.base, setup.limits, route)
            self._ahead = frames.head_frame(answered.form, answered.media_type)
            answered.write(self._send)
        except KgError as error:
            self._ahead += frames.error_frame(error)
        except MemoryError:
            self._ahead += frames.error_frame(out_of_memory(setup.limits.memory))
            return False
        except BaseException as error:
            self._ahead += frames.error_frame(error)
            return False
        return True

    def _send(self, chunk: bytes) -> None:
        for start in range(0, len(chunk), CHUNK):
            body = frame(Kind.BODY, chunk[start : start + CHUNK])
            if start + CHUNK < len(chunk) or len(chunk) >= CHUNK:
                self._connection.sendall(self._ahead + body)
                self._ahead = b""
            else:  # most likely the end is next
                self._ahead += body


def out_of_memory(most: int) -> MemoryLimitError:
    """Return the error for a query that took more than *most* bytes of memory."""
    return MemoryLimitError(
        f"the query took more than {most:,} bytes of memory (--memory-limit);"
        " ask for less at once, or sort and group less",
        limit="--memory-limit",
    )
