from __future__ import annotations

import re
import time
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg import namespaces, resources
from kg.errors import QueryError
from kg.sparql import QueryForm, check, columns, scan
from kg.sparql.refusing import DEEPEST
from kg.sparql.words import KEYWORDS

PREFIXES = {"rdfs": "http://www.w3.org/2000/01/rdf-schema#", "e": "http://e/"}


def refused(text: str) -> QueryError:
    with pytest.raises(QueryError) as caught:
        check(text, PREFIXES)
    return caught.value


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("SELECT ?l {?s rdfs:label ?l}", QueryForm.SELECT),
        ("# all\nBASE <http://e/> PREFIX x: <x#> select * where { <a> x:b ?c }", QueryForm.SELECT),
        ("ASK {}", QueryForm.ASK),
        ("CONSTRUCT WHERE { ?s ?p ?o }", QueryForm.CONSTRUCT),
        ("DESCRIBE e:a", QueryForm.DESCRIBE),
        ("SELECT * {?s ?p ?o FILTER(?s<?p&&?o>?s)}", QueryForm.SELECT),
        ("PREFIX a: <http://x/> PREFIX a: <http://y/> ASK { ?s a:b 1 }", QueryForm.ASK),
        ("SELECT * { ?s ?p 'SERVICE' }", QueryForm.SELECT),
        ("ASK { e:service ?SERVICE <http://e/SERVICE> } # SERVICE", QueryForm.ASK),
    ],
)
def test_a_query_has_its_form(text: str, form: QueryForm) -> None:
    assert check(text, PREFIXES) is form


# Case CLI-08 and its kin: each fault with its place and the beginning of its sentence.
@pytest.mark.parametrize(
    ("text", "place", "what"),
    [
        ("SELECT * {foo:a ?p ?o}", (1, 11), "prefix foo: is not declared"),
        ("SELECT ?n {?s :name ?n}", (1, 15), "prefix : is not declared"),
        ("PREFIX a: <http://a/>\nASK {\n a:b a:c b:d }", (3, 10), "prefix b: is not declared"),
        ("SELECT ?l {<test> ?p ?l}", (1, 12), "<test> is a relative IRI, and the query has no"),
        ("PREFIX a: <x/> ASK { a:b ?p ?o }", (1, 11), "<x/> is a relative IRI"),
        ("BASE <x/> ASK { <b> ?p ?o }", (1, 6), "an IRI is not legal"),
        ("", (1, 1), "the query is empty"),
        (" # nothing\n", (1, 1), "the query is empty"),
        ("PREFIX a: <http://a/>", (1, 22), "the query ends before any SELECT, ASK, CONSTRUCT or"),
        ("INSERT DATA {<a:a> <a:b> 1}", (1, 1), "INSERT begins an update"),
        ("PREFIX a: <http://a/>\ndelete WHERE {?s ?p ?o}", (2, 1), "DELETE begins an update"),
        ("SELEC * {}", (1, 1), "SELEC begins no query (line 1, column 1); did you mean SELECT?"),
        ("{ ?s ?p ?o }", (1, 1), "{ begins no query"),
        ("ASK { ?s ?p ?o", (1, 5), "this { is never closed"),
        ("ASK { ?s ?p ?o }}", (1, 17), "this } closes nothing"),
        ("ASK {\n ?s ?p ?o )", (2, 11), ") stands where } should close the { of line 1"),
        ("ASK { ?s bb ?o }", (1, 10), "bb is no word of SPARQL"),
        ("ASK { FILTR(1) }", (1, 7), "FILTR is no word of SPARQL (line 1, column 7); did you mean"),
        ("ASK { ?s A ?o }", (1, 10), "A is no word of SPARQL"),
        ("ASK { <http://a b> ?p ?o }", (1, 16), "this character cannot stand in an IRI"),
        ("ASK { <http://a{b> ?p ?o }", (1, 16), "this character cannot stand in an IRI"),
        ("ASK { <http://[x> ?p ?o }", (1, 7), "an IRI is not legal"),
        ("ASK { ?s ?p 'a\\qb' }", (1, 13), "'a\\qb' is not expected here"),
        ("SELECT ?a, ?b { ?a ?b ?c }", (1, 10), ", is not expected here"),
        ("SELECT * { ?s ?p ?o } ORDER ?s", (1, 29), "?s is not expected here"),
        ("SELECT * { ?s ?p ?o } LIMIT -1", (1, 29), "-1 is not expected here"),
        ("SELECT * { ?s ?p ?o } LIMIT", (1, 28), "the query ends too early"),
        ("select * {?s ?p ?o} limit 10; DROP ALL", (1, 29), "; is not expected here"),
        ("SELECT (COUNT(?s)) { ?s ?p ?o }", (1, 18), ") is not expected here"),
        ("ASK { ?s ?p '''a\nb''' .\n ?o }", (3, 5), "} is not expected here"),
        ("SELECT ?s (COUNT(?x) AS ?n) { ?s ?p ?x }\n", None, "SELECT names a variable that is n"),
        ("SELECT (1 AS ?s) { ?s ?p ?x }", None, "SELECT gives an expression the name of a var"),
        ("SELECT * { ?s ?p ?o } GROUP BY ?s", None, "SELECT * cannot be used with GROUP BY"),
        ("ASK { } VALUES (?x ?y) { (1) } # x", None, "a row of VALUES has more or fewer values"),
        ("ASK { FILTER(<urn:f>(1)) }", (1, 14), "the function <urn:f> is not known"),
        ("ASK { FILTER(e:f(1)) }", None, "the function <http://e/f> is not known"),
        ("ASK { ?s ?p '\ud800' }", (1, 14), "U+D800 is half a character"),
        ("\ufeffASK {}", (1, 1), "unexpected character U+FEFF"),
    ],
)
def test_a_fault_is_named_with_its_place(
    text: str, place: tuple[int, int] | None, what: str
) -> None:
    error = refused(text)
    assert str(error).startswith(what)
    if place is not None:
        assert (error.line, error.column) == place


