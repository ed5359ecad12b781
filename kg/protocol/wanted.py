"""What formats a client wants its answer in: by Accept, or by ``format=`` in the address."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Self

import pyoxigraph as ox

from kg.formats import (
    GRAPHS,
    GRAPHS_BY_MEDIA_TYPE,
    SOLUTIONS,
    SOLUTIONS_BY_MEDIA_TYPE,
    Format,
    negotiate,
)
from kg.protocol.problem import ProblemError
from kg.protocol.question import Question
from kg.protocol.request import Request
from kg.sparql import Graphs, QueryForm

FORMAT: Final = "format"
"""The parameter in which people name a format: nothing else will do then."""

_HINTS: Final = ("output", "results")
"""Parameters in which clients' libraries name one beside it, and beside an Accept that says more.

A name that means nothing is passed over in such a request (RDFLib/sparqlwrapper#164).
"""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a client wants: *accept* are its Accept lines, *hints* names of formats that win.

    Where it *insists*, there is one hint, and nothing else will do.
    """

    accept: tuple[str, ...]
    hints: tuple[str, ...] = ()
    insists: bool = False

    @classmethod
    def of(cls, request: Request, given: Sequence[tuple[str, str]]) -> Self:
        """Read what *request* with the parameters *given* wants.

        Raises :class:`ProblemError` for a format that there is not.
        """
        accept = tuple(request.lines("accept"))
        asked = [value for name, value in given if name == FORMAT and value]
        others = [value for name, value in given if name in _HINTS and value]
        wanted = cls(accept, (*asked, *others), len(asked) == 1 and not others)
        if wanted.insists and not any(one.answers_to(asked[0]) for one in (*SOLUTIONS, *GRAPHS)):
            names = ", ".join(dict.fromkeys(one.name for one in (*SOLUTIONS, *GRAPHS)))
            raise ProblemError(
                400,
                f"there is no format {asked[0]}; take one of {names}",
                members={"parameter": FORMAT},
            )
        return wanted

    def question(
        self,
        text: str,
        graphs: Graphs | None = None,
        *,
        form: QueryForm | None = None,
        is_lookup: bool = False,
    ) -> Question:
        """Return the question that *text*, of which the *form* may be known, is to this client."""
        solutions, graph = _chosen(self, is_xml_welcome=True)
        if form is not None:
            solutions, graph = (None, graph) if form.is_graph else (solutions, None)
        return Question(text, solutions, graph, graphs, is_lookup)

    def without_xml(self, question: Question) -> Question | None:
        """Return *question* for a format that is no XML, or None where nothing else is wanted."""
        solutions, graph = _chosen(self, is_xml_welcome=False)
        if self.hints or (solutions is None and graph is None):
            return None
        other = replace(question, solutions=solutions, graph=graph)
        return None if other == question else other

    def refusal(self, form: QueryForm) -> ProblemError:
        """Return the problem that an answer to *form* comes in none of the formats wanted."""
        return self._refusal(f"the answer to {form}", GRAPHS if form.is_graph else SOLUTIONS)

    def description(self) -> str:
        """Return the media type for a description in RDF.

        Raises :class:`ProblemError` where none is wanted.
        """
        media_type = self.question("").graph
        if media_type is None:
            raise self._refusal("the description", GRAPHS)
        return media_type

    def _refusal(
        self, what: str, formats: Sequence[Format[ox.RdfFormat] | Format[ox.QueryResultsFormat]]
    ) -> ProblemError:
        if self.insists:
            return ProblemError(
                400,
                f"{what} has no format {self.hints[0]};"
                f" take one of {', '.join(one.name for one in formats)}",
                members={"parameter": FORMAT},
            )
        offered = [one.media_type for one in formats]
        return ProblemError(
            406, f"{what} comes as {', '.join(offered)}", members={"offered": offered}
        )


@lru_cache(maxsize=256)
def _chosen(wanted: Wanted, *, is_xml_welcome: bool) -> tuple[str | None, str | None]:
    """Return the media types for solutions and for a graph."""
    solutions, graphs = dict(SOLUTIONS_BY_MEDIA_TYPE), dict(GRAPHS_BY_MEDIA_TYPE)
    if not is_xml_welcome:
        solutions = {name: one for name, one in solutions.items() if not name.endswith("xml")}
        graphs = {name: one for name, one in graphs.items() if not name.endswith("xml")}
    return (
        negotiate(wanted.accept, wanted.hints, solutions, insists=wanted.insists),
        negotiate(wanted.accept, wanted.hints, graphs, insists=wanted.insists),
    )
