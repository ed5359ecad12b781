"""What is counted while the triples go by is what a query would count."""

from __future__ import annotations

import json
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from kg.namespaces import RDF_TYPE
from kg.partitions import ClassCounts, Counts, Partitions

BASE = "https://example.org/kg/"
SUBJECTS = [f"<{BASE}a>", f"<{BASE}a#b>", "<http://other.example/x>", "_:b0"]
PREDICATES = [f"<{RDF_TYPE}>", "<http://e/p>", "<http://e/q>"]
OBJECTS = ["<http://e/C>", "<http://e/D>", '"a b <c> ."@en', '"x"^^<http://e/d>', "_:b1"]

TRIPLES = st.sets(
    st.tuples(st.sampled_from(SUBJECTS), st.sampled_from(PREDICATES), st.sampled_from(OBJECTS))
)


def lines(triples: set[tuple[str, str, str]]) -> list[bytes]:
    return sorted(f"{' '.join(triple)} .".encode() for triple in triples)


def iri(term: str) -> str:
    return term.strip("<>")


@given(TRIPLES)
def test_counts_are_those_of_the_triples(triples: set[tuple[str, str, str]]) -> None:
    partitions = Partitions(BASE)
    for line in lines(triples):
        partitions.scan([line.split(b" ", 2)])
    counts = partitions.counts()
    subjects = {s for s, _, _ in triples}
    assert counts.subjects == len(subjects)
    assert counts.entities == sum(s.startswith(f"<{BASE}") for s in subjects)
    assert counts.properties == Counter(iri(p) for _, p, _ in triples)
    of_class = {
        o: {s for s, p, c in triples if iri(p) == RDF_TYPE and c == o}
        for _, p, o in triples
        if iri(p) == RDF_TYPE and o.startswith("<")
    }
    assert counts.classes == {
        iri(class_): ClassCounts(
            len(members), Counter(iri(p) for s, p, _ in triples if s in members)
        )
        for class_, members in of_class.items()
    }


@given(TRIPLES)
def test_they_come_back_from_a_manifest(triples: set[tuple[str, str, str]]) -> None:
    partitions = Partitions(BASE)
    for line in lines(triples):
        partitions.scan([line.split(b" ", 2)])
    counts = partitions.counts()
    manifest = json.loads(json.dumps({"partitions": counts.as_json()}))
    assert Counts.of(manifest) == counts
    assert list(counts.properties) == sorted(counts.properties)


def test_an_older_manifest_tells_classes_alone() -> None:
    counts = Counts.of({"classes": {"http://e/C": 3}})
    assert counts == Counts(classes={"http://e/C": ClassCounts(3)})
    assert Counts.of({}) == Counts()
