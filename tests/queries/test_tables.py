from __future__ import annotations

import re

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from kg.curies import Curies
from kg.namespaces import XSD
from kg.tables import cell, solutions_table, table
from kg.values import visible

CURIES = Curies({"e": "https://e.org/", "p": "https://e.org/paper/", "x": "https://x.org/#"})


@pytest.mark.parametrize(
    ("iri", "curie"),
    [
        ("https://e.org/paper/a", "p:a"),
        ("https://e.org/paper/a/b#c", "p:a/b#c"),
        ("https://e.org/paper", "e:paper"),
        ("https://e.org/paper/", None),
        ("https://x.org/#y", "x:y"),
        ("https://x.org/y", None),
        ("https://exorg/y", None),
    ],
)
def test_an_iri_is_compressed_by_its_longest_namespace(iri: str, curie: str | None) -> None:
    assert CURIES.compress(iri) == curie
    assert Curies({}).compress(iri) is None


def test_a_namespace_is_that_of_the_curie() -> None:
    assert CURIES.namespace("https://e.org/paper/a") == "https://e.org/paper/"
    assert CURIES.namespace("https://y.org/") is None


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (None, ""),
        (ox.NamedNode("https://e.org/paper/a"), "p:a"),
        (ox.NamedNode("https://y.org/a"), "https://y.org/a"),
        (ox.Literal("a", language="en"), "a"),
        (ox.Literal("a\tb\n\x1b[31m\u202e"), "a\\tb\\n\\x1b[31m\\u202e"),
        (ox.BlankNode("b"), "_:b"),
    ],
)
def test_a_term_is_shown_in_a_cell(term: ox.NamedNode | ox.Literal | None, text: str) -> None:
    assert cell(term, CURIES) == text


def test_columns_are_aligned_by_what_is_seen_and_numbers_stand_to_the_right() -> None:
    integer = ox.NamedNode(XSD + "integer")
    rows = [
        [ox.Literal("名前"), ox.Literal("1", datatype=integer), ox.Literal("1"), None],
        [ox.Literal("a"), ox.Literal("10", datatype=integer), None, None],
        [None, None, ox.Literal("22"), None],
    ]
    text, count = solutions_table(["name", "n", "s", "none"], rows, CURIES)
    assert count == 3
    assert text == (
        "name   n  s   none\n"
        "----  --  --  ----\n"
        "名前   1  1\n"
        "a     10\n"
        "          22\n"
    )  # fmt: skip


def test_no_rows_are_a_head() -> None:
    assert solutions_table(["a", "bc"], [], CURIES) == ("a  bc\n-  --\n", 0)


def test_the_widest_column_gives_until_a_line_fits() -> None:
    text = table(["id", "title"], [["12345678", "x" * 50], ["1", "short"]], width=30)
    assert text.splitlines() == [
        "id        title",
        "--------  --------------------",
        f"12345678  {'x' * 19}…",
        "1         short",
    ]


def test_columns_that_have_no_room_are_left_out_from_the_last_on_and_named() -> None:
    row = ["1", "x" * 20, "y" * 20, "z" * 30]
    columns = ["n", "first", "second", "a-head-of-25-characters-x"]
    assert table(columns, [row], width=39).splitlines() == [
        "n  first              second",
        "-  -----------------  -----------------",
        f"1  {'x' * 16}…  {'y' * 16}…",
        "(1 more column: a-head-of-25-character…",
    ]
    assert table(columns, [row], width=30).splitlines() == [
        "n  first",
        "-  --------------------",
        f"1  {'x' * 20}",
        "(2 more columns: second, a-he…",
    ]
    assert table(columns, [row], width=66).splitlines()[0].endswith("a-head-of-25-characters-x")


@given(
    st.lists(st.lists(st.text(), min_size=3, max_size=3), max_size=5),
    st.integers(min_value=22, max_value=60),
)
def test_a_table_is_as_wide_as_it_may_be_and_has_one_line_a_row(
    rows: list[list[str]], width: int
) -> None:
    shown = [[visible(text) for text in row] for row in rows]
    lines = table(["a", "b", "c"], shown, width=width).split("\n")
    assert len(lines) == len(rows) + 3 + bool(re.match(r"\(\d+ more col", lines[-2]))
    assert all(cell_len(line) <= width for line in lines)
