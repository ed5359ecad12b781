"""``/dumps/NAME``: the files of the snapshot, for whoever wants all of it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final, Self

from kg.protocol.problem import ProblemError
from kg.protocol.response import Response
from kg.protocol.service import Service

MEDIA_TYPE: Final = "application/gzip"
_AT_ONCE: Final = 1 << 18


def dump(name: str, service: Service) -> Response:
    """Return the response that the file called *name* is.

    Raises :class:`ProblemError` where there is none.
    """
    path = service.dumps.get(name)
    try:
        if path is None:
            raise FileNotFoundError
        file = _File(path)
    except FileNotFoundError:
        has = ", ".join(service.dumps) or "none"
        raise ProblemError(404, f"there is no dump of this name; there are: {has}") from None
    headers = {
        "Content-Type": MEDIA_TYPE,
        "Content-Length": str(file.size),
        "Content-Disposition": f'attachment; filename="{name}"',
        "Cache-Control": "no-cache",
        "ETag": f'"{service.snapshot}-{name}"',
    }
    return Response(200, headers, file)


class _File:
    """The bytes of a file, read while they are sent.

    Raises FileNotFoundError where there is none.
    """

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb", buffering=0)
        self.size = path.stat().st_size

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        piece = await asyncio.to_thread(self._file.read, _AT_ONCE)
        if not piece:
            raise StopAsyncIteration
        return piece

    async def aclose(self) -> None:
        """Close the file."""
        self._file.close()
