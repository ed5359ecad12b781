"""Terms go to rdflib and come back as they were."""

from __future__ import annotations

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib import Literal, URIRef

from kg.namespaces import RDF, XSD
from kg.rdflib_terms import Term, from_rdflib, graph_of, to_rdflib

texts = st.text(st.characters(exclude_categories=["Cs"]))
terms = st.one_of(
    st.from_regex(r"https://example\.org/[a-z?]{0,5}#[a-z?]{0,5}", fullmatch=True).map(
        ox.NamedNode
    ),
    st.from_regex(r"[a-z][a-z0-9]{0,9}", fullmatch=True).map(ox.BlankNode),
    texts.map(ox.Literal),
    st.builds(
        lambda text, tag: ox.Literal(text, language=tag), texts, st.sampled_from(["en", "de-ch"])
    ),
    texts.map(lambda text: ox.Literal(text, datatype=ox.NamedNode("https://example.org/type"))),
)


@given(terms)
def test_a_term_comes_back_as_it_was(term: Term) -> None:
    assert from_rdflib(to_rdflib(term)) == term


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("85.50", "decimal"),
        ("+007", "integer"),
        ("1", "boolean"),
        ("2021-06-15Z", "date"),
        ("no number", "integer"),
        (" 5 ", "integer"),
    ],
)
def test_a_lexical_form_stays_as_it_is(text: str, type_: str) -> None:
    term = ox.Literal(text, datatype=ox.NamedNode(XSD + type_))
    assert from_rdflib(to_rdflib(term)) == term
    assert str(to_rdflib(term)) == text


def test_a_triple_term_is_refused() -> None:
    node = ox.NamedNode(RDF + "nil")
    triple = ox.Triple(node, node, node)
    with pytest.raises(ValueError, match="triple term"):
        to_rdflib(triple)
    with pytest.raises(ValueError, match="triple term"):
        graph_of([ox.Triple(node, node, triple)])


def test_a_text_is_the_plain_literal_that_rdflib_itself_would_read() -> None:
    assert to_rdflib(ox.Literal("a")) == Literal("a")
    assert to_rdflib(ox.Literal("a")) != Literal("a", datatype=URIRef(XSD + "string"))
