"""Pages that took long to make, kept for whoever asks for them next: a snapshot does not change."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from typing import Final, TypeAlias

from kg.protocol import Request, Response, Whole

_CAPACITY: Final = 16 << 20
"""Bytes of content that are kept together; what was asked for least recently goes first."""
_LARGEST: Final = 1 << 20
_LONG: Final = 0.02
"""Seconds of making, from which on a page is worth its room."""
_LONGEST: Final = 1_000
"""Characters of an address and an Accept header that are worth remembering."""

_Key: TypeAlias = tuple[str, str | None, str, bytes, tuple[str, ...]]


class Kept:
    """Answers to requests that only read, by what they depend on beside the snapshot."""

    def __init__(self, *, long: float = _LONG, capacity: int = _CAPACITY) -> None:
        self._long = long
        self._capacity = capacity
        self._kept: OrderedDict[_Key, tuple[Mapping[str, str], bytes]] = OrderedDict()
        self._size = 0

    async def answer(self, request: Request, make: Callable[[], Awaitable[Response]]) -> Response:
        """Return the answer to *request*: what is kept, or what *make* makes now."""
        server = (request.scheme, request.header("host"))
        accept = tuple(request.lines("accept"))
        key = (*server, request.path, request.query_string, accept)
        kept = self._kept.get(key)
        if kept is not None:
            self._kept.move_to_end(key)
            return Response(200, kept[0], Whole(kept[1]))
        begun = time.perf_counter()
        response = await make()
        took = time.perf_counter() - begun
        body = response.body
        is_worth_it = took >= self._long and response.status == 200 and "ETag" in response.headers
        is_small = len(f"{key}") <= _LONGEST
        if is_worth_it and is_small and isinstance(body, Whole) and body.size <= _LARGEST:
            content = body.take()
            self._keep(key, response.headers, content)
            return Response(200, response.headers, Whole(content))
        return response

    def _keep(self, key: _Key, headers: Mapping[str, str], content: bytes) -> None:
        if key in self._kept:  # it was made twice at once
            return
        self._kept[key] = (headers, content)
        self._size += len(content)
        while self._size > self._capacity:
            _, (_, dropped) = self._kept.popitem(last=False)
            self._size -= len(dropped)
