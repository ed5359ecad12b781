"""Which form a JSON text has: JSON Lines, or a document.

A document is one value, values one after another, or an array of values, over as many lines as it
likes. What a text is, its first lines tell, of which a broken one may be the first; its name counts
only where they leave it open.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kg.sources import json_stream, json_values
from kg.sources.json_values import JsonError

_LINES: Final = 8
"""How many lines are looked at, the long ones among them as far as the next figure."""

_LONG: Final = 4 * 1024 * 1024
_FEW: Final = 4
"""Lines that are looked at however long they are: a fault shows itself on the next one or two."""


def form(start: bytes, blocks: Iterator[bytes], *, named_lines: bool) -> tuple[bytes, bool]:
    """Return *start* with as much of *blocks* as was looked at, and whether it is JSON Lines.

    *named_lines* says that the name of the file promises them.
    """
    text, at_end = _beginning(start, blocks)
    content = text.lstrip()
    if not content or content.startswith(b"["):
        return text, named_lines and not content
    lines = content.split(b"\n")
    if not at_end:
        del lines[-1]  # it may go on
    looked_at = [line for line in lines if line.strip()][:_LINES]
    if not looked_at:  # one line, longer than any record
        return text, named_lines
    whole = [_is_value(line) for line in looked_at]
    if all(whole):
        return text, True
    if not _is_broken(b"\n".join(lines), at_end):
        return text, False
    pairs = zip(looked_at, whole, strict=True)
    return text, named_lines or any(line.startswith(b"{") and is_one for line, is_one in pairs)


def _beginning(start: bytes, blocks: Iterator[bytes]) -> tuple[bytes, bool]:
    """Return as much text as tells its form, and whether that is all of it."""
    pieces = [start]
    while not (content := pieces[-1].lstrip()):
        if not (block := next(blocks, b"")):
            return b"".join(pieces), True
        pieces.append(block)
    length, lines = len(content), content.count(b"\n")
    while not content.startswith(b"[") and not _is_enough(length, lines):
        if not (block := next(blocks, b"")):
            return b"".join(pieces), True
        pieces.append(block)
        length += len(block)
        lines += block.count(b"\n")
    return b"".join(pieces), False


def _is_enough(length: int, lines: int) -> bool:
    return lines >= _LINES or length > (_LONG if lines >= _FEW else json_values.LONGEST)


def _is_value(line: bytes) -> bool:
    try:
        json_values.decode(line.decode("utf-8", "replace"))  # a bad byte costs one line its record
    except JsonError:
        return False
    return True


def _is_broken(text: bytes, at_end: bool) -> bool:
    """Say whether *text* is no document, nor, where there is more of it, the beginning of one."""
    try:
        for _ in json_stream.stream([text]):
            pass
    except JsonError as error:
        return at_end or not error.is_cut
    return False
