r"""JSON Lines: one JSON value a line (https://jsonlines.org).

A line ends at ``\n`` and nowhere else: U+2028, U+0085 or a form feed inside a string is text. The
``\r`` of a CRLF is JSON white space. Blank lines count as lines and hold no value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kg.sources.json_values import LONGEST, JsonError, decode


@dataclass(frozen=True, slots=True)
class Line:
    """A line: its *number* from 1, the *offset* of its first byte, its bytes.

    *content* is None where the line is longer than any record may be.
    """

    number: int
    offset: int
    content: bytes | None


def lines(blocks: Iterable[bytes], offset: int = 0, *, longest: int = LONGEST) -> Iterator[Line]:
    """Yield the lines in *blocks*, blank ones left out; at most one block and line is held."""
    number, start = 1, offset
    pieces: list[bytes] = []
    length = 0
    for block in blocks:
        *ends, rest = block.split(b"\n")
        for end in ends:
            length += len(end)
            content = None if length > longest else b"".join((*pieces, end))
            if content is None or content.strip(b" \t\r"):
                yield Line(number, start, content)
            number, start, length = number + 1, start + length + 1, 0
            pieces.clear()
        length += len(rest)
        if length > longest:
            pieces.clear()
        else:
            pieces.append(rest)
    content = None if length > longest else b"".join(pieces)
    if content is None or content.strip(b" \t\r"):
        yield Line(number, start, content)


def value(line: Line) -> object:
    """Return the JSON value of a *line*; raises :class:`JsonError` with its line and column."""
    if line.content is None:
        reason = f"a line of more than {LONGEST} bytes is no record"
        raise JsonError(reason, line.number, 1)
    try:
        text = line.content.decode("utf-8")
    except UnicodeDecodeError as error:
        column = len(line.content[: error.start].decode("utf-8")) + 1
        reason = f"invalid UTF-8 at byte {line.offset + error.start}"
        raise JsonError(reason, line.number, column) from None
    try:
        return decode(text)
    except JsonError as error:
        raise JsonError(error.reason, line.number, error.column) from None
