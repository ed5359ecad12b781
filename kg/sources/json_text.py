"""JSON text that comes in blocks of bytes, and the place reached in it."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable
from typing import Final

from kg.sources import json_values
from kg.sources.json_values import DECODER, TOO_DEEP, JsonError, sentence

_BLANK: Final = re.compile(r"[ \t\n\r]*")
_BAD: Final = re.compile("[\udc80-\udcff]")
# A value cut off by the end of a block is reported at most this far before the end: the longest
# piece that is one token to the decoder is ``-Infinity`` or two ``\\uHHHH`` escapes.
_CUT_WITHIN: Final = 16
_OPEN_STRING: Final = "Unterminated string"
_CUT_ESCAPE: Final = re.compile("u[0-9a-fA-F]{0,4}")
_CUT_NUMBER: Final = re.compile(r"\.|[eE][+-]?")
_WORDS: Final = ("true", "false", "null", "-")
"""What begins with nothing, or with what the end of a text may leave of it."""


class Text:
    """Text decoded from UTF-8 *blocks* as it is needed; *offset* is that of the first byte.

    A byte that is no UTF-8 stands in the text as Python's ``surrogateescape`` has it (PEP 383),
    and costs the value that holds it.
    """

    def __init__(self, blocks: Iterable[bytes], offset: int) -> None:
        self._blocks = iter(blocks)
        self._rest = b""  # the bytes of a character that the next block goes on with
        self._offset = offset  # of the first byte of _rest in the file
        self._ended = False
        self._has_bad = False
        self._lines = 0  # whole lines before the text
        self._columns = 0  # characters of its first line before the text
        self.text = ""
        self.position = 0
        self.start = 0  # of the value taken last

    def error(self, reason: str, position: int | None = None, *, is_cut: bool = False) -> JsonError:
        """Return the error for a fault at *position*, by default the place reached."""
        position = self.position if position is None else position
        if self._has_bad and _BAD.match(self.text, position):
            reason, is_cut = self._bad_byte(position), False
        lines, column = self.place(position)
        return JsonError(reason, lines + 1, column + 1, is_cut=is_cut)

    def _bad_byte(self, position: int) -> str:
        behind = len(self.text[position:].encode("utf-8", "surrogateescape"))
        return f"invalid UTF-8 at byte {self._offset - behind}"

    def place(self, position: int) -> tuple[int, int]:
        """Return how many lines, and characters of its line, stand before *position*."""
        lines = self.text.count("\n", 0, position)
        if lines:
            return self._lines + lines, position - self.text.rindex("\n", 0, position) - 1
        return self._lines, self._columns + position

    def more(self) -> bool:
        """Take in at least as much text again as is there; return False at the end of all text.

        What stands before the place reached is let go of. Doubling keeps the work for one value in
        proportion to its length.
        """
        if self._ended:
            return False
        wanted = max(1, len(self.text) - self.position)
        if wanted > json_values.LONGEST:
            raise self.error(f"a value of more than {json_values.LONGEST} characters is no record")
        self._lines, self._columns = self.place(self.position)
        pieces = [self.text[self.position :]]
        self.position = 0
        while wanted > 0 and not self._ended:
            pieces.append(self._decoded(next(self._blocks, b"")))
            wanted -= len(pieces[-1])
        self.text = "".join(pieces)
        return True

    def _decoded(self, block: bytes) -> str:
        self._ended = not block
        data = self._rest + block
        try:
            text, used = codecs.utf_8_decode(data, "strict", self._ended)
        except UnicodeDecodeError:
            self._has_bad = True
            text, used = codecs.utf_8_decode(data, "surrogateescape", self._ended)
        self._offset += used
        self._rest = data[used:]
        return text

    def next_character(self) -> str:
        """Return the next character that is not blank, without taking it; ``""`` at the end."""
        while True:
            match = _BLANK.match(self.text, self.position)
            self.position = match.end() if match else self.position
            if self.position < len(self.text):
                return self.text[self.position]
            if not self.more():
                return ""

    def value(self) -> object:
        """Take the value that begins here; return an error in its place for one with a bad byte.

        Raises :class:`JsonError` for what is no value, and takes nothing then.
        """
        while True:
            try:
                value, end = DECODER.raw_decode(self.text, self.position)
            except json.JSONDecodeError as error:
                if self._may_be_cut(error) and self.more():
                    continue
                at_end = self._ended and _is_begun(self.text[error.pos :], error.msg)
                reason = "the text ends inside a value" if at_end else sentence(error.msg)
                is_cut = at_end or (self._ended and error.msg.startswith(_OPEN_STRING))
                raise self.error(reason, error.pos, is_cut=is_cut) from None
            except RecursionError:
                raise self.error(TOO_DEEP) from None
            # "12" may go on as "123", "12.5" or "12e+5"; the other values have an end of their own.
            if end > len(self.text) - 4 and self.text[end - 1] not in '}]"' and self.more():
                continue
            bad = _BAD.search(self.text, self.position, end) if self._has_bad else None
            fault = self.error("", bad.start()) if bad else None
            self.start, self.position = self.position, end
            return fault or value

    def _may_be_cut(self, error: json.JSONDecodeError) -> bool:
        return error.pos >= len(self.text.rstrip()) - _CUT_WITHIN or error.msg.startswith(
            _OPEN_STRING
        )


def _is_begun(rest: str, said: str) -> bool:
    """Say whether *rest*, at which the decoder *said* that it cannot go on, may be half a token."""
    if said.startswith("Invalid \\u"):
        return _CUT_ESCAPE.fullmatch(rest) is not None
    if said.startswith("Expecting ','") and _CUT_NUMBER.fullmatch(rest):
        return True
    return any(word.startswith(rest) for word in _WORDS)
