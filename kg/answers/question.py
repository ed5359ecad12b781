"""A query to be evaluated, and what its client accepts as an answer."""

from __future__ import annotations

from dataclasses import dataclass

from kg.sparql import Graphs, QueryForm


@dataclass(frozen=True, slots=True)
class Question:
    """A query to be evaluated, in plain values that can go to another process.

    Its form is known only to whoever parses it, so both outcomes of the negotiation are here: the
    media type for *solutions* (SELECT, ASK) and for a *graph* (CONSTRUCT, DESCRIBE); None where
    the client accepts none. *graphs* are those that the request names. *is_lookup* says that it is
    known to end soon, whatever the store holds.
    """

    text: str
    solutions: str | None
    graph: str | None
    graphs: Graphs | None = None
    is_lookup: bool = False

    def media_type(self, form: QueryForm) -> str | None:
        """Return the media type for an answer to a query of *form*."""
        return self.graph if form.is_graph else self.solutions
