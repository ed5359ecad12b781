"""JSON values out of text: one whole text, or a stream of texts read block by block.

RFC 8259, with Python's ``NaN``, ``Infinity`` and ``-Infinity`` besides. Numbers are kept as their
text (:class:`~kg.values.Number`), so no digit is lost and none is too many. An object that repeats
a key is an :class:`Object`, so that its reader can refuse it.
"""

from __future__ import annotations

import codecs
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from kg.values import Number

LONGEST: Final = 64 * 1024 * 1024
"""The longest single value, in characters: one record fits into memory, a broken file may not."""

_BLANK: Final = re.compile(r"[ \t\n\r]*")
# A value cut off by the end of a block is reported at most this far before the end: the longest
# piece that is one token to the decoder is ``-Infinity`` or two ``\uHHHH`` escapes.
_CUT_WITHIN: Final = 16
_OPEN_STRING: Final = "Unterminated string"


class JsonError(Exception):
    """A text is no JSON; *line* and *column* count from 1, *reason* is without them.

    *is_cut* says that it is the beginning of one.
    """

    def __init__(self, reason: str, line: int, column: int, *, is_cut: bool = False) -> None:
        super().__init__(f"line {line}, column {column}: {reason}")
        self.reason = reason
        self.line = line
        self.column = column
        self.is_cut = is_cut


class Object(dict[str, object]):
    """A JSON object that says a key more than once; the last value of each key is kept."""

    def __init__(self, pairs: Iterable[tuple[str, object]], duplicates: tuple[str, ...]) -> None:
        super().__init__(pairs)
        self.duplicates = duplicates


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    count = Counter(key for key, _ in pairs)
    return Object(pairs, tuple(key for key, times in count.items() if times > 1))


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_object, parse_float=Number, parse_int=Number, parse_constant=Number
)
_OPEN_ARRAY: Final = "the text ends inside the array"
_TOO_DEEP: Final = "the value is nested too deep"


def _sentence(message: str) -> str:
    """Return a message of the decoder as the beginning of a sentence of ours."""
    return message[:1].lower() + message[1:].removesuffix(" starting at").removesuffix(" at")


def decode(text: str) -> object:
    """Return the value of a *text* that is one whole JSON value; raises :class:`JsonError`.

    >>> decode('{"a": [1.50, NaN]}')
    {'a': ['1.50', 'NaN']}
    """
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise JsonError(_sentence(error.msg), error.lineno, error.colno) from None
    except RecursionError:
        raise JsonError(_TOO_DEEP, 1, 1) from None


class _Text:
    """Text decoded from UTF-8 blocks as it is needed, with the place reached in it."""

    def __init__(self, blocks: Iterable[bytes], offset: int) -> None:
        self._blocks = iter(blocks)
        self._rest = b""  # the bytes of a character that the next block goes on with
        self._offset = offset  # of the first byte of _rest in the file
        self._ended = False
        self._invalid: str | None = None
        self._lines = 0  # whole lines before the text
        self._columns = 0  # characters of its first line before the text
        self.text = ""
        self.position = 0

    def error(self, reason: str, position: int | None = None, *, is_cut: bool = False) -> JsonError:
        position = self.position if position is None else position
        lines, column = self._place(position)
        return JsonError(reason, lines + 1, column + 1, is_cut=is_cut)

    def _place(self, position: int) -> tuple[int, int]:
        lines = self.text.count("\n", 0, position)
        if lines:
            return self._lines + lines, position - self.text.rindex("\n", 0, position) - 1
        return self._lines, self._columns + position

    def more(self) -> bool:
        """Take in at least as much text again as is there; return False at the end of all text.

        Doubling keeps the work for one value in proportion to its length.
        """
        if self._invalid:
            raise self.error(self._invalid, len(self.text))
        if self._ended:
            return False
        self._lines, self._columns = self._place(self.position)
        pieces = [self.text[self.position :]]
        self.position = 0
        wanted = max(1, len(pieces[0]))
        if wanted > LONGEST:
            raise self.error(f"a value of more than {LONGEST} characters is no record")
        while wanted > 0 and not self._ended and not self._invalid:
            pieces.append(self._decoded(next(self._blocks, b"")))
            wanted -= len(pieces[-1])
        self.text = "".join(pieces)
        return True

    def _decoded(self, block: bytes) -> str:
        self._ended = not block
        data = self._rest + block
        try:
            text, used = codecs.utf_8_decode(data, "strict", self._ended)
        except UnicodeDecodeError as error:
            # What stands before it is good, and the records in it are kept.
            text, used = codecs.utf_8_decode(data[: error.start], "strict", True)
            self._invalid = f"invalid UTF-8 at byte {self._offset + error.start}"
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
        """Take the value that begins here."""
        while True:
            try:
                value, end = _DECODER.raw_decode(self.text, self.position)
            except json.JSONDecodeError as error:
                if self._may_be_cut(error) and self.more():
                    continue
                at_end = self._ended and error.pos >= len(self.text)
                reason = "the text ends inside a value" if at_end else _sentence(error.msg)
                is_cut = at_end or (self._ended and error.msg.startswith(_OPEN_STRING))
                raise self.error(reason, error.pos, is_cut=is_cut) from None
            except RecursionError:
                raise self.error(_TOO_DEEP) from None
            # "12" may go on as "123", "12.5" or "12e+5"; the other values have an end of their own.
            if end > len(self.text) - 4 and self.text[end - 1] not in '}]"' and self.more():
                continue
            self.position = end
            return value

    def _may_be_cut(self, error: json.JSONDecodeError) -> bool:
        return error.pos >= len(self.text.rstrip()) - _CUT_WITHIN or error.msg.startswith(
            _OPEN_STRING
        )


def stream(blocks: Iterable[bytes], offset: int = 0) -> Iterator[object]:
    """Yield the values of a JSON text in UTF-8 that comes in *blocks* of bytes of any length.

    The elements of a top-level array are yielded one by one; texts may follow each other
    (concatenated JSON). No more than one value and one block is held. *offset* is the place of
    the first byte in its file. Raises :class:`JsonError` after the values before the fault.
    """
    text = _Text(blocks, offset)
    while character := text.next_character():
        if character == "[":
            yield from _elements(text)
        else:
            yield text.value()


def _elements(text: _Text) -> Iterator[object]:
    text.position += 1
    if text.next_character() == "]":
        text.position += 1
        return
    while True:
        if not text.next_character():
            raise text.error(_OPEN_ARRAY, is_cut=True)
        yield text.value()
        character = text.next_character()
        if character not in (",", "]"):
            reason = "expecting ',' or ']' in the array" if character else _OPEN_ARRAY
            raise text.error(reason, is_cut=not character)
        text.position += 1
        if character == "]":
            return
