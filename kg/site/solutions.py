"""The beginning of an answer as the rows of a table, or as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, cast

import pyoxigraph as ox

from kg.curies import Curies
from kg.namespaces import XSD
from kg.protocol import Evaluate, Evaluation, Question
from kg.site.view import Link, View

TSV: Final = "text/tab-separated-values"
TURTLE: Final = "text/turtle"
ROWS: Final = 500
"""Rows of an answer that a page shows."""

_BYTES: Final = 1 << 20
"""Bytes of an answer that are read for a page."""

_TEXT: Final = 1 << 16
"""Bytes of a graph that a page shows."""

_NAME: Final = 44
"""Characters of an IRI that a table shows."""

_NUMBERS: Final = frozenset(f"{XSD}{name}" for name in ("integer", "decimal", "double", "float"))


@dataclass(frozen=True, slots=True)
class Cell:
    """One value in a table; *kind* tells how it is set: iri, number or text."""

    link: Link
    kind: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The beginning of an answer; where it *is_cut* there is more than is shown.

    Of solutions *columns* and *rows* are there, of a graph its *text* in Turtle, and of a question
    that is answered by yes or no that is what *verdict* says.
    """

    columns: Sequence[str] = ()
    rows: Sequence[Sequence[Cell | None]] = ()
    text: str = ""
    verdict: bool | None = None
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class Beginning:
    """The first bytes of an answer: whole lines of them where there is more."""

    form: str
    content: bytes
    is_cut: bool


async def begin(text: str, evaluate: Evaluate, *, is_lookup: bool = False) -> Beginning:
    """Have a query evaluated, and return the beginning of its answer; the rest is let go.

    Raises what *evaluate* raises.
    """
    evaluation = await evaluate(Question(text, TSV, TURTLE, is_lookup=is_lookup))
    most = _TEXT if evaluation.form.is_graph else _BYTES
    lines = None if evaluation.form.is_graph else ROWS + 1  # beside the line of the names
    return await _read(evaluation, most, lines)


async def _read(evaluation: Evaluation, most: int, lines: int | None) -> Beginning:
    gathered, ends = bytearray(), 0
    try:
        async for piece in evaluation.body:
            gathered += piece
            ends += piece.count(b"\n")
            if len(gathered) > most or (lines is not None and ends > lines):
                return Beginning(
                    evaluation.form, bytes(gathered).rpartition(b"\n")[0] + b"\n", is_cut=True
                )
    finally:
        await evaluation.body.aclose()
    return Beginning(evaluation.form, bytes(gathered), is_cut=False)


def told(beginning: Beginning, view: View, curies: Curies) -> Answer:
    """Return the beginning of an answer as a page shows it."""
    if beginning.form == "ASK":
        return Answer(verdict=beginning.content.strip() == b"true")
    if beginning.form in ("CONSTRUCT", "DESCRIBE"):
        return Answer(text=beginning.content.decode("utf-8", "replace"), is_cut=beginning.is_cut)
    solutions = cast(
        "ox.QuerySolutions",
        ox.parse_query_results(beginning.content, format=ox.QueryResultsFormat.TSV),
    )
    columns = [variable.value for variable in solutions.variables]
    rows = [[_cell(one[name], view, curies) for name in columns] for one in solutions]
    return Answer(columns, rows[:ROWS], is_cut=beginning.is_cut or len(rows) > ROWS)


def _short(text: str) -> str:
    """Return a long name with its middle left out: what tells it from others is at its ends."""
    return text if len(text) <= _NAME else f"{text[: _NAME // 2]}…{text[-_NAME // 2 :]}"


def _cell(term: object, view: View, curies: Curies) -> Cell | None:
    if isinstance(term, ox.NamedNode):
        iri = term.value
        text = curies.compress(iri) if view.addresses.path(iri) is not None else None
        return Cell(view.link(iri, _short(text or iri)), "iri")
    if isinstance(term, ox.Literal):
        kind = "number" if term.datatype.value in _NUMBERS else "text"
        return Cell(Link(term.value, None), kind)
    return None if term is None else Cell(Link(str(term), None), "text")
