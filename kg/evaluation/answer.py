"""A question answered by a store, in the thread or process that calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO, Final, cast

import pyoxigraph as ox

from kg import namespaces
from kg.evaluation.xml_guard import XmlGuard
from kg.formats import GRAPHS_BY_MEDIA_TYPE, SOLUTIONS_BY_MEDIA_TYPE
from kg.protocol.question import Question
from kg.sparql import QueryForm, check
from kg.store import Store

CHUNK: Final = 1 << 16
"""Bytes that are written at once. What goes wrong among the first of them changes the status."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The form of a query, the media type of its answer, and what writes that, piece by piece.

    Where the media type is None, nothing is written.
    """

    form: QueryForm
    media_type: str | None
    write: Callable[[Callable[[bytes], object]], None]


def answer(store: Store, question: Question, base: str) -> Answer:
    """Parse and evaluate a question; *base* is that of relative IRIs and of our prefixes.

    Raises :class:`~kg.errors.QueryError` for a text that is no query or that is refused. Writing
    raises :class:`~kg.errors.AnswerError` for what the format cannot carry. The engine's results
    belong to one thread: the one that calls this must call ``write``.
    """
    prefixes = namespaces.prefixes(base)
    form = check(question.text, prefixes, base)
    media_type = question.media_type(form)
    if media_type is None:
        return Answer(form, None, lambda _: None)
    result = store.query(question.text, prefixes=prefixes, base=base, graphs=question.graphs)

    def write(pass_on: Callable[[bytes], object]) -> None:
        guard = None
        if media_type.endswith("xml"):
            others = "Turtle or N-Triples" if form.is_graph else "JSON, CSV or TSV"
            guard = XmlGuard(others)
        chunks = _Chunks(pass_on, guard)
        stream = cast("BinaryIO", chunks)  # as much of one as the engine needs
        if isinstance(result, ox.QueryTriples):
            engine = GRAPHS_BY_MEDIA_TYPE[media_type].engine
            known = prefixes if engine in (ox.RdfFormat.TURTLE, ox.RdfFormat.TRIG) else None
            ox.serialize(result, stream, format=engine, prefixes=known)
        else:
            result.serialize(stream, format=SOLUTIONS_BY_MEDIA_TYPE[media_type].engine)
        chunks.finish()

    return Answer(form, media_type, write)


class _Chunks:
    """The stream that the engine writes to: it gathers small pieces into chunks."""

    def __init__(self, pass_on: Callable[[bytes], object], guard: XmlGuard | None) -> None:
        self._pass_on = pass_on
        self._guard = guard
        self._gathered = bytearray()

    def write(self, piece: bytes) -> int:
        self._gathered += piece
        if len(self._gathered) >= CHUNK:
            self.finish()
        return len(piece)

    def flush(self) -> None:
        """Keep what is gathered: the engine flushes at its own end only."""

    def finish(self) -> None:
        """Pass on what is gathered."""
        chunk = bytes(self._gathered)
        self._gathered.clear()
        if chunk:
            self._pass_on(self._guard(chunk) if self._guard else chunk)
