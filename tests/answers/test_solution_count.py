from __future__ import annotations

from itertools import pairwise

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.answers.solution_count import counting
from kg.formats import SOLUTIONS

# What may be mistaken for the end of a solution or of a string, and for its beginning.
TEXTS = st.lists(
    st.sampled_from([*'"\\\n\r\t,{}[]:<>', "a", "é", '"},{"', '\\"', "<result>", "[{}", ",{}"]),
    max_size=8,
).map("".join)
ROWS = st.lists(st.tuples(st.none() | TEXTS, st.none() | TEXTS), max_size=6)


def document(rows: list[tuple[str | None, str | None]], format_: ox.QueryResultsFormat) -> bytes:
    """The solutions as the engine writes them; None is unbound."""
    values = " ".join(
        f"({' '.join('UNDEF' if text is None else str(ox.Literal(text)) for text in row)})"
        for row in rows
    )
    answer = ox.Store().query(f"SELECT ?a ?b {{ VALUES (?a ?b) {{ {values} }} }}")
    assert isinstance(answer, ox.QuerySolutions)
    written = answer.serialize(format=format_)
    assert written is not None
    return written


@pytest.mark.parametrize("format_", SOLUTIONS, ids=lambda format_: format_.name)
@given(rows=ROWS, cuts=st.lists(st.integers(0, 10_000), max_size=6))
def test_solutions_are_counted_however_the_document_is_cut(
    format_: object, rows: list[tuple[str | None, str | None]], cuts: list[int]
) -> None:
    content = document(rows, format_.engine)  # type: ignore[attr-defined]
    places = sorted({0, len(content), *(cut % (len(content) + 1) for cut in cuts)})
    count = counting(format_.media_type)  # type: ignore[attr-defined]
    counted = [count(content[a:b]) for a, b in pairwise(places)]
    assert counted == sorted(counted)
    assert counted[-1] == len(rows)


def test_a_format_that_has_no_solutions_is_none() -> None:
    with pytest.raises(ValueError, match="text/turtle"):
        counting("text/turtle")
