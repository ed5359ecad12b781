"""Which record gave which line, kept on disk as hashes: for the few lines about which it is asked.

A conflict is known when the lines are sorted, and then nothing says where one came from. A hash of
64 bits stands for a line. Of ten million lines two have the same in one build among some hundred
thousand; if one of them were in conflict, a record too many would be named.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Final

from kg.report import Place

_HASHES: Final = "q"
_COUNTS: Final = "L"
_AT_ONCE: Final = 100_000


class Origins:
    """The lines of each record by their hashes, and its place, in files in *folder*."""

    def __init__(self, folder: Path) -> None:
        self._hashes = folder / "origins-hashes"
        self._counts = folder / "origins-counts"
        self._places = folder / "origins-places"
        self._waiting = array(_HASHES)
        self._told = array(_COUNTS)
        self._where: list[str] = []

    def add(self, place: Place, hashes: Iterable[int]) -> None:
        """Note that the record at *place* gave lines of these *hashes*."""
        before = len(self._waiting)
        self._waiting.extend(hashes)
        self._told.append(len(self._waiting) - before)
        self._where.append(json.dumps([place.file, place.position, place.record]))
        if len(self._waiting) >= _AT_ONCE:
            self._write()

    def of(self, wanted: AbstractSet[int]) -> Iterator[tuple[Place, AbstractSet[int]]]:
        """Yield the records that gave lines with one of the hashes *wanted*, and those hashes."""
        self._write()
        wanted = frozenset(wanted)
        counts, hashes = array(_COUNTS), array(_HASHES)
        with (
            self._counts.open("rb") as told,
            self._hashes.open("rb") as lines,
            self._places.open(encoding="ascii") as places,
        ):
            while text := told.read(_AT_ONCE * counts.itemsize):
                counts = array(_COUNTS, text)
                for count in counts:
                    where = places.readline()
                    hashes = array(_HASHES, lines.read(count * hashes.itemsize))
                    if found := wanted.intersection(hashes):
                        yield Place(*json.loads(where)), found

    def _write(self) -> None:
        with (
            self._counts.open("ab") as told,
            self._hashes.open("ab") as lines,
            self._places.open("a", encoding="ascii") as places,
        ):
            self._told.tofile(told)
            self._waiting.tofile(lines)
            places.writelines(f"{where}\n" for where in self._where)
        self._told = array(_COUNTS)
        self._waiting = array(_HASHES)
        self._where.clear()
