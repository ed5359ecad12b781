"""Which record gave which line: every record that did is found, and hardly another."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from kg import origins
from kg.origins import Origins

HASHES = st.integers(-(2**63), 2**63 - 1) | st.integers(0, 20)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(HASHES, max_size=6), max_size=30), st.sets(HASHES, max_size=5))
def test_the_records_that_gave_a_line_are_found(given: list[list[int]], wanted: set[int]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        kept = Origins(Path(folder))
        for number, hashes in enumerate(given):
            kept.add(number, hashes)
        expected = {number for number, hashes in enumerate(given) if wanted & set(hashes)}
        assert kept.of(wanted) == expected
        assert kept.of(set()) == frozenset()


def test_it_holds_few_and_forgets_none(tmp_path: Path) -> None:
    kept = Origins(tmp_path)
    most = 0
    for number in range(50_000):
        kept.add(number, range(number * 4, number * 4 + 4))
        most = max(most, len(kept._waiting))
    assert most <= origins._AT_ONCE
    assert kept.of({4, 199_999}) == {1, 49_999}
    kept.add(50_000, [4])
    assert kept.of({4}) == {1, 50_000}
