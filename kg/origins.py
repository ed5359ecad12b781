"""Which record gave which line, kept on disk as hashes: for the few lines about which it is asked.

A conflict is known when the lines are sorted, and then nothing says where one came from. To map
every record again for that takes as long as the first time; by the hashes, only those that may have
given the line are mapped again. A hash that two lines share costs a record that is mapped in vain.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Final

_HASHES: Final = "q"
_NUMBERS: Final = "Q"
_AT_ONCE: Final = 100_000


class Origins:
    """The lines of each record, by their hashes, in two files in *folder*; 8 bytes a line."""

    def __init__(self, folder: Path) -> None:
        self._hashes = folder / "origins-hashes"
        self._records = folder / "origins-records"
        self._waiting = array(_HASHES)
        self._told = array(_NUMBERS)

    def add(self, number: int, hashes: Iterable[int]) -> None:
        """Note that the record *number* gave lines of these *hashes*."""
        before = len(self._waiting)
        self._waiting.extend(hashes)
        self._told.extend((number, len(self._waiting) - before))
        if len(self._waiting) >= _AT_ONCE:
            self._write()

    def of(self, wanted: AbstractSet[int]) -> frozenset[int]:
        """Return the numbers of the records that gave a line with one of the hashes *wanted*."""
        self._write()
        found = set()
        told, hashes = array(_NUMBERS), array(_HASHES)
        with self._records.open("rb") as records, self._hashes.open("rb") as lines:
            while text := records.read(_AT_ONCE * told.itemsize):
                told = array(_NUMBERS, text)
                for number, count in zip(told[::2], told[1::2], strict=True):
                    hashes = array(_HASHES, lines.read(count * hashes.itemsize))
                    if not wanted.isdisjoint(hashes):
                        found.add(number)
        return frozenset(found)

    def _write(self) -> None:
        with self._records.open("ab") as records, self._hashes.open("ab") as lines:
            self._told.tofile(records)
            self._waiting.tofile(lines)
        self._told = array(_NUMBERS)
        self._waiting = array(_HASHES)
