"""The catalogue as RDF, read back by two engines."""

from __future__ import annotations

import csv

import pyoxigraph as ox
import pytest
import rdflib
from rdflib.namespace import DCTERMS, RDF, RDFS, SH, SKOS

from kg import namespaces, resources
from kg.catalogue import CannedQuery, Catalogue, rdf

CATALOGUE = Catalogue.load()
OTHER = "https://other.example/kg/"


def graph(base: str = "https://w3id.org/paperkg/") -> rdflib.Graph:
    lines = rdf.quads(CATALOGUE, base)
    end = f" <{rdf.graph_iri(base)}> .".encode()
    assert all(line.endswith(end) for line in lines)
    named = rdflib.Graph().parse(
        data=b"\n".join(line.removesuffix(end) + b" ." for line in lines), format="nt"
    )
    assert len(named) == len(lines)
    return named


def test_the_lines_are_sorted_canonical_quads_of_one_graph() -> None:
    lines = rdf.quads(CATALOGUE)
    assert lines == sorted(set(lines))
    read = list(ox.parse(b"\n".join(lines), format=ox.RdfFormat.N_QUADS))
    assert {quad.graph_name for quad in read} == {ox.NamedNode("https://w3id.org/paperkg/queries")}
    assert [f"{quad} .".encode() for quad in read] == lines
    assert not any(isinstance(term, ox.BlankNode) for quad in read for term in quad)


@pytest.mark.parametrize("base", ["https://w3id.org/paperkg/", OTHER])
def test_every_query_is_an_executable_whose_text_runs(base: str) -> None:
    named = graph(base)
    for query in CATALOGUE:
        iri = rdflib.URIRef(f"{base}queries/{query.name}")
        types = set(named.objects(iri, RDF.type))
        assert types == {SH.SPARQLExecutable, SH.SPARQLSelectExecutable}
        assert named.value(iri, RDFS.label) == rdflib.Literal(query.title, lang="en")
        assert named.value(iri, RDFS.comment) == rdflib.Literal(query.description, lang="en")
        text = str(named.value(iri, SH.select))
        examples = {p.name: p.example for p in query.parameters if p.required}
        assert text == query.bind(examples, base)
        ox.Store().query(text)
    assert len(set(named.subjects(RDF.type, SH.SPARQLExecutable))) == len(CATALOGUE.queries)


def test_the_examples_in_the_text_are_things_below_the_base() -> None:
    text = str(graph(OTHER).value(rdflib.URIRef(f"{OTHER}queries/paper-code"), SH.select))
    assert f"<{OTHER}paper/cblue-a-chinese-biomedical-language>" in text
    assert "<https://w3id.org/paperkg/paper/" not in text


def test_the_parameters_are_described() -> None:
    named = graph()
    for query in CATALOGUE:
        iri = rdflib.URIRef(rdf.query_iri(query.name))
        own = sorted(named.objects(iri, SH.parameter), key=lambda p: named.value(p, SH.order))
        assert [str(named.value(p, SH.name)) for p in own] == [p.name for p in query.parameters]
        for node, parameter in zip(own, query.parameters, strict=True):
            assert str(node) == f"{iri}#{parameter.name}"
            assert str(named.value(node, SH.path)).partition("#")[2] == parameter.name
            assert named.value(node, SH.optional).toPython() is not parameter.required
            assert parameter.description in named.value(node, SH.description)
            assert named.value(node, SKOS.example) is not None
            assert (named.value(node, SH.defaultValue) is None) is (parameter.default is None)
    order = rdflib.URIRef(rdf.query_iri("best-result") + "#order")
    assert "It takes higher, lower or known." in named.value(order, SH.description)


def test_the_prefixes_are_declared_as_they_are_known() -> None:
    named = graph(OTHER)
    declared = {
        str(named.value(node, SH.prefix)): str(named.value(node, SH.namespace))
        for node in named.objects(rdflib.URIRef("https://w3id.org/paperkg/ns"), SH.declare)
    }
    assert declared == namespaces.prefixes(OTHER)
    for query in CATALOGUE:
        iri = rdflib.URIRef(rdf.query_iri(query.name, OTHER))
        assert named.value(iri, SH.prefixes) == rdflib.URIRef("https://w3id.org/paperkg/ns")


def test_every_term_is_in_its_vocabulary() -> None:
    with (resources.ontology() / "external-terms.tsv").open(encoding="utf-8", newline="") as file:
        known = {row["IRI"] for row in csv.DictReader(file, delimiter="\t")}
    for vocabulary in (SH, SKOS, RDFS, DCTERMS):  # closed lists of rdflib
        known |= {str(vocabulary[name]) for name in vocabulary.__annotations__}
    named = graph()
    used = {str(p) for p in named.predicates()} | {str(o) for o in named.objects(None, RDF.type)}
    assert used <= known
    assert str(SH.select) + "or" not in known


@pytest.mark.parametrize(
    ("text", "class_", "property_"),
    [
        ("ASK {}", str(SH.SPARQLAskExecutable), str(SH.ask)),
        (
            "CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }",
            str(SH.SPARQLConstructExecutable),
            str(SH.construct),
        ),
        ("DESCRIBE <e:x>", f"{rdf.SPEX}SPARQLDescribeExecutable", f"{rdf.SPEX}describe"),
    ],
)
def test_every_form_has_its_class(text: str, class_: str, property_: str) -> None:
    query = CannedQuery.parse("x", f"#+ title: X\n#+ description: Y.\n{text}\n")
    lines = b"\n".join(rdf.quads([query])).decode()
    assert f"<https://w3id.org/paperkg/queries/x> <{RDF.type}> <{class_}> " in lines
    assert f"<https://w3id.org/paperkg/queries/x> <{property_}> " in lines
