from __future__ import annotations

from datetime import date
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kg.catalogue import CannedQuery, Catalogue
from kg.errors import ParameterError, QueryError, ResourceError, UsageError
from kg.sparql import QueryForm, scan

TEXT = """\
#+ title: Everything with a value
#+ description: A query with a parameter of every type.
#+ parameter name:
#+   type: string
#+   required: yes
#+   description: The value.
#+   example: BLUE
#+ parameter thing:
#+   type: iri
#+   class: Dataset
#+   required: no
#+   default: blue
#+   description: The thing.
#+   example: blue
#+ parameter score:
#+   type: decimal
#+   required: no
#+   description: The score.
#+   example: 85.5
#+ parameter day:
#+   type: date
#+   required: no
#+   description: The day.
#+   example: 2021-06-15
#+ parameter count:
#+   type: integer
#+   required: no
#+   description: The count.
#+   example: 5
#+ parameter flag:
#+   type: boolean
#+   required: no
#+   description: The flag.
#+   example: true
#+ limit:
#+   maximum: 100
PREFIX e: <http://e/>
SELECT ?name ?thing ?score ?day ?count ?flag # VALUES ?name { "no" } LIMIT 7
WHERE {
  VALUES ?other { UNDEF }
  VALUES (?name ?thing ?score ?day ?count ?flag) {
    ("BLUE" <https://w3id.org/paperkg/dataset/blue> UNDEF UNDEF UNDEF UNDEF)
  }
  FILTER (!BOUND(?other) || "VALUES (?name) { (1) }" != "LIMIT 8")
}
LIMIT 10
"""
QUERY = CannedQuery.parse("everything", TEXT)


def solutions(text: str) -> list[dict[str, object]]:
    answer = ox.Store().query(text)
    assert isinstance(answer, ox.QuerySolutions)
    return [{v.value: row[v.value] for v in answer.variables} for row in answer]


def test_a_file_says_what_it_is() -> None:
    assert QUERY.form is QueryForm.SELECT
    assert QUERY.columns == ("name", "thing", "score", "day", "count", "flag")
    assert [p.name for p in QUERY.parameters] == [*QUERY.columns, "limit"]
    assert QUERY.parameters[-1].expects == "an integer from 1 to 100"
    assert {name: TEXT[start:end] for name, (start, end) in QUERY.slots.items()} == {
        "name": '"BLUE"',
        "thing": "<https://w3id.org/paperkg/dataset/blue>",
        "score": "UNDEF",
        "day": "UNDEF",
        "count": "UNDEF",
        "flag": "UNDEF",
        "limit": "10",
    }


def test_values_take_the_places_of_the_examples_and_nothing_else_changes() -> None:
    bound = QUERY.bind(
        {"name": "x", "score": "0.50", "day": date(2021, 6, 15), "count": 3, "limit": "7"}
    )
    xsd = "http://www.w3.org/2001/XMLSchema#"
    assert bound == TEXT.replace(
        '("BLUE" <https://w3id.org/paperkg/dataset/blue> UNDEF UNDEF UNDEF UNDEF)',
        f'("x" <https://w3id.org/paperkg/dataset/blue> "0.5"^^<{xsd}decimal>'
        f' "2021-06-15"^^<{xsd}date> "3"^^<{xsd}integer> UNDEF)',
    ).replace("LIMIT 10\n", "LIMIT 7\n")


def test_the_example_as_a_value_gives_the_file_itself() -> None:
    assert QUERY.bind({"name": "BLUE"}) == TEXT


def test_a_default_slug_is_below_the_base_of_the_store() -> None:
    bound = QUERY.bind({"name": "x"}, "https://e.org/")
    assert [row["thing"] for row in solutions(bound)] == [
        ox.NamedNode("https://e.org/dataset/blue")
    ]


# Case QRY-03: a value is bound as a term, whatever it looks like.
@given(st.text())
@example('BLUE" . ?x ?y ?z . #')
@example('O\'Hare \\ "x"\ny')
@example("10; DROP ALL")
@example("\r\x00\x85\u2028\ufffe\\u0022")
def test_any_text_binds_to_exactly_that_text(text: str) -> None:
    try:
        bound = QUERY.bind({"name": text})
    except ParameterError:
        assert any("\ud800" <= character <= "\udfff" for character in text)
        return
    assert [row["name"] for row in solutions(bound)] == [ox.Literal(text)]
    kinds = [token.kind for token in scan(TEXT)]
    assert [token.kind for token in scan(bound)] == kinds


