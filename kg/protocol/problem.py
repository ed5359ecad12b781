"""What goes wrong with a request, as a problem detail (RFC 9457) or a text."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Final

from kg.errors import (
    AnswerError,
    BusyError,
    DeadlineError,
    KgError,
    LimitError,
    ServiceError,
    StoppedError,
)
from kg.media_types import choose
from kg.protocol.response import Response

_JSON: Final = "application/problem+json"
_TEXT: Final = "text/plain"

_MEMBERS: Final = ("line", "column", "parameter", "limit")
"""What an error may know beside its sentence, and the problem detail tells as a member."""


class ProblemError(Exception):
    """A request that gets no other answer than why not.

    *detail* is a sentence, which may be followed by lines that show the place; *members* are
    further members of the problem detail, *headers* further headers of the response.
    """

    def __init__(
        self,
        status: int,
        detail: str,
        *,
        headers: Mapping[str, str] | None = None,
        members: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.headers = dict(headers or {})
        self.members = dict(members or {})

    @classmethod
    def of(cls, error: KgError) -> ProblemError:
        """Return the problem that an error of ours is to the client.

        An answer that became too large is 500, as SPARQL 1.1 Protocol (section 2.1.6) has it for a
        query that a service does not execute though it is one.
        """
        status = 400
        headers: dict[str, str] = {}
        if isinstance(error, AnswerError):
            status = 406
        elif isinstance(error, BusyError):
            status, headers = 503, {"Retry-After": str(error.retry_after)}
        elif isinstance(error, DeadlineError):
            status = 504
        elif isinstance(error, ServiceError):
            status = 502
        elif isinstance(error, StoppedError):
            status = 500
        elif isinstance(error, LimitError) and error.line is None:  # it was not even read
            status = 413
        known = {name: getattr(error, name, None) for name in _MEMBERS}
        members = {name: value for name, value in known.items() if value is not None}
        return cls(status, str(error), headers=headers, members=members)

    def response(self, accept: Sequence[str]) -> Response:
        """Render the problem: as JSON, or as plain text where *accept* prefers that.

        JSON it is too where the client accepts neither: an error is worth more than a refusal.
        The excerpt that a syntax error shows is a member of its own in JSON.
        """
        chosen = choose(accept, [_JSON, "application/json", _TEXT]) or _JSON
        if chosen == _TEXT:
            content, content_type = f"{self.detail}\n", f"{_TEXT}; charset=utf-8"
        else:
            sentence, _, excerpt = self.detail.partition("\n")
            problem = {
                "title": HTTPStatus(self.status).phrase,
                "status": self.status,
                "detail": sentence,
                **({"excerpt": excerpt} if excerpt else {}),
                **self.members,
            }
            content, content_type = json.dumps(problem, ensure_ascii=False, indent=2) + "\n", chosen
        return Response.of(
            content.encode("utf-8", "replace"),
            content_type,
            status=self.status,
            headers={"Cache-Control": "no-store", "Vary": "Accept", **self.headers},
        )
