"""What programs are answered that look for prefixes, examples and statistics, and no others."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pyoxigraph as ox
import pytest

from kg import namespaces
from kg.catalogue import Catalogue, rdf
from kg.evaluation import InProcess, WithMetadata
from kg.iris import DEFAULT_BASE
from kg.metadata import graph_iri, is_about_metadata, quads
from kg.namespaces import KG, SH, SKOS, VOID
from kg.partitions import Counts, Partitions
from kg.protocol import Question
from kg.sparql import Graphs
from kg.store import Store

JSON = "application/sparql-results+json"
DATA = """
paper:a a kg:Paper ; dct:title "A" ; dct:issued "2020"^^xsd:gYear ; kg:task task:t .
task:t a kg:Task ; rdfs:label "T" .
"""
# As SIB's SPARQL editor asks them (its metadata.ts).
PREFIXES = """PREFIX sh: <http://www.w3.org/ns/shacl#>
      SELECT DISTINCT ?prefix ?namespace
      WHERE { [] sh:namespace ?namespace ; sh:prefix ?prefix}
      ORDER BY ?prefix"""
EXAMPLES = """PREFIX sh: <http://www.w3.org/ns/shacl#>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
SELECT DISTINCT ?sq ?comment ?query WHERE {
  ?sq a sh:SPARQLExecutable ; rdfs:comment ?comment ;
    sh:select|sh:ask|sh:construct|sh:describe ?query .
} ORDER BY ?sq"""
STATISTICS = """PREFIX owl: <http://www.w3.org/2002/07/owl#>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX sh:<http://www.w3.org/ns/shacl#>
PREFIX sd:<http://www.w3.org/ns/sparql-service-description#>
PREFIX void:<http://rdfs.org/ns/void#>
PREFIX void-ext:<http://ldf.fi/void-ext#>
SELECT DISTINCT ?graph ?graphLabel ?subjectClass ?prop ?objectClass ?objectDatatype
?triples ?subjectClassLabel ?objectClassLabel ?subjectClassComment ?objectClassComment ?propLabel
WHERE {
      {
        OPTIONAL {
          ?graph sd:graph ?graphDesc .
          OPTIONAL { ?graph rdfs:label ?graphLabel }
          ?graphDesc void:classPartition ?cp .
        }
        ?cp void:class ?subjectClass ;
          void:propertyPartition ?pp .
        OPTIONAL { ?subjectClass rdfs:label ?subjectClassLabel }
        OPTIONAL { ?subjectClass rdfs:comment ?subjectClassComment }
        ?pp void:property ?prop .
        OPTIONAL { ?pp void:triples ?triples }
        OPTIONAL { ?prop rdfs:label ?propLabel }
        OPTIONAL {
          {
            ?pp  void:classPartition [ void:class ?objectClass ] .
            OPTIONAL { ?objectClass rdfs:label ?objectClassLabel }
            OPTIONAL { ?objectClass rdfs:comment ?objectClassComment }
          } UNION {
            ?pp void-ext:datatypePartition [ void-ext:datatype ?objectDatatype ] .
          }
        }
      } UNION {
        ?linkset void:subjectsTarget [ void:class ?subjectClass ] ;
          void:linkPredicate ?prop ;
          void:objectsTarget [ void:class ?objectClass ] .
      }
} ORDER BY ?subjectClass ?objectClass ?objectDatatype ?graph ?triples"""
CLASSES = "SELECT DISTINCT ?cls WHERE { [] a ?cls . }"
PREDICATES = "SELECT DISTINCT ?pred WHERE { [] ?pred [] . }"


def counted(base: str = DEFAULT_BASE) -> tuple[list[bytes], Counts]:
    """Return the lines of the data, and what they count."""
    text = "".join(f"PREFIX {p}: <{iri}>\n" for p, iri in namespaces.prefixes(base).items()) + DATA
    triples = ox.parse(text, format=ox.RdfFormat.TURTLE)
    lines = sorted((ox.serialize(triples, format=ox.RdfFormat.N_TRIPLES) or b"").splitlines())
    partitions = Partitions(base)
    partitions.scan(line.split(b" ", 2) for line in lines)
    return lines, partitions.counts()


@pytest.fixture(params=[DEFAULT_BASE, "https://e.org/kg/"])
def base(request: pytest.FixtureRequest) -> str:
    assert isinstance(request.param, str)
    return request.param


@pytest.fixture
def store(base: str) -> Store:
    """A store as a build makes it: data, canned queries, and the description."""
    lines, counts = counted(base)
    store = Store.in_memory()
    store.load(lines)
    store.load(rdf.quads(Catalogue.load(), base))
    store.load(quads(base, len(lines), counts))
    return store


def asked(store: Store, base: str, text: str, graphs: Graphs | None = None) -> list[dict[str, str]]:
    """Return what an endpoint with metadata answers."""
    _, counts = counted(base)

    async def evaluate() -> bytes:
        evaluation = await WithMetadata(InProcess(store, base), base, counts)(
            Question(text, JSON, None, graphs)
        )
        return b"".join([piece async for piece in evaluation.body])

    answer: dict[str, Any] = json.loads(asyncio.run(evaluate()))
    return [
        {name: term["value"] for name, term in row.items()} for row in answer["results"]["bindings"]
    ]


def test_the_prefixes_are_those_of_the_project(store: Store, base: str) -> None:
    found = {row["prefix"]: row["namespace"] for row in asked(store, base, PREFIXES)}
    assert found == namespaces.prefixes(base)


def test_the_examples_are_the_canned_queries_and_run(store: Store, base: str) -> None:
    rows = asked(store, base, EXAMPLES)
    names = [row["sq"].removeprefix(f"{base}queries/") for row in rows]
    assert names == sorted(Catalogue.load().queries)
    for row in rows:
        assert row["comment"]
        asked(store, base, row["query"])


def test_the_statistics_are_those_of_the_data(store: Store, base: str) -> None:
    rows = asked(store, base, STATISTICS)
    papers = {row["prop"]: row for row in rows if row["subjectClass"] == f"{KG}Paper"}
    assert papers[f"{KG}task"]["triples"] == "1"
    assert papers[f"{KG}task"]["objectClass"] == f"{KG}Task"
    assert papers[f"{KG}task"]["propLabel"] == "task"
    assert papers[f"{KG}task"]["subjectClassLabel"] == "paper"
    title = papers["http://purl.org/dc/terms/title"]
    assert title["objectDatatype"] == "http://www.w3.org/2001/XMLSchema#string"
    assert "objectClass" not in title
    dated = {row.get("objectDatatype") for row in rows if row["prop"].endswith("/issued")}
    assert dated == {
        f"http://www.w3.org/2001/XMLSchema#{t}" for t in ("date", "gYear", "gYearMonth")
    }
    assert {row["subjectClass"] for row in rows} == {f"{KG}Paper", f"{KG}Task"}


def test_no_plain_query_and_no_count_meets_the_metadata(store: Store, base: str) -> None:
    lines, _ = counted(base)
    (row,) = asked(store, base, "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }")
    assert row["n"] == str(len(lines))
    assert {row["cls"] for row in asked(store, base, CLASSES)} == {f"{KG}Paper", f"{KG}Task"}
    assert len(asked(store, base, PREDICATES)) == 5


def test_graphs_that_a_query_names_are_those_that_are_asked(store: Store, base: str) -> None:
    named = f"SELECT ?p {{ GRAPH <{rdf.graph_iri(base)}> {{ ?d sh:prefix ?p }} }}"
    assert len(asked(store, base, named)) == len(namespaces.prefixes(base))
    assert asked(store, base, "SELECT * { ?d sh:prefix ?p }", Graphs(("http://e/none",))) == []
    for pattern, number in (("?d sh:prefix ?o", 0), ("?d void:classPartition ?o", 3)):
        text = " ".join(["SELECT ?o FROM", f"<{graph_iri(base)}>", "{", pattern, "}"])
        assert len(asked(store, base, text)) == number


def test_data_that_uses_the_vocabularies_itself_answers_for_itself(base: str) -> None:
    store = Store.in_memory()
    store.load([f'<http://e/d> <{SH}prefix> "mine" .'.encode()])
    store.load(rdf.quads(Catalogue.load(), base))

    async def evaluate() -> bytes:
        counts = Counts(properties={f"{SH}prefix": 1})
        evaluation = await WithMetadata(InProcess(store, base), base, counts)(
            Question("SELECT ?p { ?d sh:prefix ?p }", "text/csv", None)
        )
        return b"".join([piece async for piece in evaluation.body])

    assert asyncio.run(evaluate()) == b"p\r\nmine\r\n"


@pytest.mark.parametrize(
    "text",
    [
        PREFIXES,
        EXAMPLES,
        STATISTICS,
        "ASK { ?s sh:prefix ?p }",
        "PREFIX x:<http://rdfs.org/ns/void#> SELECT * { ?d a x:Dataset ; ?p ?o }",
        "SELECT ?p { <http://www.w3.org/ns/shacl#declare> ?p ?o } # kg:Paper",
        "PREFIX kg: <http://example.org/> SELECT * { ?d void:triples ?n FILTER(?n > 'kg:x') }",
        "CONSTRUCT { ?s sh:select ?q } WHERE { ?s sh:select ?q ; dct:title ?t }",
    ],
)
def test_a_query_about_metadata_alone_is_recognised(text: str) -> None:
    assert is_about_metadata(text, namespaces.prefixes())


@pytest.mark.parametrize(
    "text",
    [
        "",
        CLASSES,
        PREDICATES,
        "SELECT * { ?s rdfs:label ?l }",
        "ASK { ?s sh:prefix ?p ; kg:task ?t }",
        "ASK { ?s sh:prefix ?p . <http://example.org/a> ?b ?c }",
        "ASK { GRAPH ?g { ?s sh:prefix ?p } }",
        "ASK FROM <http://e/g> { ?s sh:prefix ?p }",
        "BASE <http://e/> ASK { ?s sh:prefix <p> }",
        "PREFIX sh: <http://example.org/> ASK { ?s sh:prefix ?p }",
        "PREFIX void: <http://rdfs.org/ns/void#> ASK { ?s kg:task ?t }",
        "PREFIX void: <http://rdfs.org/ns/void#> ASK { ?s ?p ?t }",
        "ASK { ?s unknown:prefix ?p ; sh:prefix ?q }",
        "ASK { ?s sh:prefix <http://www.w3.org/ns/shacl\\u0023x> }",
        "ASK { ?s sh:prefix 'never closed }",
        "ASK { ?s ?p 'sh:prefix http://www.w3.org/ns/shacl#' }",
        "PREFIX sh:",
    ],
)
def test_any_other_query_is_one_about_the_data(text: str) -> None:
    assert not is_about_metadata(text, namespaces.prefixes())


def test_the_description_is_sorted_lines_of_one_graph_and_always_the_same(base: str) -> None:
    lines, counts = counted(base)
    found = quads(base, len(lines), counts)
    assert found == sorted(set(found)) == quads(base, len(lines), counts)
    parsed = list(ox.parse(b"\n".join(found), format=ox.RdfFormat.N_QUADS))
    assert {quad.graph_name for quad in parsed} == {ox.NamedNode(f"{base}void")}
    assert not any(isinstance(term, ox.BlankNode) for quad in parsed for term in quad)
    (total,) = _values(parsed, f"{base}void#dataset", f"{VOID}triples")
    assert total == str(len(lines))
    assert not any(quad.predicate.value == f"{VOID}sparqlEndpoint" for quad in parsed)


def test_a_store_of_which_little_is_counted_is_described_as_far_as_it_goes(base: str) -> None:
    old = Counts.of({"classes": {f"{KG}Paper": 3, f"{SKOS}Concept": 1}})
    parsed = list(ox.parse(b"\n".join(quads(base, 7, old)), format=ox.RdfFormat.N_QUADS))
    assert sum(quad.predicate.value == f"{VOID}class" for quad in parsed) == 2
    assert quads(base, 0, Counts())


def _values(found: list[ox.Quad], subject: str, property_: str) -> Iterator[str]:
    for quad in found:
        if quad.subject == ox.NamedNode(subject) and quad.predicate.value == property_:
            assert isinstance(quad.object, ox.Literal)
            yield quad.object.value