@pytest.mark.parametrize(
    ("values", "what"),
    [
        ({}, "the parameter name is missing; it takes a text, for example name=BLUE"),
        ({"nam": "x"}, "the query everything has no parameter nam; did you mean name?"),
        ({"name": "x", "other": "y"}, "the query everything has no parameter other"),
        ({"name": "x", "limit": "10; DROP ALL"}, "the parameter limit takes an integer from 1 to"),
        ({"name": "x", "limit": "0"}, "the parameter limit takes an integer from 1 to 100, not"),
        ({"name": "x", "limit": "101"}, "the parameter limit takes an integer from 1 to 100, not"),
        ({"name": "x", "thing": "https://e/a> ?p ?o . <b"}, "the parameter thing takes an IRI, a"),
        ({"name": "x", "flag": "maybe"}, "the parameter flag takes true or false, not 'maybe'"),
    ],
)
def test_a_wrong_unknown_or_missing_value_is_one_sentence(
    values: dict[str, str], what: str
) -> None:
    with pytest.raises(ParameterError) as caught:
        QUERY.bind(values)
    assert str(caught.value).startswith(what)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("old", "new", "line", "what"),
    [
        ("WHERE {", "WHERE {{", 39, "this {"),
        ("PREFIX e:", "PREFIX f:", None, None),
        ("type: string", "type: text", 3, "parameter name: type 'text' is none of iri, string"),
        ("#+   example: BLUE\n", "", 3, "parameter name has no example"),
        ("required: yes", "required: maybe", 3, "parameter name: required is yes or no"),
        ("required: yes", "required: yes\n#+   default: a", 3, "parameter name: required is yes"),
        ("class: Dataset", "class: Thing", 8, "parameter thing: class Thing is none of Paper"),
        ("class: Dataset", "class: Dataset\n#+   scheme: x", 8, "parameter thing: an iri has a"),
        ("type: string", "type: string\n#+   class: Paper", 3, "parameter name: an iri has a cla"),
        ("example: 85.5", "example: much", 15, "the parameter score takes a decimal number"),
        ("default: blue", "default: red", 8, "the VALUES block has <https://w3id.org/paperkg/da"),
        ('("BLUE"', '("BLAU"', 3, 'the VALUES block has "BLAU" for name, where the header says'),
        ('("BLUE"', "(UNDEF", 3, "the VALUES block has UNDEF for name"),
        ("UNDEF UNDEF)", "UNDEF true)", 30, "the VALUES block has true for flag"),
        ("parameter flag", "parameter flags", 3, "there must be exactly one VALUES block of one"),
        ("LIMIT 10\n", "", 35, "there must be exactly one LIMIT"),
        ("maximum: 100", "maximum: many", 35, "parameter limit: maximum 'many' is no number"),
        ("maximum: 100", "maximum: 5", 35, "the parameter limit takes an integer from 1 to 5"),
        ("UNDEF UNDEF)\n", "UNDEF UNDEF)\n    (1 2 3 4 5 6)\n", 3, "there must be exactly one"),
    ],
)
def test_a_broken_file_is_refused_with_its_line(
    old: str, new: str, line: int | None, what: str | None
) -> None:
    assert old in TEXT
    text = TEXT.replace(old, new, 1)
    if what is None:
        assert CannedQuery.parse("everything", text).text == text
        return
    with pytest.raises(QueryError) as caught:
        CannedQuery.parse("everything", text)
    assert str(caught.value).removeprefix(f"line {line}: ").startswith(what)
    assert caught.value.line == line


def test_a_single_variable_needs_no_brackets() -> None:
    text = """\
#+ title: One
#+ description: One variable.
#+ parameter x:
#+   type: integer
#+   required: no
#+   default: 5
#+   description: A number.
#+   example: 6
ASK { VALUES ?x { "5"^^<http://www.w3.org/2001/XMLSchema#integer> } FILTER(?x = 6) }
"""
    query = CannedQuery.parse("one", text)
    assert query.columns == ()
    assert query.bind({}) == text
    assert bool(ox.Store().query(query.bind({"x": 6})))


def test_a_catalogue_finds_its_queries_and_names_those_alike(tmp_path: Path) -> None:
    (tmp_path / "everything.rq").write_text(TEXT, "utf-8")
    (tmp_path / "notes.txt").write_text("no query", "utf-8")
    catalogue = Catalogue.load(tmp_path)
    assert [query.name for query in catalogue] == ["everything"]
    assert catalogue.get("everything").text == TEXT
    with pytest.raises(UsageError, match="there is no query 'everthing'; did you mean everything"):
        catalogue.get("everthing")
    with pytest.raises(UsageError, match="there is no query 'x'; kg queries lists them"):
        catalogue.get("x")


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("a.rq", TEXT.replace("type: string", "type: text").encode(), "a.rq: line 3: parameter n"),
        ("b.rq", b"ASK { \xff }", "b.rq: it is no UTF-8 at byte 6"),
        ("Bad_Name.rq", TEXT.encode(), "the name of a canned query is in kebab-case"),
        ("c.rq", b"ASK {}", "c.rq: line 1: the header has no description"),
    ],
)
def test_a_broken_file_of_a_catalogue_is_named(
    tmp_path: Path, name: str, content: bytes, what: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ResourceError) as caught:
        Catalogue.load(tmp_path)
    assert what in str(caught.value)
