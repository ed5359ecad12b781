"""What differs between two sorted sets of triples, found by reading both once.

The lines of a subject stand together in both, so they are compared subject by subject: whoever
looks at a difference has all that either side says of its subject.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import Final, TypeAlias

from kg.sorting import Block

Stretch: TypeAlias = tuple[Block, Block]
"""All lines of the same subjects: those of the first set, those of the second."""

_END: Final[Block] = []


def stretches(first: Iterator[Block], second: Iterator[Block]) -> Iterator[Stretch]:
    """Yield all lines of two sorted sets of N-Triples or N-Quads, in stretches of few thousands."""
    first, second = _whole_subjects(first), _whole_subjects(second)
    old, new = next(first, _END), next(second, _END)
    while old and new:
        # Greater than every line of the subject: its lines go on with a blank, which is less.
        bound = min(_subject(old[-1]), _subject(new[-1])) + b"!"
        in_old, in_new = bisect_right(old, bound), bisect_right(new, bound)
        yield old[:in_old], new[:in_new]
        old = old[in_old:] or next(first, _END)
        new = new[in_new:] or next(second, _END)
    while old:
        yield old, []
        old = next(first, _END)
    while new:
        yield [], new
        new = next(second, _END)


def difference(stretch: Stretch) -> Stretch:
    """Return the lines of a stretch that only the first set has, and those only the second has."""
    old, new = stretch
    if old == new:
        return [], []
    kept = set(old).intersection(new)
    return [line for line in old if line not in kept], [line for line in new if line not in kept]


def _whole_subjects(blocks: Iterator[Block]) -> Iterator[Block]:
    """Yield sorted lines in blocks that end where a subject does."""
    carried: Block = []
    for block in blocks:
        lines = carried + block
        begins = bisect_left(lines, _subject(lines[-1]) + b" ")
        carried = lines[begins:]
        if begins:
            yield lines[:begins]
    if carried:
        yield carried


def _subject(line: bytes) -> bytes:
    return line[: line.index(b" ")]
