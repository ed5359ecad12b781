"""From a question to a response: what every route that answers a query does."""

from __future__ import annotations

import hashlib
import re
from typing import Final

from kg import __version__
from kg.formats import GRAPHS, SOLUTIONS, content_type
from kg.protocol.problem import ProblemError
from kg.protocol.question import Evaluate, Question
from kg.protocol.request import Request
from kg.protocol.response import Response
from kg.protocol.service import Service

# Functions that give something else each time (SPARQL 1.1, sections 17.4.2 to 17.4.5).
_CHANGING: Final = re.compile(r"\b(?:NOW|RAND|UUID|STRUUID)\s*\(", re.IGNORECASE | re.ASCII)
_ENTITY_TAG: Final = re.compile(r'(?:W/)?("[^"]*")')


async def answered(
    question: Question, request: Request, evaluate: Evaluate, service: Service
) -> Response:
    """Return the response to *question*: 200, or 304 where the client has the answer already.

    A condition counts only where the answer would be 200 without it (RFC 9110, section 13.2.1), so
    the query is evaluated first. Raises :class:`ProblemError` (406) where no format of the answer
    is acceptable, and what *evaluate* raises.
    """
    headers = {"Vary": "Accept"}
    if request.method in ("GET", "HEAD"):
        # An answer may be kept, and asked about before each use: a new snapshot shows at once.
        headers["Cache-Control"] = "no-cache"
        if not _CHANGING.search(question.text):
            headers["ETag"] = _entity_tag(question, service)
    evaluation = await evaluate(question)
    if evaluation.media_type is None:
        await evaluation.body.aclose()
        formats = GRAPHS if evaluation.form.is_graph else SOLUTIONS
        offered = [format_.media_type for format_ in formats]
        raise ProblemError(
            406,
            f"the answer to {evaluation.form} comes as {', '.join(offered)}",
            members={"offered": offered},
        )
    if "ETag" in headers and _has(request, headers["ETag"]):
        await evaluation.body.aclose()
        return Response(304, headers)
    return Response(
        200, {"Content-Type": content_type(evaluation.media_type), **headers}, evaluation.body
    )


def _entity_tag(question: Question, service: Service) -> str:
    """Return a validator of the answer (RFC 9110, section 8.8.3).

    A weak one: the engine names blank nodes anew each time, and promises no order that the query
    does not ask for. Another version of the program may write another answer.
    """
    known = repr((__version__, service.snapshot, service.base, question))
    digest = hashlib.sha256(known.encode("utf-8", "surrogatepass"))
    return f'W/"{digest.hexdigest()[:32]}"'


def _has(request: Request, entity_tag: str) -> bool:
    """Say whether If-None-Match names *entity_tag*, by weak comparison (section 13.1.2)."""
    condition = request.header("if-none-match") or ""
    known = _ENTITY_TAG.findall(condition)
    return condition.strip() == "*" or entity_tag.removeprefix("W/") in known
