"""Reading the fields of a record: typed, checked, and nothing overlooked.

A :class:`Fields` stands on one JSON object and hands out its values by key. It tells ``null``,
``""`` and a missing key apart where that matters, refuses what is of the wrong type with a
:class:`~kg.errors.RecordError` that names the key path, and knows at the end which keys nobody
asked for.

All three of ``null``, ``""`` and missing mean "the source says nothing" to :meth:`Fields.text`,
which is what an optional property wants. Where the empty text is itself a value (a raw metric,
an empty name), :meth:`Fields.name` keeps it apart from the other two.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TypeVar

from kg import values
from kg.errors import RecordError
from kg.findings import Finding, FindingKind
from kg.sources.json_values import JsonError, decode, from_pairs

T = TypeVar("T")


class Fields:
    """The fields of one JSON object at key path *path* (empty for the record itself).

    *value* is the decoded JSON; anything but an object is refused, and so is an object that
    names one key twice, since one of the two values would be lost.
    """

    __slots__ = ("_asked", "_findings", "_path", "_value")

    def __init__(self, value: object, path: str, findings: list[Finding]) -> None:
        if not isinstance(value, dict):
            raise RecordError(f"expected an object, found {describe(value)}", field=path or None)
        if twice := getattr(value, "duplicates", ()):
            raise RecordError(
                "the key stands twice in one object; keep one of the two",
                field=_join(path, twice[0]),
            )
        self._value = value
        self._path = path
        self._findings = findings
        self._asked: set[str] = set()

    def at(self, key: str) -> str:
        """Return the key path of *key*."""
        return _join(self._path, key)

    def raw(self, key: str) -> object:
        """Return the value at *key* as it is; None where there is none."""
        self._asked.add(key)
        return self._value.get(key)

    def note(self, kind: FindingKind, key: str, message: str) -> None:
        """Add a finding about *key*."""
        self._findings.append(Finding(kind, self.at(key), message))

    def refusal(self, key: str, reason: str) -> RecordError:
        """Return the error that refuses the record for the value at *key*."""
        return RecordError(reason, field=self.at(key))

    def name(self, key: str) -> str | None:
        """Return a text that may be empty; None where it is null or missing."""
        value = self.raw(key)
        if value is None:
            return None
        if not isinstance(value, str):
            raise self.refusal(key, f"expected a text, found {describe(value)}")
        return self._scalar(key, value)

    def text(self, key: str) -> str | None:
        """Return a text; None where it is null, empty or missing: the source says nothing."""
        return self.name(key) or None

    def required(self, key: str) -> str:
        """Return a text that must be there."""
        text = self.text(key)
        if text is None:
            found = "an empty text" if self._value.get(key) == "" else "nothing"
            raise self.refusal(key, f"a text is required here, found {found}")
        return text

    def address(self, key: str) -> str | None:
        """Return the address that a link is; where it has none, that is noted."""
        text = self.text(key)
        if text is None:
            self.note(FindingKind.ODD_VALUE, key, "a link without an address; left out")
        return text

    def matching(self, key: str, pattern: str, meaning: str) -> str:
        """Return a text that must be there and match the regular expression *pattern*."""
        text = self.required(key)
        if not re.fullmatch(pattern, text):
            raise self.refusal(key, f"expected {meaning}, found {describe(text)}")
        return text

    def scalar(self, key: str) -> str | None:
        """Return a text, number or boolean as its text; None where the source says nothing."""
        value = self.raw(key)
        if isinstance(value, bool):
            return "true" if value else "false"
        return self.text(key)

    def flag(self, key: str) -> str | None:
        """Return ``true``, ``false`` or None; null is not false (MAP-06)."""
        value = self.raw(key)
        if value is None or value == "":
            return None
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, str) and (read := values.boolean(value)):
            return read
        raise self.refusal(key, f"expected 1, 0, true or false, found {describe(value)}")

    def integer(self, key: str) -> str | None:
        """Return a canonical count, or None where there is none."""
        value = self.raw(key)
        if value is None or value == "":
            return None
        read = values.integer(value) if isinstance(value, str) else None
        if read is None or read.startswith("-"):
            raise self.refusal(key, f"expected a whole number from 0 up, found {describe(value)}")
        return read

    def one(self, key: str, read: Callable[[Fields], T]) -> T | None:
        """Read the object at *key*, or return None where there is none."""
        value = self.raw(key)
        if is_nothing(value):
            return None
        return self._read(value, self.at(key), read)

    def many(self, key: str, read: Callable[[Fields], T | None]) -> tuple[T, ...]:
        """Read the objects of the list at *key*; those of which nothing was left are left out."""
        path = self.at(key) + "[]"
        found = []
        for value in self._list(key):
            if value is None:
                self._findings.append(Finding(FindingKind.ODD_VALUE, path, "null; left out"))
            elif (thing := self._read(value, path, read)) is not None:
                found.append(thing)
        return tuple(found)

    def texts(self, key: str) -> tuple[str, ...]:
        """Return the texts of the list at *key*, empty ones included."""
        found = []
        for value in self._list(key):
            if not isinstance(value, str):
                raise self.refusal(f"{key}[]", f"expected a text, found {describe(value)}")
            found.append(self._scalar(key, value))
        return tuple(found)

    def entries(self, key: str) -> Iterator[tuple[str, object]]:
        """Return the entries of the open map at *key*, whose keys are data themselves."""
        value = self.raw(key)
        if is_nothing(value):
            return
        if not isinstance(value, dict):
            raise self.refusal(key, f"expected an object, found {describe(value)}")
        if twice := getattr(value, "duplicates", ()):
            raise self.refusal(key, f"the key {twice[0]!r} stands twice; keep one of the two")
        for name, entry in value.items():
            yield self._scalar(key, name), entry

    def pairs(self, key: str) -> Iterator[tuple[str, object]]:
        """Return the entries of the open map at *key*, also where it came as pairs or as a text.

        A pair is ``[key, value]`` or ``{"key": …, "value": …}``, a text is one of all these in
        JSON.
        """
        value = self.raw(key)
        if isinstance(value, str) and not isinstance(value, values.Number) and value:
            try:
                value = decode(value)
            except JsonError:
                reason = "expected an object, found a text that is none in JSON"
                raise self.refusal(key, reason) from None
        if isinstance(value, list):
            pairs = [_pair(entry) for entry in value]
            found = [pair for pair in pairs if pair is not None]
            if len(found) < len(pairs):
                raise self.refusal(key, "expected an object, found a list that is not of pairs")
            value = from_pairs(found)
        holder = Fields({key: value}, self._path, self._findings)
        yield from holder.entries(key)

    def entry_text(self, key: str, entry: object) -> str:
        """Return the text of one entry of the open map at *key*; a number is its text."""
        if isinstance(entry, str):
            return self._scalar(key, entry)
        raise self.refusal(f"{key}.*", f"expected a text or a number, found {describe(entry)}")

    def sub(self, key: str, name: str, entry: object, read: Callable[[str, Fields], T]) -> T:
        """Read the object that is the entry *name* of the open map at *key*."""
        return self._read(entry, self.at(f"{key}.*"), lambda fields: read(name, fields))

    def done(self) -> None:
        """Note every key that holds something and that nobody asked for."""
        for key, value in self._value.items():
            if key not in self._asked and not is_nothing(value):
                self._findings.append(
                    Finding(
                        FindingKind.UNKNOWN_KEY,
                        self.at(key),
                        "no property is known for this key; its value is not in the graph",
                    )
                )

    def _list(self, key: str) -> list[object]:
        value = self.raw(key)
        if is_nothing(value):
            return []
        if not isinstance(value, list):
            raise self.refusal(key, f"expected a list, found {describe(value)}")
        return value

    def _read(self, value: object, path: str, read: Callable[[Fields], T]) -> T:
        fields = Fields(value, path, self._findings)
        thing = read(fields)
        fields.done()
        return thing

    def _scalar(self, key: str, text: str) -> str:
        if text.isascii():
            return str(text)
        clean, altered = values.scalar_text(text)
        if altered:
            self.note(
                FindingKind.ALTERED_TEXT, key, "a lone surrogate, which no RDF holds, became U+FFFD"
            )
        return str(clean)


def is_nothing(value: object) -> bool:
    """Say whether a JSON value says nothing: null, an empty text, list or object."""
    return value is None or value in ("", [], {})


def describe(value: object) -> str:
    """Say in a few words what a JSON value is, for a message."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, values.Number):
        return f"the number {value[:40]}"
    if isinstance(value, str):
        return f"the text {value[:40]!r}{'…' if len(value) > 40 else ''}"
    return "a list" if isinstance(value, list) else "an object"


def _pair(entry: object) -> tuple[str, object] | None:
    """Return an entry of a map that was written as a list, or None for what is no pair."""
    if isinstance(entry, list) and len(entry) == 2 and isinstance(entry[0], str):
        return entry[0], entry[1]
    if isinstance(entry, dict) and entry.keys() <= {"key", "value"}:
        name = entry.get("key")
        return (name, entry.get("value")) if isinstance(name, str) else None
    return None


def _join(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key
