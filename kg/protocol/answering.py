"""From a question to a response: what every route that answers a query does."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from kg import __version__
from kg.errors import AnswerError
from kg.formats import content_type
from kg.protocol.changing import is_changing
from kg.protocol.coding import begun
from kg.protocol.question import Evaluate, Evaluation, Question
from kg.protocol.request import Request
from kg.protocol.response import Response
from kg.protocol.service import Service
from kg.protocol.wanted import Wanted


async def answered(
    question: Question,
    wanted: Wanted,
    request: Request,
    evaluate: Evaluate,
    service: Service,
    *,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return the response to *question*, with *headers*: 200, whatever the client has already.

    Whether it is another (304) is for the caller to say: a condition counts only where the answer
    would be 200 without it (RFC 9110, section 13.2.1). Raises :class:`ProblemError` where no
    format of the answer is acceptable, and what *evaluate* raises.
    """
    question, evaluation = await _evaluated(question, wanted, evaluate)
    if evaluation.media_type is None:
        await evaluation.body.aclose()
        raise wanted.refusal(evaluation.form)
    known = {
        "Content-Type": content_type(evaluation.media_type),
        "Vary": "Accept",
        **(headers or {}),
    }
    if service.is_elsewhere:
        known["Cache-Control"] = "no-store"
    elif request.method in ("GET", "HEAD"):
        # An answer may be kept, and asked about before each use: a new snapshot shows at once.
        known["Cache-Control"] = "no-cache"
        if not is_changing(question.text):
            known["ETag"] = _entity_tag(question, evaluation.media_type, service)
    return Response(200, known, await begun(evaluation.body))


async def _evaluated(
    question: Question, wanted: Wanted, evaluate: Evaluate
) -> tuple[Question, Evaluation]:
    """Evaluate *question*, or where XML cannot carry its answer, the same for another format.

    Return what was evaluated too.
    """
    try:
        return question, await evaluate(question)
    except AnswerError:
        other = wanted.without_xml(question)
        if other is None:
            raise
        evaluation = await evaluate(other)
        if evaluation.media_type is not None:
            return other, evaluation
        await evaluation.body.aclose()
        raise


def _entity_tag(question: Question, media_type: str, service: Service) -> str:
    """Return a validator of the answer (RFC 9110, section 8.8.3).

    A weak one: the engine names blank nodes anew each time, and promises no order that the query
    does not ask for; and the same answer goes in several codings. Another version of the program
    may write another answer.
    """
    of_service = (__version__, service.snapshot, service.base)
    # The text stands last: nothing that stands before it holds a line end.
    known = "\n".join((*of_service, media_type, str(question.graphs), question.text))
    digest = hashlib.sha256(known.encode("utf-8", "surrogatepass"))
    return f'W/"{digest.hexdigest()[:32]}"'
