"""What the protocol asks of whatever evaluates queries, and what it gets back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from kg.answers import Question
from kg.protocol.response import Body
from kg.sparql import QueryForm

__all__ = ["Evaluate", "Evaluation", "Question"]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An evaluation that has begun: what it gives, as *media_type*, and its bytes as they come.

    Where *media_type* is None the client accepts nothing that fits, and *body* is empty. *body*
    raises what goes wrong later than the first bytes; it must be closed (``aclose``).
    """

    form: QueryForm
    media_type: str | None
    body: Body


class Evaluate(Protocol):
    """Whatever evaluates queries.

    It returns when the first bytes of the answer are there, or all of them: what goes wrong before
    is raised, :class:`~kg.errors.QueryError` for a text that is no query or asks for too much,
    :class:`~kg.errors.AnswerError` for an answer that its format cannot carry,
    :class:`~kg.errors.BusyError` where there is no room for it and
    :class:`~kg.errors.StoppedError` where it was stopped. Cancelled, it stops.
    """

    async def __call__(self, question: Question) -> Evaluation:
        """Evaluate one question."""
        ...
