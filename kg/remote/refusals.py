"""What a server means that does not answer a query, in a sentence."""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from kg.media_types import MediaType
from kg.values import visible

BUSY: Final = frozenset({429, 502, 503})
"""Statuses that may be another one the next time; 504 says that the query takes too long."""

_SENTENCES: Final = {
    401: "it answers only to those whom it knows (401); give a token of its own by --token-file",
    403: "it does not let you ask this (403)",
    404: "there is no SPARQL endpoint at this address (404)",
    405: "it takes no queries by POST at this address (405)",
    406: "it has no format for the answer that is read here (406)",
    408: "it has not got the query in time (408)",
    413: "the query is too long for it (413)",
    414: "the query is too long for it (414)",
    415: "it takes no queries as a form (415)",
    429: "it is asked too often (429)",
    501: "it does not do this (501)",
    503: "it is busy, or down (503)",
    504: "the query takes longer than it allows (504)",
}
_PHRASES: Final = {int(status): status.phrase for status in HTTPStatus}
_LONGEST: Final = 300
"""Characters of a server's own words that are passed on."""

_TOLD: Final = ("detail", "message", "exception", "error", "title")
"""Where JSON says what is wrong: RFC 9457, and what QLever, GraphDB and others have."""


def refusal(status: int, said: str = "") -> str:
    """Return what *status* means, with the server's own words where there are any."""
    known = _SENTENCES.get(status)
    if known is None:
        known = f"it answers {status} {_PHRASES.get(status, '')}".rstrip()
    return f"{known}: {said}" if said else known


def words(content_type: str, content: bytes) -> str:
    """Return what a server says of itself, in one line; nothing where that is made for a browser.

    >>> words("application/json", b'{"exception": "no such prefix", "status": "ERROR"}')
    'no such prefix'
    """
    try:
        kind = MediaType.parse(content_type).essence
    except ValueError:
        return ""
    text = ""
    if kind.endswith("json"):
        text = _told(content)
    elif kind == "text/plain":
        text = content.decode("utf-8", "replace")
    line = next((visible(line.strip()) for line in text.splitlines() if line.strip()), "")
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"


def _told(content: bytes) -> str:
    try:
        problem = json.loads(content)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(problem, Mapping):
        return ""
    told = (problem.get(name) for name in _TOLD)
    return next((text for text in told if isinstance(text, str) and text), "")
