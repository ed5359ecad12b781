"""Results as rows, as a table and as HTML."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html.parser import HTMLParser

import pyoxigraph as ox
import pytest

import kg
from kg.graph.results import SHOWN
from kg.tables import Term

PREFIXES = {"paper": "https://w3id.org/paperkg/paper/"}


def results(*rows: tuple[Term, ...], columns: Sequence[str] = ("a", "b")) -> kg.Results:
    return kg.Results(columns, rows, PREFIXES)


class Reader(HTMLParser):
    """Reads a page as a browser does: which elements there are, with what text and links."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.links: list[str | None] = []
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        if tag == "a":
            self.links.append(dict(attrs)["href"])

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.texts.append(data)


def test_results_are_a_sequence_of_rows() -> None:
    found = results((ox.Literal("x"), ox.Literal(1)), (ox.Literal("y"), None))
    assert len(found) == 2
    assert list(found) == [{"a": "x", "b": 1}, {"a": "y", "b": None}]
    assert found[-1] == {"a": "y", "b": None}
    assert found[0] in found
    assert list(found[0]) == ["a", "b"]
    with pytest.raises(IndexError):
        found[2]
    part = found[1:]
    assert isinstance(part, kg.Results)
    assert list(part) == [{"a": "y", "b": None}]
    assert not results()
    assert found.columns == results().columns


def test_print_shows_all_of_it_as_a_table() -> None:
    found = results(
        (ox.NamedNode("https://w3id.org/paperkg/paper/bert"), ox.Literal(1)),
        (ox.Literal("a\tb\x1b[31m"), ox.Literal(10)),
    )
    assert str(found).splitlines() == [
        "a              b",
        "------------  --",
        "paper:bert     1",
        r"a\tb\x1b[31m  10",
    ]
    many = results(*[(ox.Literal(n), None) for n in range(1000)])
    assert len(str(many).splitlines()) == 1002


def test_the_prompt_shows_the_first_rows_within_its_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    many = results(*[(ox.Literal("x" * 100), ox.Literal(n)) for n in range(1234)])
    lines = repr(many).splitlines()
    assert lines[-1] == f"(the first {SHOWN} of 1,234 rows)"
    assert len(lines) == SHOWN + 3
    assert max(map(len, lines)) <= 60
    assert repr(results((None, None))).endswith("(1 row)")
    assert repr(results()).endswith("(0 rows)")


HOSTILE = '<script>alert("x")</script>&amp;'


def test_html_is_a_table_in_which_everything_is_text() -> None:
    found = kg.Results(
        ("<b>", "b"),
        [
            (ox.Literal(HOSTILE), ox.NamedNode("https://w3id.org/paperkg/paper/bert'&x")),
            (ox.NamedNode("javascript:alert(1)"), ox.Literal("\x1b")),
            (None, ox.Literal(85)),
        ],
        PREFIXES,
    )
    page = found._repr_html_()
    read = Reader(page)
    assert set(read.elements) == {"table", "thead", "tbody", "tr", "th", "td", "a", "p"}
    assert read.texts == [
        "<b>", "b", HOSTILE, "paper:bert'&x", "javascript:alert(1)", r"\x1b", "85", "3 rows",
    ]  # fmt: skip
    assert read.links == ["https://w3id.org/paperkg/paper/bert'&x"]
    assert len(re.findall("text-align: right", page)) == 1


def test_html_shows_the_first_rows_and_says_of_how_many(graph: kg.Graph) -> None:
    found = graph.sparql("SELECT ?s ?p ?o { ?s ?p ?o } ORDER BY ?s ?p ?o LIMIT 1000")
    read = Reader(found._repr_html_())
    assert read.elements.count("tr") == SHOWN + 1
    assert read.texts[-1] == f"the first {SHOWN} of 1,000 rows"
    description = graph.describe("paper:attention-is-all-you-need")
    assert "subject" in Reader(description._repr_html_()).texts


def test_a_slice_of_an_answer_is_of_its_kind(graph: kg.Graph) -> None:
    found = graph.sparql("CONSTRUCT { ?s a kg:Paper } { ?s a kg:Paper }")
    assert isinstance(found[:2], kg.Triples)
    assert str(found[:2]).count("a kg:Paper .") == 2
    assert bool(graph.sparql("ASK {}")[:1])
