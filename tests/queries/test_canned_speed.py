"""Case QRY-06: an answer takes as long as the answer is large, not as the store."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pyoxigraph as ox
import pytest

from kg.catalogue import Catalogue

PAPERS = 16_000
SECONDS = 0.04
"""Each takes about 2 ms; a plan that reads every measurement takes 80 ms and more."""

HEAD = """
@base <https://w3id.org/paperkg/> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix kg: <https://w3id.org/paperkg/ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
<metric/em> rdfs:label "EM" . <metric/f1> rdfs:label "F1" .
"""


def turtle() -> Iterator[str]:
    yield HEAD
    for n in range(400):
        yield f'<task/t{n}> rdfs:label "T{n}" . <dataset/d{n}> rdfs:label "D{n}" .'
    for n in range(PAPERS):
        result = f"result/r{n}"
        title = f'dct:title "Title {n}" ;' if n % 7 else ""
        yield f"""
<paper/p{n}> a kg:Paper ; {title} kg:codeLink <paper/p{n}#c> ; kg:sampleLink <paper/p{n}#s> .
<paper/p{n}#c> kg:repo <repo/r{n % 5000}> ; kg:isOfficial true ; kg:framework <vocab/framework/tf> .
<paper/p{n}#s> kg:sample <sample/s{n}> .
<sample/s{n}> kg:status <vocab/sample-status/unverified> ; kg:verificationLevel 0 .
<{result}> a kg:Result ; kg:leaderboard <leaderboard/l{n % 800}> ; kg:paper <paper/p{n}> ;
  kg:task <task/t{n % 400}> ; kg:dataset <dataset/d{n % 400}> ; kg:archiveRank {n} ;
  kg:modelName "M" ; kg:measurement <{result}#em> , <{result}#f1> .
<{result}#em> kg:metric <metric/em> ; kg:rawValue "{n}" ; kg:value {n} .
<{result}#f1> kg:metric <metric/f1> ; kg:rawValue "{n}" ; kg:value {n} ."""


@pytest.fixture(scope="module")
def store() -> ox.Store:
    filled = ox.Store()
    filled.bulk_load("\n".join(turtle()).encode(), format=ox.RdfFormat.TURTLE)
    return filled


# The paper p7 has no title; it must be in the answer all the same.
@pytest.mark.parametrize(
    ("name", "values", "rows"),
    [
        ("leaderboard", {"leaderboard": "l7"}, 40),
        ("leaderboard", {"leaderboard": "l7", "metric": "metric:f1"}, 20),
        ("paper-results", {"paper": "p7"}, 2),
        ("paper-results", {"paper": "p7", "task": "t7"}, 2),
        ("paper-code", {"paper": "p7"}, 1),
        ("paper-code", {"paper": "p7", "official": "true"}, 1),
        ("paper-samples", {"paper": "p7"}, 1),
        ("paper-samples", {"paper": "p7", "status": "unverified"}, 1),
        ("class-counts", {}, 16),
    ],
)
def test_a_canned_query_is_quick_in_a_large_store(
    name: str, values: dict[str, str], rows: int, store: ox.Store, catalogue: Catalogue
) -> None:
    text = catalogue.get(name).bind(values)
    seconds = []
    for _ in range(3):  # the best of three: other programs run on this machine too
        start = time.perf_counter()
        answer = store.query(text)
        assert isinstance(answer, ox.QuerySolutions)
        assert len(list(answer)) == rows
        seconds.append(time.perf_counter() - start)
    assert min(seconds) < SECONDS


def test_the_bound_catches_a_plan_that_reads_everything(
    store: ox.Store, catalogue: Catalogue
) -> None:
    text = catalogue.get("paper-results").bind({"paper": "p7"})
    between = """
  }
  OPTIONAL {
    ?result kg:measurement ?measurement .
    ?measurement kg:metric ?metric .
"""
    assert between in text
    start = time.perf_counter()
    answer = store.query(text.replace(between, "\n"))
    assert isinstance(answer, ox.QuerySolutions)
    assert len(list(answer)) == 2
    assert time.perf_counter() - start > SECONDS
