"""The SPARQL 1.1 Protocol over HTTP as a function from requests to responses.

It opens no socket and no store and evaluates nothing: :mod:`kg.server` brings the first, and an
:class:`Evaluate` the rest.

::

    /                the list of what there is
    /sparql          the query operation; without a query, the service description
    /queries         the canned queries, as JSON
    /queries/NAME    the answer to one: its parameters, and format=
"""

from kg.protocol.handler import failure, handle, unavailable
from kg.protocol.problem import ProblemError
from kg.protocol.question import Evaluate, Evaluation, Question
from kg.protocol.request import Request
from kg.protocol.response import Body, Response, Whole
from kg.protocol.service import Service

__all__ = [
    "Body",
    "Evaluate",
    "Evaluation",
    "ProblemError",
    "Question",
    "Request",
    "Response",
    "Service",
    "Whole",
    "failure",
    "handle",
    "unavailable",
]
