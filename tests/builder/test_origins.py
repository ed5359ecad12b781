"""Which record gave which line: every record that did is found, and hardly another."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from kg import origins
from kg.origins import Origins
from kg.report import Place

TEXTS = st.none() | st.text(max_size=5)
PLACES = st.builds(Place, TEXTS, TEXTS, TEXTS)
HASHES = st.integers(-(2**63), 2**63 - 1) | st.integers(0, 20)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(PLACES, st.lists(HASHES, max_size=6)), max_size=30),
    st.sets(HASHES, max_size=5),
)
def test_the_records_that_gave_a_line_are_found(
    given: list[tuple[Place, list[int]]], wanted: set[int]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        kept = Origins(Path(folder))
        for place, hashes in given:
            kept.add(place, hashes)
        expected = [(place, wanted & set(h)) for place, h in given if wanted & set(h)]
        assert list(kept.of(wanted)) == expected
        assert list(kept.of(set())) == []


def test_it_holds_few_and_forgets_none(tmp_path: Path) -> None:
    kept = Origins(tmp_path)
    most = 0
    for number in range(50_000):
        kept.add(Place("f", f"record {number}"), range(number * 4, number * 4 + 4))
        most = max(most, len(kept._waiting))
    assert most <= origins._AT_ONCE
    first, last = Place("f", "record 1"), Place("f", "record 49999")
    assert list(kept.of({4, 199_999})) == [(first, {4}), (last, {199_999})]
    kept.add(Place("g"), [4])
    assert list(kept.of({4})) == [(first, {4}), (Place("g"), {4})]
