"""Results as DataFrames: types by the RDF datatypes (NB-01, NB-03)."""

from __future__ import annotations

import io
import sys
import warnings
from datetime import date
from decimal import Decimal

import pandas as pd
import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kg
from kg.errors import UsageError
from kg.graph.native import value_of
from kg.tables import Term

XSD = "http://www.w3.org/2001/XMLSchema#"


def literal(text: str, datatype: str) -> ox.Literal:
    return ox.Literal(text, datatype=ox.NamedNode(XSD + datatype))


def column(*terms: Term) -> kg.Results:
    return kg.Results(("v",), [(term,) for term in terms], {})


def series(*terms: Term, exact: bool = False) -> pd.Series:
    return column(*terms).to_dataframe(exact=exact)["v"]


IDENTIFIERS = """SELECT ?arxiv ?year ?model ?version ?text {
  VALUES (?arxiv ?year ?model ?version ?text) {
  ("1901.00010" 2019 "NA" "1.10" "") ("0704.0001" UNDEF "None" "1.10" UNDEF)
  ("1901.00010" 0 "null" "1.10" " ") ("0704.0001" 2020 "nan" "1.10" "x") } }"""


def test_identifiers_stay_text_and_integers_integers(graph: kg.Graph) -> None:
    frame = graph.sparql(IDENTIFIERS).to_dataframe()
    assert list(frame.columns) == ["arxiv", "year", "model", "version", "text"]
    assert [str(t) for t in frame.dtypes] == ["string", "Int64", "string", "string", "string"]
    assert frame["arxiv"].tolist() == ["1901.00010", "0704.0001", "1901.00010", "0704.0001"]
    assert frame["model"].tolist() == ["NA", "None", "null", "nan"]
    assert frame["version"].tolist() == ["1.10"] * 4
    assert frame["year"].isna().tolist() == [False, True, False, False]
    assert frame["year"].dropna().tolist() == [2019, 0, 2020]
    # What is unbound is missing, and an empty text is not.
    assert frame["text"].isna().tolist() == [False, True, False, False]
    assert frame["text"].dropna().tolist() == ["", " ", "x"]


def test_a_guess_from_csv_would_fail_those_tests(local: kg.Graph) -> None:
    answer = local._query(IDENTIFIERS)
    assert isinstance(answer, ox.QuerySolutions)
    csv = answer.serialize(format=ox.QueryResultsFormat.CSV)
    guessed = pd.read_csv(io.BytesIO(csv or b""))
    assert guessed["arxiv"].tolist() != ["1901.00010", "0704.0001", "1901.00010", "0704.0001"]
    assert guessed["model"].isna().any()
    assert str(guessed["year"].dtype) == "float64"


def test_the_type_of_a_column_does_not_depend_on_what_is_unbound(graph: kg.Graph) -> None:
    results = graph.sparql(IDENTIFIERS)
    whole = results.to_dataframe()
    for start in range(3):
        part = results[start : start + 2].to_dataframe()
        assert part.dtypes.tolist() == whole.dtypes.tolist()


def test_columns_stand_in_the_order_of_select_also_when_empty(graph: kg.Graph) -> None:
    frame = graph.sparql("SELECT ?z ?a ?m { ?z ?a ?m FILTER(false) }").to_dataframe()
    assert list(frame.columns) == ["z", "a", "m"]
    assert frame.empty
    assert set(map(str, frame.dtypes)) == {"string"}
    assert graph.sparql("SELECT * {}").to_dataframe().shape == (1, 0)


def test_decimals_are_numbers_to_reckon_with() -> None:
    found = series(literal("100", "decimal"), literal("9.1", "decimal"), None)
    assert str(found.dtype) == "Float64"
    assert found.mean() == pytest.approx(54.55)
    assert found.sort_values().tolist()[:2] == [9.1, 100]
    assert (found * 1.5).tolist()[:2] == [150, pytest.approx(13.65)]
    assert found.isna().tolist() == [False, False, True]


