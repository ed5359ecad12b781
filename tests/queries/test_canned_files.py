from __future__ import annotations

import re

import pyoxigraph as ox
import pytest
import rdflib
from rdflib.plugins.sparql import prepareQuery

from kg import resources
from kg.catalogue import Catalogue, ParameterType
from kg.catalogue.markdown import listed_in_markdown
from kg.iris import DEFAULT_BASE
from kg.namespaces import KG, VOCAB
from kg.sparql import Kind, scan

CATALOGUE = Catalogue.load()
NAMES = sorted(path.stem for path in resources.queries().iterdir() if path.suffix == ".rq")


def test_there_are_only_canned_queries_in_the_folder_and_their_list() -> None:
    assert [query.name for query in CATALOGUE] == NAMES
    assert {path.name for path in resources.queries().iterdir()} == {
        "README.md",
        *(f"{name}.rq" for name in NAMES),
    }


def test_the_list_is_the_one_that_the_catalogue_writes() -> None:
    readme = (resources.queries() / "README.md").read_text("utf-8")
    assert readme == listed_in_markdown(CATALOGUE)


def test_the_order_of_every_query_with_rows_is_said() -> None:
    for query in CATALOGUE:
        words = [token.text.upper() for token in scan(query.text) if token.kind is Kind.WORD]
        assert "ORDER" in words, query.name


@pytest.mark.parametrize("name", NAMES)
def test_a_file_runs_as_it_stands_on_two_engines(name: str) -> None:
    text = CATALOGUE.get(name).text
    ox.Store().query(text)
    prepareQuery(text)
    list(rdflib.Graph().query(text))


@pytest.mark.parametrize("name", NAMES)
def test_every_example_works_alone_and_with_the_required_ones(name: str) -> None:
    query = CATALOGUE.get(name)
    required = {p.name: p.example for p in query.parameters if p.required}
    assert query.bind(required) == query.text
    for parameter in query.parameters:
        ox.Store().query(query.bind({**required, parameter.name: parameter.example}))


@pytest.mark.parametrize("name", NAMES)
def test_every_query_and_parameter_says_what_it_is(name: str) -> None:
    query = CATALOGUE.get(name)
    assert re.fullmatch(r"[A-Z].*[^.]", query.title)
    for text in (query.description, *(p.description for p in query.parameters)):
        assert re.fullmatch(r"[A-Za-z].*\.", text)
    for name_ in (*query.columns, *(p.name for p in query.parameters)):
        assert re.fullmatch(r"[a-z][A-Za-z0-9]*", name_)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_but_values_stands_below_the_base(name: str) -> None:
    # A store with another base has other IRIs; only what is bound moves with it.
    query = CATALOGUE.get(name)
    required = {p.name: p.example for p in query.parameters if p.required}
    things = [p for p in query.parameters if p.required and p.type is ParameterType.IRI]
    bound = query.bind(required, "https://other.example/")
    iris = {token.text[1:-1] for token in scan(bound) if token.kind is Kind.IRI}
    assert not {iri for iri in iris if iri.startswith(DEFAULT_BASE)} - {KG, VOCAB}
    assert len({iri for iri in iris if iri.startswith("https://other.example/")}) == len(things)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_required_stands_before_what_is_optional(name: str) -> None:
    # Case QRY-06: OPTIONAL first makes the engine read everything.
    tokens = list(scan(CATALOGUE.get(name).text))
    optional = next((t.start for t in tokens if t.is_word("OPTIONAL")), tokens[-1].end)
    depth = 0
    for token in tokens:
        if token.is_mark("{", "}"):
            depth += 1 if token.text == "{" else -1
        # A cast such as xsd:integer(…) is no pattern.
        is_pattern = token.kind is Kind.PREFIXED_NAME and not token.text.startswith("xsd:")
        if depth == 1 and is_pattern:
            assert token.start < optional


def test_the_classes_that_are_counted_are_those_of_the_ontology() -> None:
    ontology = rdflib.Graph().parse(resources.ontology() / "ontology.ttl")
    classes = {str(c) for c in ontology.subjects(rdflib.RDF.type, rdflib.OWL.Class)}
    answer = ox.Store().query(CATALOGUE.get("class-counts").text)
    assert isinstance(answer, ox.QuerySolutions)
    assert {row["class"].value for row in answer} == {c for c in classes if c.startswith(KG)}


@pytest.mark.parametrize("name", NAMES)
def test_every_term_that_a_query_uses_is_in_the_ontology(name: str) -> None:
    ontology = rdflib.Graph().parse(resources.ontology() / "ontology.ttl")
    defined = {str(s).removeprefix(KG) for s in ontology.subjects() if str(s).startswith(KG)}
    names = {
        token.text.removeprefix("kg:")
        for token in scan(CATALOGUE.get(name).text)
        if token.kind is Kind.PREFIXED_NAME and token.text.startswith("kg:") and token.text != "kg:"
    }
    assert names <= defined
