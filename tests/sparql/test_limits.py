"""What a query may ask for, as its text shows: length, nesting, patterns."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib.plugins.sparql import prepareQuery
from rdflib.plugins.sparql.parserutils import CompValue

from kg import namespaces, resources
from kg.errors import LimitError
from kg.limits import Limits
from kg.sparql import check, scan
from kg.sparql.patterns import too_many


def patterns(text: str) -> int:
    """The most patterns that a group of *text* joins."""
    tokens = list(scan(text))
    return next(most for most in range(1_000) if too_many(tokens, most) is None)


# One text for each way in which patterns are written, and how many are joined.
COUNTED = {
    "{}": 0,
    "{ ?s ?p ?o }": 1,
    "{ ?s ?p ?o . }": 1,
    "{ ?s ?p ?o , ?o2 ; ?q 1 . }": 3,
    "{ ?s ?p ?o ; . ?s ?p 2 ; ; . }": 2,
    "{ ?s ?p true . ?s ?p false . ?s a 1 }": 3,
    "{ ?s ?p 'a'@en , 'b'^^<x:y> , -1 }": 3,
    "{ ?s ?p () }": 1,
    "{ ?s ?p (1 2 3) }": 7,
    "{ ?s ?p (1 (2 3)) }": 9,
    "{ ?s ?p ('a'^^<x:y> 'b'@en) }": 5,
    "{ (1 2) ?p ?o }": 5,
    "{ ?s ?p [ a ?x ; ?y 'a'@en, 1 ] . }": 4,
    "{ [ ?p ?o ] . ?s ?p ?o }": 3,
    "{ ?s ?p [] }": 1,
    "{ ?s :a/:b/:c ?o }": 3,
    "{ ?s (:a|:b|^:c)+ ?o }": 1,
    "{ ?s !(:a|:b) ?o }": 1,
    "{ { ?a ?b ?c } { ?a ?b ?d . ?e ?f ?g } }": 3,
    "{ ?a ?b ?c . { ?a ?b ?d } ?e ?f ?g }": 3,
    "{ { ?a ?b ?c } UNION { ?a ?b ?d . ?e ?f ?g } ?x ?y ?z }": 2,
    "{ { ?a ?b ?c } UNION { ?a ?b ?d } UNION { ?a ?b ?d } ?x ?y ?z }": 1,
    "{ ?a ?b ?c OPTIONAL { ?a ?b ?d . ?e ?f ?g ; ?h ?i } ?x ?y ?z }": 3,
    "{ ?a ?b ?c MINUS { ?a ?b ?d . ?e ?f ?g } }": 2,
    "{ GRAPH ?g { ?s ?p ?o } GRAPH <g:h> { ?s ?p 1, 2 } }": 3,
    "{ ?s ?p ?o FILTER(?o IN (1, 2, 3)) ?s ?p 2 . }": 2,
    "{ FILTER <f:g>(1, 2) ?x ?y ?z }": 1,
    "{ FILTER NOT EXISTS { ?a ?b ?c, ?d } ?x ?y ?z }": 2,
    "{ FILTER(EXISTS { ?a ?b ?c, ?d, ?e } || 1 = 2) ?x ?y ?z }": 3,
    "{ BIND(IF(1, 2, 3) AS ?x) ?x ?y ?z }": 1,
    "{ VALUES ?x { 1 2 3 UNDEF } VALUES (?y ?z) { (1 2) (3 4) } ?x ?y ?z }": 3,
    "{ ?a ?b ?c { SELECT ?a { ?a ?b ?d . ?e ?f ?g } GROUP BY (1 + 2 AS ?x)"
    " HAVING(COUNT(?a) > 1) ORDER BY <f:g>(1, 2) } ?d ?e ?f }": 2,
}


@pytest.mark.parametrize("group", COUNTED)
def test_patterns_that_are_joined_are_counted(group: str) -> None:
    assert patterns(f"PREFIX : <x:> ASK {group}") == COUNTED[group]
    assert patterns(f"PREFIX : <x:> SELECT (1 AS ?one) {group} ORDER BY ?s VALUES ?v {{ 1 2 }}") \
        == COUNTED[group]  # fmt: skip


def test_a_template_is_not_planned() -> None:
    assert patterns("CONSTRUCT { ?a ?b ?c , ?d , ?e } WHERE { ?a ?b ?c }") == 1
    assert patterns("CONSTRUCT WHERE { ?a ?b ?c , ?d }") == 2


def basic_graph_patterns(part: Any) -> list[int]:
    """The sizes of the basic graph patterns in an algebra of rdflib."""
    found = []
    if isinstance(part, CompValue):
        if part.name == "BGP":
            found.append(len(part.triples))
        for key, value in part.items():
            if key != "_vars":
                found += basic_graph_patterns(value)
    elif isinstance(part, list | tuple):
        for value in part:
            found += basic_graph_patterns(value)
    return found


@pytest.mark.parametrize(
    "path", sorted(resources.queries().glob("*.rq")), ids=lambda path: path.stem
)
def test_no_basic_graph_pattern_is_larger_than_what_is_counted(path: Path) -> None:
    text = path.read_text("utf-8")
    algebra = prepareQuery(text, initNs=namespaces.prefixes()).algebra
    largest = max(basic_graph_patterns(algebra))
    assert largest <= patterns(text) <= sum(basic_graph_patterns(algebra)) + text.count("VALUES")


TERM = st.sampled_from(["?a", "?b", ":c", "1", "'d'", "( 1 2 )", "[ :e 1 ; :f 2 ]"])
SUBJECT = st.sampled_from(["?a", ":b"])
VERB = st.sampled_from(["?p", ":p", "a", ":p/:q", "(:p|:q)"])
TRIPLES = st.tuples(SUBJECT, VERB, st.lists(TERM, min_size=1, max_size=3).map(" , ".join))


@given(st.lists(TRIPLES.map(" ".join), min_size=1, max_size=4))
def test_what_is_written_short_counts_as_what_is_written_out(statements: list[str]) -> None:
    text = f"PREFIX : <x:> CONSTRUCT {{}} WHERE {{ {' . '.join(statements)} }}"
    algebra = prepareQuery(text).algebra
    written_out = sum(basic_graph_patterns(algebra))
    # A path that is a sequence or a choice stays one pattern in rdflib.
    more = text.count("/")
    assert patterns(text) == written_out + more


def star(count: int) -> str:
    return f"SELECT * {{ {' '.join(f'?s <p:{n}> ?o{n} .' for n in range(count))} }}"


def test_what_may_be_joined_is_planned_before_long() -> None:
    limits = Limits()
    assert check(star(limits.patterns), {}, None, limits) == "SELECT"
    begun = time.process_time()
    ox.Store().query(star(limits.patterns))
    assert time.process_time() - begun < 10
    with pytest.raises(LimitError, match=r"join 100 patterns, not more \(--patterns\)") as caught:
        check(star(limits.patterns + 1), {}, None, limits)
    assert (caught.value.limit, caught.value.line) == ("--patterns", 1)
    assert check(star(limits.patterns + 1), {}) == "SELECT"  # one's own may take its time


def test_brackets_nest_as_deep_as_is_allowed() -> None:
    text = f"ASK {{ FILTER{'(' * 4}1{')' * 4} }}"
    assert check(text, {}, None, Limits(nesting=5)) == "ASK"
    with pytest.raises(LimitError, match=r"nest deeper than 4 \(--nesting\)") as caught:
        check(text, {}, None, Limits(nesting=4))
    assert (caught.value.limit, caught.value.column) == ("--nesting", 16)


@pytest.mark.parametrize("filler", ["a", "é", "\U0001f600", "\ud800"])
def test_a_query_is_as_long_as_its_bytes(filler: str) -> None:
    text = f"ASK {{ }} # {filler * 100}"
    size = len(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(LimitError, match="--query-length") as caught:
        check(text, {}, None, Limits(query_bytes=size - 1))
    assert (caught.value.limit, caught.value.line) == ("--query-length", None)
    if filler != "\ud800":
        assert check(text, {}, None, Limits(query_bytes=size)) == "ASK"
