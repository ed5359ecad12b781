"""Property paths: what is read is what was written, and SPARQL takes the text."""

from __future__ import annotations

from itertools import count

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.rdflib_terms import from_rdflib, graph_of, to_rdflib
from kg.validator.paths import PropertyPath
from tests.validator.making import PREFIXES, E

predicates = st.sampled_from("abc").map(lambda name: PropertyPath("predicate", E + name))
paths = st.recursive(
    predicates,
    lambda inner: st.one_of(
        st.builds(
            lambda kind, part: PropertyPath(kind, parts=(part,)),
            st.sampled_from(["inversePath", "zeroOrMorePath", "oneOrMorePath", "zeroOrOnePath"]),
            inner,
        ),
        st.builds(
            lambda kind, parts: PropertyPath(kind, parts=tuple(parts)),
            st.sampled_from(["alternativePath", "sequence"]),
            st.lists(inner, min_size=2, max_size=3),
        ),
    ),
    max_leaves=6,
)


@given(paths)
def test_a_path_written_as_triples_is_read_as_it_was(path: PropertyPath) -> None:
    numbers = count()
    node, triples = path.triples(lambda: ox.BlankNode(f"b{next(numbers)}"))
    assert PropertyPath.read(graph_of(triples), to_rdflib(node)) == path


@given(paths)
def test_a_path_as_text_is_a_path_of_sparql(path: PropertyPath) -> None:
    ox.Store().query(f"ASK {{ ?s {path.text(lambda iri: f'<{iri}>')} ?o }}")


@pytest.mark.parametrize(
    ("turtle", "text"),
    [
        ("e:a", "a"),
        ("[ sh:inversePath e:a ]", "^a"),
        ("( e:a e:b )", "a/b"),
        ("( e:a [ sh:inversePath e:b ] )", "a/(^b)"),
        ("[ sh:alternativePath ( e:a ( e:b e:c ) ) ]", "a|(b/c)"),
        ("[ sh:zeroOrMorePath [ sh:inversePath e:a ] ]", "(^a)*"),
        ("[ sh:oneOrMorePath e:a ]", "a+"),
        ("[ sh:zeroOrOnePath ( e:a e:b ) ]", "(a/b)?"),
    ],
)
def test_paths_look_as_in_sparql(turtle: str, text: str) -> None:
    content = f"{PREFIXES} e:shape sh:path {turtle} ."
    graph = graph_of(ox.parse(content, format=ox.RdfFormat.TURTLE))
    node = next(graph.objects(to_rdflib(ox.NamedNode(E + "shape"))))
    path = PropertyPath.read(graph, node)
    assert path.text(lambda iri: iri.removeprefix(E)) == text
    if path.kind == "predicate":
        assert from_rdflib(node) == ox.NamedNode(path.iri)
