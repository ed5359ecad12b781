from __future__ import annotations

import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.answers import Question
from kg.errors import (
    AnswerError,
    AnswerLimitError,
    LimitError,
    MemoryLimitError,
    QueryError,
    ServiceError,
    StoreError,
)
from kg.limits import Limits
from kg.services import Services
from kg.sparql import Graphs, QueryForm
from kg.worker import frames
from kg.worker.frames import HEADER, Kind
from kg.worker.setup import Setup

TEXT = st.text(st.characters(exclude_categories=[]))  # half characters are to be refused politely
IRIS = st.lists(TEXT, max_size=3).map(tuple)
QUESTIONS = st.builds(
    Question, TEXT, st.none() | TEXT, st.none() | TEXT, st.none() | st.builds(Graphs, IRIS, IRIS)
)


def payload(frame: bytes, kind: Kind) -> bytes:
    told, length = HEADER.unpack_from(frame)
    assert (told, length) == (kind, len(frame) - HEADER.size)
    return frame[HEADER.size :]


@given(QUESTIONS, st.none() | TEXT)
def test_a_question_arrives_as_it_was(question: Question, forwarder: str | None) -> None:
    asked = payload(frames.question_frame(question, forwarder), Kind.QUESTION)
    assert frames.question(asked) == (question, forwarder)


@pytest.mark.parametrize("form", QueryForm)
def test_a_head_arrives_as_it_was(form: QueryForm) -> None:
    for media_type in ("text/csv", None):
        assert frames.head(payload(frames.head_frame(form, media_type), Kind.HEAD)) == (
            form,
            media_type,
        )


@pytest.mark.parametrize(
    "error",
    [
        AnswerError("a"),
        AnswerLimitError("b", limit="--row-limit"),
        LimitError("c", limit="--nesting", line=1, column=2),
        LimitError("d"),
        MemoryLimitError("e", limit="--memory-limit"),
        QueryError("f\n  é\n  ^", line=3, column=4),
        ServiceError("g"),
        StoreError("h"),
    ],
)
def test_an_error_arrives_as_it_was(error: Exception) -> None:
    told = frames.error(payload(frames.error_frame(error), Kind.ERROR))
    assert type(told) is type(error)
    assert str(told) == str(error)
    assert vars(told) == vars(error)


def test_a_fault_arrives_with_its_traceback() -> None:
    try:
        {}["key"]  # type: ignore[index]
    except KeyError as error:
        told = frames.error(payload(frames.error_frame(error), Kind.ERROR))
    assert type(told) is RuntimeError
    assert "test_frames.py" in str(told)
    assert "KeyError: 'key'" in str(told)


def test_a_frame_that_is_cut_is_the_end() -> None:
    whole = frames.frame(Kind.BODY, b"content")
    for cut in range(len(whole)):
        here, there = socket.socketpair()
        with here, there:
            there.sendall(whole + whole[:cut])
            there.close()
            assert frames.receive(here) == (Kind.BODY, b"content")
            assert frames.receive(here) is None


def test_a_setup_arrives_as_it_was() -> None:
    services = Services.of(["a.example", "b.example:8443"])
    for setup in (
        Setup("/a b/é", "http://e/", Limits(rows=3, seconds=1.5), 17, services),
        Setup("s", "http://e/", Limits(), 1),
    ):
        assert Setup.of(setup.text()) == setup
