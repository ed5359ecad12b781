"""JSON values out of blocks of bytes, one at a time, past faults where that is sound.

A fault ends the reading, but for one: between the elements of an array whose elements begin on
lines of their own. A string holds no line break (RFC 8259, section 7), so in a text that is laid
out evenly a line that begins as those of the elements do is the beginning of an element, whatever
stands before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from kg.sources.json_text import Text
from kg.sources.json_values import JsonError, decode

_OPEN_ARRAY: Final = "the text ends inside the array"
_LOOKED_AT: Final = 100
"""Elements at the beginning of an array that show how it is laid out."""


def stream(blocks: Iterable[bytes], offset: int = 0) -> Iterator[object]:
    """Yield the values of a JSON text in UTF-8 that comes in *blocks* of bytes of any length.

    The elements of a top-level array are yielded one by one; texts may follow each other
    (concatenated JSON). A value that cannot be read, of which it is known where it ends, is a
    :class:`JsonError` in its place. No more than one value and one block is held. *offset* is the
    place of the first byte in its file. Raises :class:`JsonError` after the values before the
    fault, or at the end for the first fault that was passed.
    """
    text = Text(blocks, offset)
    first: JsonError | None = None
    while character := text.next_character():
        if character == "[":
            array = _Array(text)
            yield from array
            first = first or array.passed
        else:
            yield text.value()
    if first is not None:
        first.is_passed = True
        raise first


class _Array:
    """The elements of the array that begins at the place reached in *text*.

    *passed* is the first fault that was passed.
    """

    def __init__(self, text: Text) -> None:
        self._text = text
        self._layout = _Layout(text)
        self.passed: JsonError | None = None

    def __iter__(self) -> Iterator[object]:
        text, layout = self._text, self._layout
        text.position += 1
        if text.next_character() == "]":
            text.position += 1
            return
        while True:
            try:
                value = self._element()
            except JsonError as error:
                if error.is_cut or not layout.find_next():
                    raise
                self.passed = self.passed or error
                yield error
                continue
            yield value
            try:
                if self._separator() == "]":
                    return
            except JsonError as error:
                is_next = not error.is_cut and layout.begins_here()
                if not is_next and (error.is_cut or not layout.find_next()):
                    raise
                self.passed = self.passed or error
                if not is_next:  # something stood there that was no element
                    yield error

    def _element(self) -> object:
        if not self._text.next_character():
            raise self._text.error(_OPEN_ARRAY, is_cut=True)
        self._layout.begin()
        value = self._text.value()
        self._layout.end()
        return value

    def _separator(self) -> str:
        """Take the comma, or the bracket, that stands behind an element."""
        character = self._text.next_character()
        if character not in (",", "]"):
            reason = "expecting ',' or ']' in the array" if character else _OPEN_ARRAY
            raise self._text.error(reason, is_cut=not character)
        self._text.position += 1
        return character


class _Layout:
    """How the elements of an array stand in its lines, to find the next one behind a fault.

    The first ones show it. Elements that begin at the edge say nothing by that, since the objects
    inside them may, too; of those, one is found only where it is a whole line.
    """

    def __init__(self, text: Text) -> None:
        self._text = text
        self._line = text.place(text.position)[0]  # where the element before ends
        self._seen = 0
        self._indent: int | None = None
        self._is_even = True

    @property
    def _mark(self) -> re.Pattern[str]:
        return re.compile(rf"\n[ \t]{{{self._indent or 0}}}\{{")

    def begin(self) -> None:
        """Look at the place where an element begins."""
        text = self._text
        if self._seen < _LOOKED_AT and text.text.startswith("{", text.position):
            line, column = text.place(text.position)
            if line > self._line:
                self._indent = column if self._indent is None else self._indent
                self._is_even &= column == self._indent

    def end(self) -> None:
        """Look at an element, at the end of which the text stands."""
        if self._seen < _LOOKED_AT:
            self._seen += 1
            text = self._text
            self._line = text.place(text.position)[0]
            if self._mark.search(text.text, text.start, text.position):
                self._is_even = False

    def begins_here(self) -> bool:
        """Say whether the place reached is the beginning of an element."""
        text = self._text
        line, column = text.place(text.position)
        here = text.text.startswith("{", text.position)
        return here and line > self._line and column == self._indent and self._is_sound()

    def find_next(self) -> bool:
        """Go on to where the next element begins; return False where it cannot be known."""
        text = self._text
        text.position = min(text.position + 1, len(text.text))
        while self._is_even:
            if match := self._mark.search(text.text, text.position):
                text.position = match.end() - 1
                if self._is_sound():
                    return True
            else:  # what is left may be the beginning of one
                kept = (self._indent or 0) + 1
                text.position = max(text.position, len(text.text) - kept)
                if not text.more():
                    return False
        return False

    def _is_sound(self) -> bool:
        """Say whether what begins at the place reached, as elements do, is one."""
        if not self._is_even or self._indent:
            return self._is_even
        text = self._text
        while (end := text.text.find("\n", text.position)) < 0 and text.more():
            pass
        line = text.text[text.position : end if end >= 0 else None]
        try:
            value = decode(line.rstrip(",] \t\r"))
        except JsonError:
            return False
        return isinstance(value, dict) and value != {}
