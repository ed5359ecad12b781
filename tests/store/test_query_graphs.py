"""Which graphs a query sees; SPARQL 1.1, section 13.2, and case QRY-04."""

from __future__ import annotations

import pyoxigraph as ox
import pytest

from kg.sparql import Graphs
from kg.store import Store

COUNT = "SELECT (COUNT(*) AS ?n) {?s ?p ?o}"
COUNT_NAMED = "SELECT (COUNT(*) AS ?n) {GRAPH ?g {?s ?p ?o}}"
QUADS = """
<http://e/s> <http://e/p> "both" <http://e/g1> .
<http://e/s> <http://e/p> "both" <http://e/g2> .
<http://e/s> <http://e/p> "one" <http://e/g1> .
<http://e/s> <http://e/p> "three" <http://e/g3> .
<http://e/s> <http://e/p> "here" .
<http://e/s> <http://e/q> "here" .
<http://e/s> <http://e/r> "here" .
<http://e/s> <http://e/t> "here" .
<http://e/s> <http://e/u> "here" .
"""


@pytest.fixture(scope="module")
def store() -> Store:
    filled = ox.Store()
    filled.load(QUADS.encode(), format=ox.RdfFormat.N_QUADS)
    return Store(filled, "a test's")


def count(store: Store, text: str, graphs: Graphs | None = None) -> int:
    answer = store.query(text, prefixes={"e": "http://e/"}, base="http://e/", graphs=graphs)
    assert isinstance(answer, ox.QuerySolutions)
    (solution,) = answer
    return int(solution["n"].value)


def of(count_: str, *clauses: str) -> str:
    return count_.replace("{", " ".join((*clauses, "{")), 1)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        (COUNT, 5),  # the default graph alone: no union
        (COUNT_NAMED, 4),
        (of(COUNT, "FROM e:g1"), 2),
        (of(COUNT, "FROM <g1>"), 2),
        (of(COUNT, "FROM e:g1 FROM e:g2"), 2),  # merged as a set
        (of(COUNT, "FROM e:g1 FROM e:g1"), 2),
        (of(COUNT, "FROM e:g1 FROM e:g2 FROM e:g3"), 3),
        (of(COUNT, "FROM e:none"), 0),
        (of(COUNT, "FROM NAMED e:g1"), 0),
        (of(COUNT_NAMED, "FROM e:g1"), 0),
        (of(COUNT_NAMED, "FROM NAMED e:g1"), 2),
        (of(COUNT_NAMED, "FROM NAMED e:g1 FROM NAMED e:g2"), 3),
        (of(COUNT_NAMED, "FROM e:g1 FROM e:g2 FROM NAMED e:g3"), 1),
        (of(COUNT, "FROM e:g1 FROM e:g2 FROM NAMED e:g3"), 2),
    ],
)
def test_the_graphs_that_a_query_names_are_all_it_sees(
    store: Store, text: str, number: int
) -> None:
    assert count(store, text) == number


@pytest.mark.parametrize("clauses", ["", "FROM e:g3", "FROM e:g3 FROM e:g2 FROM NAMED e:g2"])
def test_the_graphs_that_are_given_win_over_those_that_are_named(
    store: Store, clauses: str
) -> None:
    both = Graphs(("http://e/g1", "http://e/g2"), ("http://e/g3",))
    assert count(store, of(COUNT, clauses), both) == 2
    assert count(store, of(COUNT_NAMED, clauses), both) == 1
    assert count(store, of(COUNT, clauses), Graphs((), ("http://e/g1",))) == 0
    assert count(store, of(COUNT_NAMED, clauses), Graphs(("http://e/g1",))) == 0


def test_a_blank_node_of_two_graphs_stays_one() -> None:
    filled = ox.Store()
    node = ox.BlankNode()
    for graph, value in (("g1", "a"), ("g2", "b")):
        filled.add(
            ox.Quad(
                node,
                ox.NamedNode("http://e/p"),
                ox.Literal(value),
                ox.NamedNode(f"http://e/{graph}"),
            )
        )
    text = of("SELECT (COUNT(*) AS ?n) { ?s e:p 'a', 'b' }", "FROM e:g1 FROM e:g2")
    assert count(Store(filled, "a test's"), text) == 1