def test_decimals_are_exact_where_that_is_asked_for() -> None:
    digits = "85.123456789012345678"
    found = series(literal(digits, "decimal"), literal("7", "integer"), None, exact=True)
    assert found.tolist()[:2] == [Decimal(digits), Decimal(7)]
    assert found.sum() == Decimal(digits) + 7
    assert found.isna().tolist() == [False, False, True]
    # With doubles among them there is nothing exact; integers alone are exact anyway.
    assert (
        str(series(literal("1", "decimal"), literal("1", "double"), exact=True).dtype) == "Float64"
    )
    assert str(series(literal("1", "integer"), exact=True).dtype) == "Int64"


DAY = "2026-09-24"
TIME = f"{DAY}T18:15:14"


@pytest.mark.parametrize(
    ("terms", "dtype", "values"),
    [
        (["85.5 double"], "Float64", [85.5]),
        (["1E2 float", "-INF double"], "Float64", [100.0, float("-inf")]),
        (["3 integer", "2.5 decimal"], "Float64", [3.0, 2.5]),
        (["007 integer", "-2 long"], "Int64", [7, -2]),
        (["\t5\n nonNegativeInteger"], "Int64", [5]),
        ([f"{2**63 - 1} integer"], "Int64", [2**63 - 1]),
        ([f"{2**63} integer", "1 integer"], "object", [2**63, 1]),
        (["true boolean", "0 boolean"], "boolean", [True, False]),
        (
            [f"{DAY} date", "0001-01-01 date"],
            "datetime64[s]",
            [pd.Timestamp(DAY), pd.Timestamp("0001-01-01")],
        ),
        (
            [f"{TIME}.5Z dateTime", f"{DAY}T20:15:14+02:00 dateTime"],
            "datetime64[us, UTC]",
            [pd.Timestamp(f"{TIME}.5Z"), pd.Timestamp(f"{TIME}Z")],
        ),
        ([f"{TIME} dateTime"], "datetime64[us]", [pd.Timestamp(TIME)]),
        # Less precise than a day, of several kinds, or without a kind of its own: text.
        (["2021 gYear"], "string", ["2021"]),
        ([f"{DAY} date", "2021 gYear", "2021-06 gYearMonth"], "string", [DAY, "2021", "2021-06"]),
        (["1 integer", "true boolean"], "string", ["1", "true"]),
        ([f"{TIME} dateTime", f"{TIME}Z dateTime"], "string", [TIME, f"{TIME}Z"]),
        (["P1D duration", "1 integer"], "string", ["P1D", "1"]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_column_is_of_the_type_of_its_literals(
    terms: list[str], dtype: str, values: list[object]
) -> None:
    literals = [literal(*term.rsplit(" ", 1)) for term in terms]
    for with_missing in ([*literals, None], [None, *literals]):
        found = series(*with_missing)
        assert str(found.dtype) == dtype
        assert found.dropna().tolist() == values
        assert found.isna().sum() == 1
    assert series(*literals).tolist() == values


def test_what_is_no_literal_is_text() -> None:
    found = series(
        ox.Literal("Größe", language="de"), ox.NamedNode("http://e/1"), ox.BlankNode("b")
    )
    assert str(found.dtype) == "string"
    assert found.tolist() == ["Größe", "http://e/1", "_:b"]


@pytest.mark.parametrize(
    "wrong",
    [
        literal("abc", "integer"),
        literal("1_000", "integer"),
        literal("٣", "integer"),
        literal("1e5", "decimal"),
        literal("nan", "double"),
        literal("yes", "boolean"),
        literal("2021-02-30", "date"),
        literal("12021-01-01", "date"),
        literal("2021-06-15Z", "date"),
        literal("2026-09-24T25:00:00Z", "dateTime"),
        literal("2026-09-24T18:15:14.1234567Z", "dateTime"),
        literal("9" * 5000, "integer"),
    ],
    ids=lambda term: f"{term.value[:12]} {term.datatype.value.rpartition('#')[2]}",
)
def test_what_is_none_of_its_datatype_makes_text_and_a_warning(wrong: ox.Literal) -> None:
    right = literal("1", "integer")
    with pytest.warns(kg.GraphWarning, match="the column v is text, because") as told:
        found = series(right, None, wrong)
    assert told[0].filename == __file__
    assert str(found.dtype) == "string"
    assert found.dropna().tolist() == ["1", wrong.value]
    assert value_of(wrong) == wrong.value


def test_an_ill_typed_value_arrives_so_over_http_too(graph: kg.Graph) -> None:
    results = graph.sparql('SELECT ?v { VALUES ?v { "abc"^^xsd:integer 1 } }')
    assert [row["v"] for row in results] == ["abc", 1]
    with pytest.warns(kg.GraphWarning, match="'abc' in it is no xsd:integer"):
        assert results.to_dataframe()["v"].tolist() == ["abc", "1"]


def test_not_a_number_is_a_value_and_not_missing() -> None:
    found = series(literal("NaN", "double"), literal("0", "double"), None)
    assert found.array._mask.tolist() == [False, False, True]
    assert found.tolist()[1] == 0


TERMS = st.one_of(
    st.none(),
    st.text().map(ox.Literal),
    st.integers(-(2**70), 2**70).map(lambda n: literal(str(n), "integer")),
    st.decimals(allow_nan=False, allow_infinity=False, places=4).map(
        lambda d: literal(f"{d:f}", "decimal")
    ),
    st.booleans().map(ox.Literal),
    st.dates().map(lambda d: literal(d.isoformat(), "date")),
)


@given(st.lists(TERMS), st.booleans())
def test_what_is_missing_in_a_frame_is_what_is_unbound(terms: list[Term], exact: bool) -> None:
    found = series(*terms, exact=exact)
    assert found.isna().tolist() == [term is None for term in terms]


@given(st.lists(st.one_of(st.none(), st.text().map(ox.Literal))))
def test_a_text_is_that_text_in_a_frame(terms: list[ox.Literal | None]) -> None:
    found = series(*terms)
    assert str(found.dtype) == "string"
    assert [None if pd.isna(v) else v for v in found] == [t and t.value for t in terms]


@given(st.lists(st.one_of(st.none(), st.integers(-(2**63), 2**63 - 1)), min_size=1))
def test_an_integer_is_that_integer_in_a_frame(numbers: list[int | None]) -> None:
    found = series(*(None if n is None else literal(str(n), "integer") for n in numbers))
    if any(n is not None for n in numbers):
        assert str(found.dtype) == "Int64"
    assert [None if pd.isna(v) else v for v in found] == numbers


def test_rows_are_python_values() -> None:
    terms = (literal("85.50", "decimal"), literal(DAY, "date"), None, ox.Literal(""))
    results = kg.Results(("a", "b", "c", "d"), [terms], {})
    assert results[0] == {"a": 85.5, "b": date.fromisoformat(DAY), "c": None, "d": ""}
    (row,) = results.rows(exact=True)
    assert str(row["a"]) == "85.50"


def test_without_pandas_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    monkeypatch.delitem(sys.modules, "kg.graph.frames", raising=False)
    results = column(ox.Literal("a"))
    with pytest.raises(UsageError, match=r"pip install 'paperkg\[pandas\]'"):
        results.to_dataframe()
    assert str(results) == "v\n-\na"  # everything else goes on


def test_nothing_warns_where_all_is_well(local: kg.Graph) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name in ("leaderboard", "paper-results", "class-counts"):
            query = local._catalogue.get(name)
            given = {p.name: p.example for p in query.parameters if p.required}
            local.ask(name, **given).to_dataframe()
