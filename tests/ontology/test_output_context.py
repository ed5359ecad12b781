"""The context for output has a short name for everything and loses nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyld import jsonld
from rdflib import RDF, Graph, Literal, URIRef
from rdflib.compare import isomorphic

from tests.ontology.contract_names import CLASSES, OF_OTHERS, PROPERTIES

HERE = Path(__file__).resolve()
DOCUMENT = json.loads(
    (HERE.parents[2] / "ontology" / "context" / "paperkg.jsonld").read_text("utf-8")
)
CONTEXT: dict[str, Any] = DOCUMENT["@context"]
KG = "https://w3id.org/paperkg/ns#"


def definitions() -> dict[str, str]:
    """The terms of the context with what they stand for, as prefixed names."""
    found = {}
    for term, definition in CONTEXT.items():
        target = definition["@id"] if isinstance(definition, dict) else definition
        if isinstance(target, str) and not target.startswith(("@", "http")):
            found[term] = target
    return found


def compact(graph: Graph) -> dict[str, Any]:
    document = jsonld.from_rdf(graph.serialize(format="nt"), {"format": "application/n-quads"})
    compacted: dict[str, Any] = jsonld.compact(document, DOCUMENT, {"graph": True})
    return compacted


def expand(document: dict[str, Any]) -> Graph:
    quads = jsonld.to_rdf(document, {"format": "application/n-quads"})
    return Graph().parse(data=quads, format="nt")


@pytest.fixture(scope="module")
def compacted() -> dict[str, Any]:
    return compact(Graph().parse(HERE.with_name("example.ttl")))


def test_every_class_and_property_has_a_name() -> None:
    wanted = {f"kg:{name}" for name in [*CLASSES, *PROPERTIES]} | set(OF_OTHERS)
    assert set(definitions().values()) == wanted


def test_no_two_names_stand_for_one_thing() -> None:
    assert len(set(definitions().values())) == len(definitions())


def test_names_of_our_own_terms_are_their_local_names() -> None:
    for term, target in definitions().items():
        if target.startswith("kg:"):
            assert target == f"kg:{term}"


def test_compacting_and_expanding_gives_the_same_triples(
    example_graph: Graph, compacted: dict[str, Any]
) -> None:
    assert isomorphic(expand(compacted), example_graph)


# rdflib's own reader of JSON-LD still uses the class that rdflib gives up.
@pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning")
def test_rdflib_reads_the_compacted_document_the_same(
    example_graph: Graph, compacted: dict[str, Any]
) -> None:
    again = Graph().parse(data=json.dumps(compacted), format="json-ld")
    assert isomorphic(again, example_graph)


def test_oxigraph_reads_the_compacted_document_the_same(
    example_graph: Graph, compacted: dict[str, Any]
) -> None:
    quads = ox.parse(json.dumps(compacted), format=ox.RdfFormat.JSON_LD)
    again = Graph().parse(data=ox.serialize(quads, format=ox.RdfFormat.N_TRIPLES))
    assert isomorphic(again, example_graph)


def test_the_compacted_example_has_no_prefixed_or_long_key(compacted: dict[str, Any]) -> None:
    for node in compacted["@graph"]:
        for key, value in node.items():
            assert key in CONTEXT, key
            types = value if key == "type" and isinstance(value, list) else [value]
            assert key != "type" or all(t in CONTEXT for t in types)


def test_what_may_repeat_is_always_an_array_and_what_may_not_never(
    compacted: dict[str, Any],
) -> None:
    paper = next(node for node in compacted["@graph"] if node["type"] == "Paper")
    assert paper["authorship"] == ["https://w3id.org/paperkg/paper/p#author-1"]
    assert paper["title"] == "Example paper"
    assert paper["issued"] == {"type": "xsd:date", "@value": "2021-06-15"}


def test_values_are_coerced(compacted: dict[str, Any]) -> None:
    result = next(node for node in compacted["@graph"] if node["type"] == "Result")
    assert result["archiveRank"] == "1"
    assert result["usesAdditionalData"] == "false"
    assert result["leaderboard"] == "https://w3id.org/paperkg/leaderboard/t-on-d"


def test_a_wrong_datatype_in_the_context_is_caught(
    example_graph: Graph, compacted: dict[str, Any]
) -> None:
    twin = json.loads(json.dumps(compacted))
    twin["@context"]["archiveRank"]["@type"] = "xsd:string"
    lost = example_graph - expand(twin)
    assert {(str(p), o.toPython()) for _, p, o in lost} == {(KG + "archiveRank", 1)}


# Values that a record may hold although the property is meant for others: nothing may be lost.
_text = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=12)
_values = st.one_of(
    _text.map(Literal),
    st.integers(-9, 9).map(Literal),
    st.booleans().map(Literal),
    _text.map(lambda text: Literal(text, lang="en")),
    st.sampled_from(["https://example.org/a", "http://schema.org/Thing", "urn:x:y",
                     "https://w3id.org/paperkg/ns#Paper", "http://purl.org/dc/terms/title"])
    .map(URIRef),
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(sorted(PROPERTIES)), _values), min_size=1, max_size=6))
def test_any_value_of_any_property_survives(pairs: list[tuple[str, URIRef | Literal]]) -> None:
    graph = Graph()
    thing = URIRef("https://w3id.org/paperkg/paper/p")
    graph.add((thing, RDF.type, URIRef(KG + "Paper")))
    for name, value in pairs:
        graph.add((thing, URIRef(KG + name), value))
    assert isomorphic(expand(compact(graph)), graph)
