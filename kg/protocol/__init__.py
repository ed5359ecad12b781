"""The SPARQL 1.1 Protocol over HTTP as a function from requests to responses.

It opens no socket and no store and evaluates nothing: :mod:`kg.server` brings the first, and an
:class:`Evaluate` the rest.

::

    /                    the list of what there is
    /sparql              the query operation; without a query, the service description
    /queries             the canned queries, as JSON
    /queries/NAME        the answer to one: its parameters, and format=
    /.well-known/void    the graph in VoID
    /dumps/NAME          all of it, as a file
    /health              whether queries are answered
    /metrics             counts of what was done, for Prometheus
"""

from kg.protocol.cache import Cache, Remembering
from kg.protocol.handler import failure, handle, refused, unavailable
from kg.protocol.problem import ProblemError
from kg.protocol.question import Evaluate, Evaluation, Question
from kg.protocol.request import Request
from kg.protocol.response import Body, Response, Whole, entity_tag
from kg.protocol.routes import route_of
from kg.protocol.service import Service
from kg.protocol.tokens import Tokens

__all__ = [
    "Body",
    "Cache",
    "Evaluate",
    "Evaluation",
    "ProblemError",
    "Question",
    "Remembering",
    "Request",
    "Response",
    "Service",
    "Tokens",
    "Whole",
    "entity_tag",
    "failure",
    "handle",
    "refused",
    "route_of",
    "unavailable",
]
