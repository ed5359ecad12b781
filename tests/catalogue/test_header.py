from __future__ import annotations

import pytest

from kg.catalogue.header import has_header, read_header
from kg.errors import QueryError

HEADER = """\
# An ordinary comment.
#+ title: A title: with a colon
#+ description: One line
#+   and another.
#+ parameter one:
#+   type: iri
#+   description: Which
#+     one.
#+
#+ parameter two:
#+   type: string
#+ limit:
#+   maximum: 10
ASK {} #+ title: no header line
"""


def test_a_header_is_read_in_order_with_continued_lines() -> None:
    header = read_header(HEADER)
    assert header.top.values == {
        "title": "A title: with a colon",
        "description": "One line and another.",
    }
    assert {name: section.values for name, section in header.parameters.items()} == {
        "one": {"type": "iri", "description": "Which one."},
        "two": {"type": "string"},
    }
    assert [section.line for section in header.parameters.values()] == [5, 10]
    assert header.limit is not None
    assert header.limit.values == {"maximum": "10"}


@pytest.mark.parametrize(
    ("old", "new", "line", "what"),
    [
        ("title: A title", "titel: A title", 2, "'titel' is none of cost, description, title"),
        ("#+ title: A title: with a colon\n", "", 1, "the header has no title"),
        ("#+ title: A title", "#+ title:\n# A title", 1, "the header has no title"),
        ("#+   type: iri", "#+   tipe: iri", 6, "'tipe' is none of class, default"),
        ("#+   type: iri", "#+   type iri", 6, "'type iri' is no 'key: value'"),
        ("#+   type: iri", "#+      type: iri", 6, "'type: iri' is no 'key: value'"),
        ("#+   type: string", "#+   type: string\n#+   type: iri", 12, "'type' stands there twice"),
        ("parameter two", "parameter one", 10, "there is a second one"),
        ("parameter two", "parameter 2", 10, "'parameter 2:' is no 'key: value'"),
        ("parameter two", "parameter limit", 10, "there is a second limit"),
        ("parameter two", "parameter format", 10, "no parameter is called format"),
        ("#+ limit:", "#+ limit:\n#+ limit:", 13, "there is a second limit"),
        ("#+   maximum: 10", "#+   type: integer", 13, "'type' is none of description, maximum"),
    ],
)
def test_a_wrong_header_is_refused_with_its_line(old: str, new: str, line: int, what: str) -> None:
    assert old in HEADER
    with pytest.raises(QueryError) as caught:
        read_header(HEADER.replace(old, new, 1))
    assert str(caught.value).startswith(f"line {line}: {what}")
    assert caught.value.line == line


def test_a_query_without_such_comments_has_no_header() -> None:
    assert has_header(HEADER)
    assert not has_header("# title: x\nASK {} #+ title: x")
