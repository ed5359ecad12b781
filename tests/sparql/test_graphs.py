from __future__ import annotations

import pytest

from kg.sparql import Graphs, graphs_of

PREFIXES = {"e": "http://e/"}


@pytest.mark.parametrize(
    ("text", "graphs"),
    [
        ("ASK {}", None),
        ("SELECT * FROM <http://e/a> {}", Graphs(("http://e/a",))),
        ("SELECT * from e:a from e:b {}", Graphs(("http://e/a", "http://e/b"))),
        ("SELECT * FROM e:a FROM <http://e/a> {}", Graphs(("http://e/a",))),
        ("SELECT * FROM NAMED e:a {}", Graphs((), ("http://e/a",))),
        ("DESCRIBE e:x FROM NAMED e:a FROM e:b", Graphs(("http://e/b",), ("http://e/a",))),
        ("PREFIX e: <http://f/> ASK FROM e:a {}", Graphs(("http://f/a",))),
        (
            "BASE <http://g/> PREFIX x: <y/> ASK FROM <a> FROM x:b {}",
            Graphs(("http://g/a", "http://g/y/b")),
        ),
        ("CONSTRUCT { ?s ?p 'FROM' } FROM e:a WHERE { ?s ?p ?o }", Graphs(("http://e/a",))),
        ("ASK { ?s ?p 'FROM' } # FROM <http://e/a>", None),
        ("ASK { ?FROM e:FROM e:a }", None),
        ("ASK FROM e:\\u0061 {}", None),  # no IRI escapes in prefixed names: no query
        ("ASK FROM <http://e/\\u0061> {}", Graphs(("http://e/a",))),
        ("ASK FROM", None),
        ("FROM e:a", None),
        ("ASK FROM nowhere:a {}", None),
        ("ASK FROM <http://e/a> { 'open }", None),
    ],
)
def test_the_graphs_that_a_query_names(text: str, graphs: Graphs | None) -> None:
    assert graphs_of(text, PREFIXES) == graphs


def test_a_relative_graph_is_resolved_against_the_base() -> None:
    assert graphs_of("ASK FROM <a> {}", {}, "http://b/") == Graphs(("http://b/a",))
    assert graphs_of("ASK FROM <a> {}", {}) is None
