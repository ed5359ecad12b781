"""What a worker and the process that started it say to each other.

::

    frame     = kind length payload     ; one byte, four bytes (big-endian), length bytes
    startup   = READY / ERROR           ; once, from the worker
    question  = QUESTION                ; to the worker, which then gives one
    answer    = HEAD *BODY END          ; what went well,
              / [HEAD *BODY] ERROR      ; or went wrong

An answer that stops before END or ERROR is one whose worker has died. The bytes of an answer are
framed, so that nothing said about it can be taken for a part of it.
"""

from __future__ import annotations

import json
import socket
import struct
import traceback
from enum import IntEnum
from typing import Any, Final

from kg.answers import Question
from kg.errors import (
    AnswerError,
    AnswerLimitError,
    KgError,
    LimitError,
    MemoryLimitError,
    QueryError,
    ServiceError,
    StoreError,
)
from kg.sparql import Graphs, QueryForm

HEADER: Final = struct.Struct("!BI")

LONGEST: Final = 1 << 20
"""Bytes of what a worker says in one frame, at most."""


class Kind(IntEnum):
    """What a frame is."""

    READY = 1
    QUESTION = 2
    HEAD = 3
    """The form of the query and the media type of the answer."""
    BODY = 4
    """Some bytes of the answer, never none."""
    END = 5
    """The answer is complete; a payload says that the worker is to be replaced."""
    ERROR = 6


_LONGEST_MESSAGE: Final = 80_000
"""Characters of what went wrong; JSON makes up to twelve bytes of each."""

_TOLD: Final[dict[str, type[KgError]]] = {
    kind.__name__: kind
    for kind in (
        AnswerError,
        AnswerLimitError,
        LimitError,
        MemoryLimitError,
        QueryError,
        ServiceError,
        StoreError,
    )
}
"""The errors that are told as what they are; any other is a fault."""


def frame(kind: Kind, payload: bytes = b"") -> bytes:
    """Return a frame."""
    return HEADER.pack(kind, len(payload)) + payload


def receive(connection: socket.socket) -> tuple[Kind, bytes] | None:
    """Wait for a frame; None is the end of the connection."""
    header = _exactly(connection, HEADER.size)
    if header is None:
        return None
    kind, length = HEADER.unpack(header)
    payload = _exactly(connection, length)
    return None if payload is None else (Kind(kind), payload)


def _exactly(connection: socket.socket, count: int) -> bytes | None:
    received = bytearray()
    while len(received) < count:
        piece = connection.recv(min(count - len(received), 1 << 18))
        if not piece:
            return None
        received += piece
    return bytes(received)


def question_frame(question: Question, forwarder: str | None = None) -> bytes:
    """Return the frame that asks *question*; *forwarder* is where it may ask other servers."""
    graphs = question.graphs and [question.graphs.default, question.graphs.named]
    values = [question.text, question.solutions, question.graph, graphs, forwarder]
    return frame(Kind.QUESTION, json.dumps(values).encode())


def question(payload: bytes) -> tuple[Question, str | None]:
    """Return the question that a frame asks, and where it may ask other servers."""
    text, solutions, graph, graphs, forwarder = json.loads(payload)
    return Question(text, solutions, graph, graphs and Graphs(*map(tuple, graphs))), forwarder


def head_frame(form: QueryForm, media_type: str | None) -> bytes:
    """Return the frame that begins an answer."""
    return frame(Kind.HEAD, json.dumps([form, media_type]).encode())


def head(payload: bytes) -> tuple[QueryForm, str | None]:
    """Return the form of the query and the media type of the answer."""
    form, media_type = json.loads(payload)
    return QueryForm(form), media_type


def error_frame(error: BaseException) -> bytes:
    """Return the frame that says what went wrong, with the traceback of a fault."""
    name = type(error).__name__
    message = str(error) if name in _TOLD else "".join(traceback.format_exception(error))
    places = {key: getattr(error, key, None) for key in ("line", "column", "limit")}
    known = {key: value for key, value in places.items() if value is not None}
    return frame(Kind.ERROR, json.dumps([name, message[:_LONGEST_MESSAGE], known]).encode())


def error(payload: bytes) -> Exception:
    """Return the error that a frame tells; a fault is a RuntimeError with its traceback."""
    name, message, known = json.loads(payload)
    if name not in _TOLD:
        return RuntimeError(f"a fault in a worker:\n{message}")
    make: Any = _TOLD[name]
    raised: Exception = make(message, **known)
    return raised
