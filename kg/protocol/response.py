"""An HTTP response, as a value."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol, Self


class Body(Protocol):
    """The bytes of a body as they come; whoever does not read it to its end closes it."""

    def __aiter__(self) -> Self: ...

    async def __anext__(self) -> bytes: ...

    async def aclose(self) -> None:
        """Let go of what makes the bytes."""
        ...


class Whole:
    """A body that is there already."""

    def __init__(self, content: bytes = b"") -> None:
        self._left = [content] if content else []

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        if not self._left:
            raise StopAsyncIteration
        return self._left.pop()

    async def aclose(self) -> None:
        """Drop what is left."""
        self._left.clear()

    @property
    def size(self) -> int:
        """How many bytes are left."""
        return sum(map(len, self._left))

    def take(self) -> bytes:
        """Return all of it, without waiting; there is nothing left then."""
        return self._left.pop() if self._left else b""


def entity_tag(content: bytes) -> str:
    """Return a validator of *content* (RFC 9110, section 8.8.3), which changes when it does.

    A weak one: the same content goes in several codings.
    """
    return f'W/"{hashlib.sha256(content).hexdigest()[:32]}"'


@dataclass(frozen=True, slots=True)
class Response:
    """Status, headers and body. A header's name is written as it is to be sent.

    If *body* raises, the response cannot be completed and the connection is to be broken.
    """

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Body = field(default_factory=Whole)

    @classmethod
    def of(
        cls,
        content: bytes,
        content_type: str,
        *,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
    ) -> Self:
        """Return a response whose content is there already."""
        known = {"Content-Type": content_type, "Content-Length": str(len(content))}
        return cls(status, {**known, **(headers or {})}, Whole(content))

    def with_headers(self, headers: Mapping[str, str]) -> Response:
        """Return this response with *headers* added."""
        return Response(self.status, {**self.headers, **headers}, self.body)

    async def without_body(self) -> Response:
        """Return this response as the answer to HEAD (RFC 9110, section 9.3.2)."""
        await self.body.aclose()
        return Response(self.status, self.headers)
