from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.catalogue import Parameter, ParameterType, Value
from kg.catalogue.iri_values import KINDS, Space
from kg.errors import ParameterError
from kg.iris import DEFAULT_BASE, Minter
from kg.namespaces import VOCAB, XSD, prefixes

BASE = "https://e.org/kg/"


def parameter(type_: str, **more: object) -> Parameter:
    return Parameter("p", ParameterType(type_), "What it is.", "an-example", **more)  # type: ignore[arg-type] # each test gives what it needs


def term(of: Parameter, value: Value) -> ox.NamedNode | ox.Literal:
    return of.term(value, Minter(BASE), prefixes(BASE))


def typed(lexical: str, name: str) -> ox.Literal:
    return ox.Literal(lexical, datatype=ox.NamedNode(XSD + name))


@pytest.mark.parametrize(
    ("type_", "value", "expected"),
    [
        ("string", "a 'b' \"c\" \\ \n", ox.Literal("a 'b' \"c\" \\ \n")),
        ("string", "", ox.Literal("")),
        ("integer", "007", typed("7", "integer")),
        ("integer", -5, typed("-5", "integer")),
        ("decimal", "85.50", typed("85.5", "decimal")),
        ("decimal", Decimal("1E-3"), typed("0.001", "decimal")),
        ("decimal", 3, typed("3", "decimal")),
        ("date", "2021-06-15", typed("2021-06-15", "date")),
        ("date", date(2021, 6, 15), typed("2021-06-15", "date")),
        ("boolean", "False", typed("false", "boolean")),
        ("boolean", True, typed("true", "boolean")),
    ],
)
def test_a_value_becomes_a_term_of_its_type(type_: str, value: Value, expected: ox.Literal) -> None:
    assert term(parameter(type_), value) == expected


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        ("string", "\ud800"),
        ("string", 5),
        ("integer", "1.5"),
        ("integer", "10; DROP ALL"),
        ("integer", "٣"),
        ("integer", ""),
        ("integer", True),
        ("integer", Decimal(1)),
        ("decimal", "NaN"),
        ("decimal", Decimal("Infinity")),
        ("decimal", "1,5"),
        ("date", "2021-02-30"),
        ("date", "2021"),
        ("date", "15.06.2021"),
        ("date", datetime(2021, 6, 15, tzinfo=UTC)),
        ("boolean", "yes"),
        ("boolean", 1),
        ("iri", 5),
        ("iri", ""),
        ("iri", "bare"),
        ("iri", "nobody:knows"),
        ("iri", "<relative>"),
    ],
)
def test_what_is_not_of_the_type_is_refused_in_one_sentence(type_: str, value: Value) -> None:
    with pytest.raises(ParameterError) as caught:
        term(parameter(type_), value)
    assert caught.value.parameter == "p"
    assert str(caught.value).startswith("the parameter p takes ")
    assert "for example p=an-example" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("value", "fits"), [(0, False), (1, True), ("10", True), (11, False)])
def test_a_number_keeps_to_its_range(value: Value, fits: bool) -> None:
    limit = parameter("integer", minimum=Decimal(1), maximum=Decimal(10))
    if fits:
        assert term(limit, value).value == str(value)
    else:
        with pytest.raises(ParameterError, match="takes an integer from 1 to 10, not"):
            term(limit, value)


@pytest.mark.parametrize(
    ("space", "value", "iri"),
    [
        ("Paper", "cblue", BASE + "paper/cblue"),
        ("Paper", " cblue ", BASE + "paper/cblue"),
        ("Paper", "paper:cblue", BASE + "paper/cblue"),
        ("Paper", "<https://x.org/a?b#c>", "https://x.org/a?b#c"),
        ("Paper", "https://x.org/a", "https://x.org/a"),
        ("Paper", "urn:isbn:1", "urn:isbn:1"),
        ("Paper", "<mailto:a@b>", "mailto:a@b"),
        ("Dataset", "name/cmeie~0123abcd", BASE + "dataset/name/cmeie~0123abcd"),
        ("Dataset", "bert~0123abcd", BASE + "dataset/bert~0123abcd"),
        ("Leaderboard", "name/a/b~0123abcd", BASE + "leaderboard/name/a/b~0123abcd"),
        ("Task", "BERT", Minter(BASE).thing("task", "BERT")),
        ("Method", "größe", Minter(BASE).thing("method", "größe")),
        ("Metric", "Micro F1", Minter(BASE).metric("Micro F1")),
        ("Metric", "Recall: top/5 <b>", Minter(BASE).metric("Recall: top/5 <b>")),
        ("Metric", "metric:micro-f1~0123abcd", BASE + "metric/micro-f1~0123abcd"),
    ],
)
def test_an_iri_a_curie_and_a_slug_name_a_thing(space: str, value: str, iri: str) -> None:
    assert term(parameter("iri", space=Space(space)), value) == ox.NamedNode(iri)


def test_a_code_names_a_concept_of_its_scheme_whatever_the_base() -> None:
    status = parameter("iri", space=Space("sample-status", is_scheme=True))
    assert term(status, "ran_honours") == ox.NamedNode(VOCAB + "sample-status/ran_honours")
    assert term(status, "status:ran_honours") == ox.NamedNode(VOCAB + "sample-status/ran_honours")


@pytest.mark.parametrize(
    "value",
    [
        "/paper/x",
        "https://codewithpapers.app/paper/x",
        "https://www.paperswithcode.com/paper/x/",
        "http://paperswithcode.com/paper/x?a#b",
    ],
)
def test_the_page_of_a_thing_means_the_thing(value: str) -> None:
    found = term(parameter("iri", space=Space("Paper")), value)
    assert found == ox.NamedNode(BASE + "paper/x")


@pytest.mark.parametrize(
    "value",
    ["a b", "https://e/a> ?p ?o . <b", "a>b", 'a"b', "papr:cblue", "/papers/x", "a/B", "a?b", "a#b",
     "", " ", "<a>", "<http://e/ >", "a\nb", "paper:a b", "paper:a>"],
)  # fmt: skip
def test_what_is_no_slug_is_refused(value: str) -> None:
    with pytest.raises(ParameterError, match="the slug of a paper"):
        term(parameter("iri", space=Space("Paper")), value)


@given(st.sampled_from(sorted(KINDS)), st.text())
def test_no_text_makes_an_iri_that_the_engine_would_not_read_as_it_is(kind: str, text: str) -> None:
    try:
        made = term(parameter("iri", space=Space(kind)), text)
    except ParameterError:
        return
    answer = ox.Store().query(f"SELECT ?x {{ VALUES ?x {{ {made} }} }}")
    assert isinstance(answer, ox.QuerySolutions)
    assert [solution["x"] for solution in answer] == [made]


def test_the_example_base_is_the_default() -> None:
    paper = parameter("iri", space=Space("Paper"))
    made = paper.term("a", Minter(), prefixes())
    assert made == ox.NamedNode(DEFAULT_BASE + "paper/a")
