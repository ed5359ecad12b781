"""The difference of two sorted sets of triples, found by reading each once."""

from collections.abc import Iterator
from itertools import chain

from hypothesis import given
from hypothesis import strategies as st

from kg.difference import Stretch, difference, stretches
from kg.sorting import Block

# Subjects of which one begins like another, and what sorts around the blank between terms.
SUBJECTS = st.sampled_from(["<e:a>", "<e:a!>", "<e:a#b>", "<e:ab>", "_:a", "_:a-b", "_:ab", "_:b"])
OBJECTS = st.sampled_from(['"a"', '"a b"', '"a"@en', '"!"', "<e:o>", '"1"^^<e:t>', "<e:o> <e:g>"])
LINE = st.builds(lambda s, o: f"{s} <e:p> {o} .".encode(), SUBJECTS, OBJECTS)
LINES = st.lists(LINE, max_size=25).map(lambda lines: sorted(set(lines)))
SIZES = st.lists(st.integers(1, 6), min_size=30, max_size=30)


def cut(lines: list[bytes], sizes: list[int]) -> Iterator[Block]:
    for size in sizes:
        if lines:
            yield lines[:size]
        lines = lines[size:]


def subjects(lines: Block) -> set[bytes]:
    return {line.split(b" ")[0] for line in lines}


def looked_at(old: list[bytes], new: list[bytes], sizes: list[int]) -> list[Stretch]:
    return list(stretches(cut(old, sizes), cut(new, sizes[::-1])))


@given(LINES, LINES, SIZES)
def test_stretches_are_both_sets_and_no_subject_stands_in_two(
    old: list[bytes], new: list[bytes], sizes: list[int]
) -> None:
    found = looked_at(old, new, sizes)
    assert list(chain.from_iterable(before for before, _ in found)) == old
    assert list(chain.from_iterable(after for _, after in found)) == new
    seen: set[bytes] = set()
    for before, after in found:
        here = subjects(before) | subjects(after)
        assert here
        assert here.isdisjoint(seen)
        seen |= here


@given(LINES, LINES, SIZES)
def test_the_difference_of_all_stretches_is_that_of_the_sets(
    old: list[bytes], new: list[bytes], sizes: list[int]
) -> None:
    found = [difference(stretch) for stretch in looked_at(old, new, sizes)]
    removed = list(chain.from_iterable(removed for removed, _ in found))
    added = list(chain.from_iterable(added for _, added in found))
    assert removed == sorted(set(old) - set(new))
    assert added == sorted(set(new) - set(old))


@given(LINES, SIZES)
def test_what_is_the_same_differs_in_nothing(lines: list[bytes], sizes: list[int]) -> None:
    assert all(difference(stretch) == ([], []) for stretch in looked_at(lines, lines, sizes))


def test_few_lines_are_held_at_once() -> None:
    taken = 0

    def endless() -> Iterator[Block]:
        nonlocal taken
        for n in range(1000):
            taken += 1
            yield [b"<e:%04d> <e:p> <e:o> ." % n]

    for n, (old, new) in enumerate(stretches(endless(), endless())):
        assert len(old) == len(new) == 1
        assert taken <= 2 * (n + 3)
