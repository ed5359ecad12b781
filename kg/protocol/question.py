"""What the protocol asks of whatever evaluates queries, and what it gets back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from kg.protocol.response import Body
from kg.sparql import Graphs, QueryForm


@dataclass(frozen=True, slots=True)
class Question:
    """A query to be evaluated, in plain values that can go to another process.

    Its form is known only to whoever parses it, so both outcomes of the negotiation are here: the
    media type for *solutions* (SELECT, ASK) and for a *graph* (CONSTRUCT, DESCRIBE); None where
    the client accepts none. *graphs* are those that the request names.
    """

    text: str
    solutions: str | None
    graph: str | None
    graphs: Graphs | None = None

    def media_type(self, form: QueryForm) -> str | None:
        """Return the media type for an answer to a query of *form*."""
        return self.graph if form.is_graph else self.solutions


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
    is raised, :class:`~kg.errors.QueryError` for a text that is no query and
    :class:`~kg.errors.AnswerError` for an answer that its format cannot carry. Cancelled, it stops.
    """

    async def __call__(self, question: Question) -> Evaluation:
        """Evaluate one question."""
        ...
