"""Solutions counted in the bytes of a results document, as the engine writes them.

The engine tells nobody how many solutions it has written, and handing them to Python one by one
takes ten times as long. Looking through the bytes takes less time than the engine does to write
them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

Count = Callable[[bytes], int]
"""Is given the pieces of one document in order, and returns how many solutions have begun so far.

For CSV and TSV, how many have ended.
"""


def counting(media_type: str) -> Count:
    """Return what counts the solutions of a document of *media_type*, one of those on offer."""
    for end, make in _BY_END.items():
        if media_type.endswith(end):
            return make()
    raise ValueError(f"the solutions of {media_type} cannot be counted")


class _Marks:
    """Counts a mark that stands nowhere but where a solution is, less *others*."""

    def __init__(self, mark: bytes, others: int = 0) -> None:
        self._mark = mark
        self._before = b""
        self.count = -others

    def __call__(self, piece: bytes) -> int:
        seen = self._before + piece
        self.count += seen.count(self._mark)
        kept = len(self._mark) - 1  # a mark may stand across two pieces
        self._before = seen[-kept:] if kept else b""
        return max(self.count, 0)


class _Quotes:
    """Passes on what stands outside of double quotes; a quote doubled inside is two of them."""

    def __init__(self, count: Count) -> None:
        self._count = count
        self._is_inside = False

    def __call__(self, piece: bytes) -> int:
        parts = piece.split(b'"')
        outside = b"".join(parts[self._is_inside :: 2])
        self._is_inside ^= len(parts) % 2 == 0
        return self._count(outside)


class _Escapes:
    """Passes on the text of JSON without the backslashes and quotes that are escaped in it."""

    def __init__(self, count: Count) -> None:
        self._count = count
        self._before = b""

    def __call__(self, piece: bytes) -> int:
        # Pairs of backslashes first: what then stands before a quote escapes it.
        seen = (self._before + piece).replace(rb"\\", b"")
        cut = len(seen) - seen.endswith(b"\\")
        self._before = seen[cut:]
        return self._count(seen[:cut].replace(rb"\"", b""))


def _json() -> Count:
    # Outside of strings "[{" and ",{" begin a solution, and nothing else does.
    first, further = _Marks(b"[{"), _Marks(b",{")
    return _Escapes(_Quotes(lambda piece: first(piece) + further(piece)))


_BY_END: Final[dict[str, Callable[[], Count]]] = {
    "json": _json,
    "xml": lambda: _Marks(b"<result>"),
    "csv": lambda: _Quotes(_Marks(b"\n", others=1)),
    "tab-separated-values": lambda: _Marks(b"\n", others=1),
}
