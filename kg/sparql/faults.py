"""A fault in a text: one sentence, its line and column, and that line with a mark below it."""

from __future__ import annotations

import unicodedata
from typing import Final

from rich.cells import cell_len

from kg.errors import QueryError

_WINDOW: Final = 72
"""How much of a long line is shown, in characters."""

_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode categories that would move or hide the mark."""


def fault(text: str, offset: int, sentence: str, *, hint: str = "") -> QueryError:
    """Return the error that says *sentence* about the character of *text* at *offset*.

    Lines and columns count from 1, columns in characters.

    >>> print(fault("ASK {foo:a ?p 1}", 5, "prefix foo: is not declared"))
    prefix foo: is not declared (line 1, column 6)
      ASK {foo:a ?p 1}
           ^
    """
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", start)
    line, column = text.count("\n", 0, offset) + 1, offset - start + 1
    shown, mark = _excerpt(text[start:] if end < 0 else text[start:end], column - 1)
    place = f"(line {line}, column {column})"
    return QueryError(
        f"{sentence} {place}{'; ' if hint else ''}{hint}\n  {shown}\n  {mark}",
        line=line,
        column=column,
    )


def _excerpt(line: str, index: int) -> tuple[str, str]:
    """Cut *line* to a window around *index*; return it and the line with the mark."""
    start = max(0, min(index - _WINDOW // 2, len(line) - _WINDOW))
    window = line[start : start + _WINDOW].rstrip("\r")
    shown = "".join(
        " " if c == "\t" else "\ufffd" if unicodedata.category(c) in _HIDDEN else c for c in window
    )
    before = "…" if start else ""
    after = "…" if start + _WINDOW < len(line) else ""
    return (
        f"{before}{shown}{after}",
        " " * cell_len(before + shown[: index - start]) + "^",
    )
