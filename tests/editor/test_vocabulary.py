"""What the query editor completes."""

from __future__ import annotations

import json
from typing import cast

from kg import namespaces
from kg.editor import vocabulary
from kg.namespaces import DCT, KG, RDF_TYPE, VOCAB
from kg.partitions import ClassCounts, Counts


def terms(kind: str, found: dict[str, object]) -> dict[str, str]:
    listed = cast("list[dict[str, str]]", found[kind])
    assert [set(term) for term in listed] == [{"iri", "label"}] * len(listed)
    iris = [term["iri"] for term in listed]
    assert iris == sorted(set(iris))
    return {term["iri"]: term["label"] for term in listed}


def test_the_terms_of_the_ontology_and_its_shapes_are_there_with_their_labels() -> None:
    found = vocabulary()
    assert terms("classes", found)[f"{KG}Paper"] == "paper"
    properties = terms("properties", found)
    assert properties[f"{KG}authorship"] == "authorship"
    assert properties[f"{DCT}title"] == ""
    assert RDF_TYPE in properties
    assert terms("concepts", found)[f"{VOCAB}sample-status/ran_honours"] == "ran, contract honoured"


def test_the_prefixes_are_those_of_the_store() -> None:
    assert vocabulary()["prefixes"] == namespaces.prefixes()
    prefixes = cast("dict[str, str]", vocabulary("https://e.org/kg/")["prefixes"])
    assert (prefixes["paper"], prefixes["kg"]) == ("https://e.org/kg/paper/", KG)


def test_what_the_store_has_beside_them_is_there_too() -> None:
    counts = Counts(
        properties={"http://example.org/p": 3, f"{KG}task": 2},
        classes={"http://example.org/C": ClassCounts(1)},
    )
    found = vocabulary(counts=counts)
    assert terms("properties", found)["http://example.org/p"] == ""
    assert terms("properties", found)[f"{KG}task"] == "task"
    assert "http://example.org/C" in terms("classes", found)
    assert "http://example.org/C" not in terms("classes", vocabulary())


def test_it_is_small_and_can_be_sent_as_json() -> None:
    assert json.loads(json.dumps(vocabulary())) == vocabulary()
    assert len(json.dumps(vocabulary())) < 40_000
