"""The entry for w3id.org sends every identifier of the project somewhere, by what is asked for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rdflib import Graph
from rdflib.namespace import RDF, SKOS

from tests.ontology.contract_names import DATA_TYPES

FOLDER = Path(__file__).resolve().parents[2] / "ontology" / "w3id"
HOST = "https://paperkg.github.io/"


def redirect(path: str, accept: str) -> tuple[int, str] | None:
    """Follow mod_rewrite's rules: the first that fits, from below /paperkg/."""
    conditions: list[tuple[re.Pattern[str], bool]] = []
    for line in (FOLDER / ".htaccess").read_text("utf-8").splitlines():
        words = line.split()
        if words[:1] == ["RewriteCond"]:
            assert words[1] == "%{HTTP_ACCEPT}"
            flags = words[3][1:-1].split(",")
            assert set(flags) <= {"NC", "OR"}
            conditions.append((re.compile(words[2], re.IGNORECASE), "OR" in flags))
        elif words[:1] == ["RewriteRule"]:
            match = re.search(words[1], path)
            if match and _hold(conditions, accept):
                status = int(re.search(r"R=(\d+)", words[3])[1])
                return status, _fill(words[2], match)
            conditions = []
    return None


def _fill(target: str, match: re.Match[str]) -> str:
    return re.sub(r"\$(\d)", lambda reference: match[int(reference[1])], target)


def _hold(conditions: list[tuple[re.Pattern[str], bool]], accept: str) -> bool:
    alternatives, groups = [], []
    for pattern, or_next in conditions:
        alternatives.append(bool(pattern.search(accept)))
        if not or_next:
            groups.append(any(alternatives))
            alternatives = []
    return all(groups)


BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


@pytest.mark.parametrize(
    ("path", "accept", "target"),
    [
        ("", BROWSER, ""),
        ("ns", "text/turtle", "ns/ontology.ttl"),
        ("ns", BROWSER, "ns/"),
        ("ns", "*/*", "ns/ontology.ttl"),
        ("ns", "application/xhtml+xml", "ns/"),
        ("ns/0.1.0", "*/*", "ns/0.1.0/ontology.ttl"),
        ("shapes", "*/*", "ns/shapes.ttl"),
        ("context/paperkg.jsonld", "application/ld+json", "ns/context/paperkg.jsonld"),
        ("vocab/framework", "text/turtle", "vocab/vocabularies.ttl"),
        ("vocab/framework/pytorch", BROWSER, "vocab/"),
        ("vocab/framework/pytorch", "*/*", "vocab/vocabularies.ttl"),
        ("paper/p", BROWSER, "data/paper/p.html"),
        ("paper/p", "*/*", "data/paper/p.html"),
        ("paper/p", "text/turtle", "data/paper/p.ttl"),
        ("paper/p", "application/ld+json", "data/paper/p.jsonld"),
        (
            "result/t-on-d/p/x~0123abcd",
            "application/n-triples",
            "data/result/t-on-d/p/x~0123abcd.nt",
        ),
        ("repo/github.com/example/r", "text/turtle", "data/repo/github.com/example/r.ttl"),
        ("queries", BROWSER, "data/queries.html"),
        ("queries", "text/turtle", "data/queries.ttl"),
        ("queries/leaderboard", "application/ld+json", "data/queries/leaderboard.jsonld"),
        ("graph/links.ttl", "application/n-triples", "data/graph/links.ttl.nt"),
    ],
)
def test_an_identifier_is_sent_to_what_was_asked_for(path: str, accept: str, target: str) -> None:
    found = redirect(path, accept)
    assert found is not None
    assert found[1] == HOST + target


@pytest.mark.parametrize("name", [*DATA_TYPES, "graph", "queries"])
def test_every_type_of_data_is_sent_on(name: str) -> None:
    assert redirect(f"{name}/k", "text/turtle") == (303, f"{HOST}data/{name}/k.ttl")


@pytest.mark.parametrize(
    "path", ["papers/p", "paper", "paper/", "queries/", "graph", "nsx", "vocabulary", "ns/0.1.0/x"]
)
def test_what_is_no_identifier_of_ours_is_sent_nowhere(path: str) -> None:
    assert redirect(path, "*/*") is None


def test_every_code_is_answered(vocabularies_graph: Graph) -> None:
    for concept in vocabularies_graph.subjects(RDF.type, SKOS.Concept):
        path = str(concept).removeprefix("https://w3id.org/paperkg/")
        assert redirect(path, "text/turtle") == (303, f"{HOST}vocab/vocabularies.ttl")


def test_the_readme_says_that_nothing_is_published_yet() -> None:
    readme = (FOLDER / "README.md").read_text("utf-8")
    assert HOST in readme
    assert "not been" in readme