def test_a_fault_shows_its_line_with_a_mark() -> None:
    assert str(refused("SELECT * {\n\t?größe foo:a ?o}")).splitlines()[1:] == [
        "   ?größe foo:a ?o}",
        "          ^",
    ]


def test_the_mark_stands_right_behind_wide_characters() -> None:
    _, shown, mark = str(refused("ASK { ?s ?p '名前', }")).splitlines()
    assert shown == "  ASK { ?s ?p '名前', }"
    assert mark == "  " + " " * (len("ASK { ?s ?p ''") + 4 + len(", ")) + "^"


def test_a_long_line_is_cut_around_the_mark() -> None:
    _, shown, mark = str(refused(f"ASK {{ {'?s ?p ?o . ' * 50} foo:a ?p ?o {'. ?s ?p ?o' * 50}}}"))\
        .splitlines()  # fmt: skip
    assert len(shown) < 80
    assert shown[mark.index("^") :].startswith("foo:a")


@pytest.mark.parametrize(
    "text",
    [
        "ASK { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }",
        "ASK { service SILENT ?x { ?s ?p ?o } }",
        "ASK { FILTER(1<2)SERVICE<urn:x>{ } }",
        "ASK { # '\n SERVICE e:x { } # '\n }",
    ],
)
def test_no_other_server_is_called(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise AssertionError("the engine saw it")

    monkeypatch.setattr(ox, "Store", fail)
    assert str(refused(text)).startswith("SERVICE is refused")


def test_deep_nesting_does_not_come_before_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    depth = DEEPEST - 1
    assert check(f"ASK {{ FILTER{'(' * depth}1{')' * depth} }}", {}) is QueryForm.ASK
    monkeypatch.setattr(ox, "Store", None)
    depth += 1
    assert "nest deeper" in str(refused(f"ASK {{ FILTER{'(' * depth}1{')' * depth} }}"))


def test_the_prefixes_of_the_project_are_known_and_a_querys_own_wins() -> None:
    text = "ASK { ?s kg:slug ?a ; rdfs:label ?b ; schema:name ?c ; owl:sameAs ?d ; rdf:type ?e }"
    assert check(text, namespaces.prefixes()) is QueryForm.ASK
    own = "PREFIX kg: <http://mine/> ASK { <http://s> kg:a 1 }"
    store = ox.Store()
    store.add(ox.Quad(ox.NamedNode("http://s"), ox.NamedNode("http://mine/a"), ox.Literal(1)))
    assert check(own, namespaces.prefixes()) is QueryForm.ASK
    assert bool(store.query(own, prefixes=namespaces.prefixes()))


@given(st.lists(st.sampled_from([*"{}()[];,.<>'\"\\?#\n", " ", "?s", "e:p", "foo:a", "<a>",
                                 "SELECT", "*", "WHERE", "FILTER", "1", "'a'"]),
                max_size=20).map(" ".join))  # fmt: skip
def test_every_text_is_a_query_or_has_one_error_with_a_place(text: str) -> None:
    try:
        check(text, PREFIXES)
        return
    except QueryError as caught:
        error = caught
    assert error.line is not None
    assert error.column is not None
    assert 1 <= error.line <= text.count("\n") + 1
    assert error.column <= len(text.split("\n")[error.line - 1]) + 1
    assert "expected one of" not in str(error)


def test_every_word_that_a_good_query_uses_is_known() -> None:
    # A word that is not in the list would be blamed for whatever else is wrong.
    text = """
        SELECT DISTINCT ?s (COUNT(*) AS ?n) (GROUP_CONCAT(?o; SEPARATOR=",") AS ?g) FROM e:g
        FROM NAMED e:h WHERE { GRAPH ?x { ?s a ?o } MINUS { ?s ?p true } { } UNION { }
        BIND(IF(BOUND(?o), STRDT("1", e:d), UUID()) AS ?b) VALUES ?y { UNDEF }
        FILTER(NOT EXISTS { ?s ?p ?o } && ?s NOT IN (1) && isIRI(?s) && LANGMATCHES(LANG(?o), "*"))
        } GROUP BY ?s HAVING(COUNT(*) > 1) ORDER BY DESC(?n) LIMIT 5 OFFSET 2"""
    check(text, PREFIXES)
    words = set(re.findall(r"(?<![\w?:\"])[A-Za-z_]{2,}(?![\w:])", text))
    assert {word.upper() for word in words} <= KEYWORDS
    assert str(refused(text + " )")).startswith("this ) closes nothing")


def test_relative_iris_are_resolved_where_a_base_is_given() -> None:
    text = "SELECT ?l { <test> ?p ?l FILTER(?l = <#x>) }"
    assert check(text, PREFIXES, "http://b/") is QueryForm.SELECT
    with pytest.raises(QueryError, match=r"^SELECT names a variable"):
        check("SELECT ?l { <test> ?p ?l } GROUP BY ?p", PREFIXES, "http://b/")
    with pytest.raises(QueryError, match=r"prefix no: is not declared \(line 1, column 23\)"):
        check("SELECT ?l { <test> ?p no:l }", PREFIXES, "http://b/")


MANY = " ".join(f"VALUES ?v{n} {{ {' '.join(map(str, range(200)))} }}" for n in range(5))
HEAVY = [
    (f"SELECT * {{ {MANY} }} ORDER BY ?v0 ?v1", ("v0", "v1", "v2", "v3", "v4")),
    (f"SELECT (COUNT(*) AS ?n) {{ {MANY} }}", ("n",)),
    (f"SELECT ?v4 (SUM(?v0) AS ?n) {{ {MANY} }} GROUP BY ?v4 HAVING(?n > 1)", ("v4", "n")),
    (f"SELECT DISTINCT ?v4 ?v1 {{ {{ {MANY} }} }} VALUES ?v4 {{ 1 2 }}", ("v4", "v1")),
    (f"SELECT * {{ SELECT ?v1 ?v0 {{ {MANY} }} ORDER BY ?v2 }} ORDER BY ?v1", ("v0", "v1")),
    (
        f"SELECT (COUNT(*) AS ?n) (EXISTS {{ {MANY} FILTER(?v0 > 999) }} AS ?x) {{ }} ORDER BY ?x",
        ("n", "x"),
    ),
    (f"SELECT *\nFROM e:g {{ ?s ?p ?o # }}\n MINUS {{ {MANY} }} }}", ("o", "p", "s")),
    (f"ASK {{ {MANY} FILTER(?v0 > 999) }}", ()),
    (f"CONSTRUCT {{ ?v0 ?v1 ?v2 }} WHERE {{ {MANY} }} ORDER BY ?v0", ()),
    (f"DESCRIBE ?v0 {{ {MANY} }} ORDER BY ?v0", ()),
    (f"ASK {{ {MANY} FILTER(xsd:integer(?v0) > 999) }}", ()),
]


@pytest.mark.parametrize(("text", "names"), HEAVY)
def test_a_query_is_checked_without_being_evaluated(text: str, names: tuple[str, ...]) -> None:
    # Each takes hours to evaluate.
    prefixes = {**PREFIXES, "xsd": "http://www.w3.org/2001/XMLSchema#"}
    start = time.process_time()
    form = check(text, prefixes)
    assert form == text.split(maxsplit=1)[0]
    if form is QueryForm.SELECT:
        assert columns(text, list(scan(text)), prefixes) == names
    with pytest.raises(QueryError, match="is never closed"):
        check(f"{text} {{", prefixes)
    with pytest.raises(QueryError, match="~ is not expected here"):
        check(f"{text} ~", prefixes)
    assert time.process_time() - start < 1


@pytest.mark.parametrize(
    "path", sorted(resources.queries().glob("*.rq")), ids=lambda path: path.stem
)
def test_form_and_columns_are_those_that_the_engine_evaluates(path: Path) -> None:
    text = path.read_text("utf-8")
    answer = ox.Store().query(text)
    form = check(text, {})
    assert form.is_graph == isinstance(answer, ox.QueryTriples)
    if isinstance(answer, ox.QuerySolutions):
        assert columns(text, list(scan(text)), {}) == tuple(v.value for v in answer.variables)


TERMS = st.sampled_from(["?a", "?b", "?c"])
PATTERNS = st.recursive(
    st.tuples(TERMS, TERMS, TERMS).map(" ".join),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda two: f"{{ {two[0]} }} UNION {{ {two[1]} }}"),
        inner.map(lambda one: f"OPTIONAL {{ {one} }}"),
        inner.map(lambda one: f"{{ SELECT ?b ?a {{ {one} }} }}"),
    ),
    max_leaves=4,
)


