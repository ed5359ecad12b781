"""What every response goes through before it is sent: conditions, codings, HEAD, and headers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from kg.protocol import dumps
from kg.protocol.cache import KeptBody
from kg.protocol.coding import CODINGS, IDENTITY, SMALL, Packed, coding, packed
from kg.protocol.problem import ProblemError
from kg.protocol.request import Request
from kg.protocol.response import Response, Whole

# Every answer, errors too: pages of other origins may read it (WHATWG Fetch, section 3.2), and
# nobody takes it for what it is not or runs it, though text of the request may come back in it.
_ALWAYS: Final = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, Link, Retry-After, WWW-Authenticate, X-SPARQL-MaxRows",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    "X-Content-Type-Options": "nosniff",
}
_ENTITY_TAG: Final = re.compile(r'(?:W/)?("[^"]*")')
_PACKED: Final = (dumps.MEDIA_TYPE,)
_CACHE_CONTROL: Final = "Cache-Control"
# RFC 9110, section 15.4.5; and who keeps an answer may take the rest of its headers from a 304
# (RFC 9111, section 3.2), so that what holds of a page must be said of it again.
_OF_KEPT: Final = (
    *(_CACHE_CONTROL, "Content-Location", "ETag", "Vary"),
    *("Content-Security-Policy", "Referrer-Policy"),
)
"""The headers of an answer that are sent with the word that it is still the same."""


async def finished(request: Request, response: Response, *, is_private: bool = False) -> Response:
    """Return *response* as it is to be sent to whoever made *request*.

    With *is_private* nobody else may keep it.
    """
    if response.status == 200:
        tag = response.headers.get("ETag")
        if tag is not None and _has(request, tag):
            await response.body.aclose()
            headers = {n: response.headers[n] for n in _OF_KEPT if n in response.headers}
            response = Response(304, {**headers, "Vary": _vary(headers)})
        else:
            response = await _coded(request, response)
    headers = {**_ALWAYS, **response.headers}
    if is_private and _CACHE_CONTROL in headers:
        headers[_CACHE_CONTROL] = f"private, {headers[_CACHE_CONTROL]}"
    response = Response(response.status, headers, response.body)
    return await response.without_body() if request.method == "HEAD" else response


async def _coded(request: Request, response: Response) -> Response:
    """Return *response* in the coding that the client wants, if it is worth one."""
    if response.headers.get("Content-Type") in _PACKED:
        return response
    body = response.body
    is_small = isinstance(body, Whole) and body.size < SMALL
    name = coding(tuple(request.lines("accept-encoding")), is_small=is_small)
    if name is None:
        await body.aclose()
        problem = ProblemError(
            406,
            f"the answer comes as it is, or packed by {' or '.join(CODINGS)}",
            members={"offered": [*CODINGS, IDENTITY]},
        )
        return problem.response(request.lines("accept"))
    headers = {**response.headers, "Vary": _vary(response.headers)}
    if name != IDENTITY:
        headers["Content-Encoding"] = name
        if isinstance(body, KeptBody):
            body = Whole(await body.coded(name))
        elif isinstance(body, Whole):
            body = Whole(await packed(body.take(), name))
        else:
            body = Packed(body, name)
    if isinstance(body, Whole):
        headers["Content-Length"] = str(body.size)
    return Response(response.status, headers, body)


def _vary(headers: Mapping[str, str]) -> str:
    """Return the value of Vary for what depends on Accept-Encoding too."""
    return ", ".join(filter(None, (headers.get("Vary"), "Accept-Encoding")))


def _has(request: Request, entity_tag: str) -> bool:
    """Say whether If-None-Match names *entity_tag*, by weak comparison (section 13.1.2)."""
    if request.method not in ("GET", "HEAD"):
        return False
    condition = request.header("if-none-match") or ""
    known = _ENTITY_TAG.findall(condition)
    return condition.strip() == "*" or entity_tag.removeprefix("W/") in known
