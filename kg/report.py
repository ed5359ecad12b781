"""The report of a build: everything that was refused or noticed, one JSON object a line."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import IO, Final

from kg.errors import RecordError, SourceError
from kg.findings import Finding
from kg.values import visible

FIRST: Final = 5
"""How many entries of each severity are kept at hand for a summary."""


class Severity(StrEnum):
    """What an entry means: something is missing from the graph, doubtful in it, or only noted."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


REFUSED: Final = "refused record"
UNREADABLE: Final = "unreadable file"
EXCLUDED: Final = "left out on request"
EMPTY: Final = "empty file"
LEFT_OUT: Final = "left out"
OWN_GRAPH: Final = "graph of paperkg itself"
CONFLICT: Final = "conflict"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record stands: *file*, *position* (``line 3``, ``record 0``), its id in *record*."""

    file: str | None
    position: str | None = None
    record: str | None = None

    def as_json(self) -> dict[str, object]:
        """Return it as the report writes it; ``line`` counts from 1, ``index`` from 0."""
        found: dict[str, object] = {"file": self.file}
        if self.position:
            word, _, number = self.position.partition(" ")
            found["line" if word == "line" else "index"] = int(number)
        if self.record is not None:
            found["record"] = self.record
        return found

    def __str__(self) -> str:
        return ", ".join(part for part in (self.file, self.position, self.record) if part)


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the report.

    *field* is a key path, of a conflict the property. *values* are those of a conflict, each
    with the records that give it.
    """

    severity: Severity
    kind: str
    place: Place
    reason: str
    field: str | None = None
    values: tuple[dict[str, object], ...] = ()

    @classmethod
    def refused(cls, error: RecordError) -> Entry:
        """Return the entry of a record that was refused."""
        place = Place(error.file, error.position, error.record)
        return cls(Severity.ERROR, REFUSED, place, error.reason, error.field)

    @classmethod
    def unreadable(cls, error: SourceError) -> Entry:
        """Return the entry of a file that could not be read (to its end)."""
        return cls(Severity.ERROR, UNREADABLE, Place(error.file), error.reason)

    @classmethod
    def of(cls, finding: Finding, place: Place) -> Entry:
        """Return the entry of what was noticed about a record."""
        return cls(Severity.WARNING, finding.kind, place, finding.message, finding.field)

    def as_line(self) -> bytes:
        """Return the entry as a line of JSON in UTF-8."""
        found: dict[str, object] = {"severity": self.severity, "kind": self.kind}
        found |= self.place.as_json()
        if self.field is not None:
            found["field"] = self.field
        found["reason"] = self.reason
        if self.values:
            found["values"] = self.values
        # A record may hold half of a surrogate pair, which UTF-8 cannot.
        return json.dumps(found, ensure_ascii=False).encode("utf-8", "replace") + b"\n"

    def __str__(self) -> str:
        where = f"{self.place}: " if str(self.place) else ""
        field = f"{self.field}: " if self.field else ""
        return visible(f"{where}{field}{self.reason}")


class Report:
    """Writes entries to *file* as they come and counts them by kind.

    *first* keeps of each kind the first few: errors as they come, others where they differ in what
    they say, so that one name in a thousand rows does not hide everything else.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.kinds: Counter[str] = Counter()
        self.first: dict[str, list[Entry]] = {}

    def add(self, entry: Entry) -> None:
        """Take in an entry."""
        self._file.write(entry.as_line())
        self.kinds[entry.kind] += 1
        first = self.first.setdefault(entry.kind, [])
        is_new = all(entry.reason != other.reason for other in first)
        if len(first) < FIRST and (is_new or entry.severity is Severity.ERROR):
            first.append(entry)

    @property
    def errors(self) -> list[Entry]:
        """The first few records refused and files unreadable."""
        return errors(self.first)


def errors(first: Mapping[str, list[Entry]]) -> list[Entry]:
    """Return those of the first entries of each kind that are errors."""
    return [e for entries in first.values() for e in entries if e.severity is Severity.ERROR]
