"""What the connections of one server share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from kg.protocol import Request, Response
from kg.server.exchange import Served


@dataclass(frozen=True, slots=True)
class Times:
    """How many seconds a connection has for each thing.

    *idle* is for a request to begin, *head* and *body* for all of one, *write* for some of what
    waits to be read, *linger* for the client to see the end.
    """

    idle: float = 60
    head: float = 20
    body: float = 60
    write: float = 30
    linger: float = 5


class Answers(Protocol):
    """What answers requests: the application."""

    async def __call__(self, request: Request) -> Response:
        """Answer a request; never raises but for cancellation."""
        ...

    def ended(self, served: Served) -> None:
        """Take note of what became of a request."""
        ...


class Closes(Protocol):
    """A connection, as far as the server ends it."""

    def finish(self) -> None:
        """Close when the answers under way are sent: at once where there are none."""
        ...

    def give_up(self) -> None:
        """Give up what is under way, and say so where nothing of an answer has been sent."""
        ...


@dataclass(slots=True)
class Hub:
    """The *connections* that there are, of which there may be *most*, and what *answers* them."""

    answers: Answers
    most: int
    times: Times = field(default_factory=Times)
    connections: set[Closes] = field(default_factory=set)
    is_ending: bool = False