@given(st.sampled_from(["*", "DISTINCT *", "?b ?a", "?c (1 + 2 AS ?d)", "(STR(?b) AS ?a1) ?b"]),
       st.sampled_from(["", "WHERE", "FROM e:g WHERE"]), PATTERNS,
       st.sampled_from(["", "ORDER BY ?a", "LIMIT 2", "VALUES ?z { 1 }"]))  # fmt: skip
def test_the_columns_are_those_that_the_engine_gives(
    names: str, where: str, pattern: str, end: str
) -> None:
    text = f"SELECT {names} {where} {{ {pattern} }} {end}"
    check(text, PREFIXES)
    answer = ox.Store().query(text, prefixes=PREFIXES)
    assert isinstance(answer, ox.QuerySolutions)
    assert columns(text, list(scan(text)), PREFIXES) == tuple(v.value for v in answer.variables)


def test_a_predicate_before_a_list_is_no_function() -> None:
    assert check("ASK { ?s e:p (1 2) ; ^e:q (3) . e:r e:p () }", PREFIXES) is QueryForm.ASK
    error = refused("ASK { ?s e:p (1 2) OPTIONAL { FILTER(1 < e:p (1)) } }")
    assert str(error).startswith("the function <http://e/p> is not known (line 1, column 42)")
