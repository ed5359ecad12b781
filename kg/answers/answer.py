"""A question answered by a store, in the thread or process that calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import BinaryIO, Final, TypeVar, cast

import pyoxigraph as ox

from kg import namespaces
from kg.answers.question import Question
from kg.answers.solution_count import counting
from kg.answers.turtle_names import serialize
from kg.answers.xml_guard import XmlGuard
from kg.errors import AnswerLimitError, ServiceError, StoreError
from kg.formats import GRAPHS_BY_MEDIA_TYPE, SOLUTIONS_BY_MEDIA_TYPE
from kg.limits import Limits
from kg.services import NO_SERVICES, Route
from kg.sparql import QueryForm, check, scan
from kg.sparql.federation import rerouted
from kg.sparql.words import FORMS
from kg.store import Store

CHUNK: Final = 1 << 16
"""Bytes that are written at once. What goes wrong among the first of them changes the status."""

HELD: Final = 1 << 22
"""Bytes that are written first where an answer may be too long: most of those show it by then."""


@cache
def _prefixes(base: str) -> list[tuple[str, str, str]]:
    """Return each prefix as it stands in a query, its name, and its IRI."""
    return [(f"{name}:", name, iri) for name, iri in namespaces.prefixes(base).items()]


T = TypeVar("T")
Check = Callable[[bytes], bytes]
"""Is given the chunks of an answer in order, and returns them as they may go out, or raises."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The form of a query, the media type of its answer, and what writes that, piece by piece.

    Where the media type is None, nothing is written.
    """

    form: QueryForm
    media_type: str | None
    write: Callable[[Callable[[bytes], object]], None]


def answer(
    store: Store,
    question: Question,
    base: str,
    limits: Limits | None = None,
    route: Route | None = None,
) -> Answer:
    """Parse and evaluate a question; *base* is that of relative IRIs and of our prefixes.

    Other servers are asked by *route* alone. A look-up is a canned query of ours, which was checked
    when it was read (:meth:`kg.catalogue.CannedQuery.bind`), and is not once more. Raises
    :class:`~kg.errors.QueryError` for a text that is no query or that is refused. Writing raises
    :class:`~kg.errors.AnswerError` for what the format cannot carry, and
    :class:`~kg.errors.AnswerLimitError` where the answer grows beyond *limits*; both raise
    :class:`~kg.errors.ServiceError`. The engine's results belong to one thread: the one that calls
    this must call ``write``.
    """
    # Each costs the engine as much as a pattern does, so it is told those alone that may be used.
    prefixes = {name: iri for mark, name, iri in _prefixes(base) if mark in question.text}
    if question.is_lookup:
        form = _form(question.text)
    else:
        services = route.services if route else NO_SERVICES
        form = check(question.text, prefixes, base, limits, services)
    media_type = question.media_type(form)
    if media_type is None:
        return Answer(form, None, lambda _: None)
    text = rerouted(question.text, route) if route else question.text
    asks_others = text != question.text
    with _service_errors(asks_others):
        result = store.query(text, prefixes=prefixes, base=base, graphs=question.graphs)
    rows = limits.rows if limits else None
    most = limits.answer_bytes if limits else None

    def write(pass_on: Callable[[bytes], object]) -> None:
        checks: list[Check] = []
        if media_type.endswith("xml"):
            others = "Turtle or N-Triples" if form.is_graph else "JSON, CSV or TSV"
            checks.append(XmlGuard(others))
        if rows is not None and form is QueryForm.SELECT:
            checks.append(_rows_at_most(rows, media_type))
        if most is not None:
            checks.append(_bytes_at_most(most))
        chunks = _Chunks(pass_on, checks, CHUNK if rows is most is None else HELD)
        stream = cast("BinaryIO", chunks)  # as much of one as the engine needs
        with _service_errors(asks_others):
            if isinstance(result, ox.QueryTriples):
                engine = GRAPHS_BY_MEDIA_TYPE[media_type].engine
                has_prefixes = engine in (ox.RdfFormat.TURTLE, ox.RdfFormat.TRIG)
                shown = namespaces.prefixes(base) if has_prefixes else None
                triples = result if rows is None else _at_most(rows, result)
                serialize(triples, stream, engine, shown)
            else:
                result.serialize(stream, format=SOLUTIONS_BY_MEDIA_TYPE[media_type].engine)
        chunks.finish()

    return Answer(form, media_type, write)


def _form(text: str) -> QueryForm:
    """Return the form of a text that is a query."""
    return QueryForm(next(token.text.upper() for token in scan(text) if token.is_word(*FORMS)))


@contextmanager
def _service_errors(asks_others: bool) -> Iterator[None]:
    """Say in our words what the engine says about a server that it has asked."""
    try:
        yield
    except (OSError, RuntimeError, SyntaxError, StoreError) as error:
        if not asks_others:
            raise
        told = str(error).partition("with payload:\n")[2]  # by kg.workers.forwarder
        raise ServiceError(
            f"SERVICE: {told or 'the server that is asked gave no answer that can be read'}"
        ) from None


class _Chunks:
    """The stream that the engine writes to: it gathers small pieces into chunks.

    The first has *first* bytes at least.
    """

    def __init__(self, pass_on: Callable[[bytes], object], checks: list[Check], first: int) -> None:
        self._pass_on = pass_on
        self._checks = checks
        self._gathered = bytearray()
        self._least = first

    def write(self, piece: bytes) -> int:
        self._gathered += piece
        if len(self._gathered) >= self._least:
            self.finish()
        return len(piece)

    def flush(self) -> None:
        """Keep what is gathered: the engine flushes at its own end only."""

    def finish(self) -> None:
        """Pass on what is gathered."""
        chunk = bytes(self._gathered)
        self._gathered.clear()
        self._least = CHUNK
        for check_ in self._checks:
            chunk = check_(chunk)
        if chunk:
            self._pass_on(chunk)


def _bytes_at_most(most: int) -> Check:
    written = 0

    def check_bytes(chunk: bytes) -> bytes:
        nonlocal written
        written += len(chunk)
        if written > most:
            raise AnswerLimitError(
                f"the answer is longer than {most:,} bytes (--answer-limit); ask for less of it,"
                " with LIMIT for one",
                limit="--answer-limit",
            )
        return chunk

    return check_bytes


def _rows_at_most(most: int, media_type: str) -> Check:
    count = counting(SOLUTIONS_BY_MEDIA_TYPE[media_type].media_type)

    def check_rows(chunk: bytes) -> bytes:
        if count(chunk) > most:
            raise _too_many(most)
        return chunk

    return check_rows


def _at_most(most: int, triples: Iterable[T]) -> Iterator[T]:
    for number, triple in enumerate(triples, 1):
        if number > most:
            raise _too_many(most)
        yield triple


def _too_many(most: int) -> AnswerLimitError:
    return AnswerLimitError(
        f"the answer has more than {most:,} rows (--row-limit); ask for fewer, with LIMIT for one",
        limit="--row-limit",
    )
