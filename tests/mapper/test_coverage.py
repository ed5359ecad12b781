from __future__ import annotations

import copy
from typing import Any

import pytest

from kg.contexts import Contexts
from kg.coverage import Coverage, Fate, PathFate
from kg.curies import Curies
from kg.namespaces import DCT, KG, SKOS, prefixes
from tests.conftest import sample_values, seed_values

Json = Any


def fates(values: list[Json], contexts: Contexts | None = None) -> dict[tuple[str, str], PathFate]:
    coverage = Coverage(contexts)
    for value in values:
        coverage.add(value)
    return {(fate.kind, fate.path): fate for fate in coverage.fates()}


@pytest.fixture(scope="module")
def sample_fates() -> dict[tuple[str, str], PathFate]:
    return fates(sample_values())


def test_no_key_path_of_the_samples_is_unmapped(
    sample_fates: dict[tuple[str, str], PathFate],
) -> None:
    assert [fate for fate in sample_fates.values() if fate.fate is Fate.UNMAPPED] == []


def test_the_samples_have_each_fate_where_it_belongs(
    sample_fates: dict[tuple[str, str], PathFate],
) -> None:
    assert sample_fates["paper", "title"].properties == (DCT + "title",)
    assert sample_fates["paper", "code_links[].is_official"].properties == (KG + "isOfficial",)
    assert sample_fates["paper", "results[].metrics.*"].properties == (
        KG + "rawValue",
        KG + "value",
    )
    definitions = sample_fates["paper", "syntology.repo_kind_vocabulary.*"]
    assert (definitions.fate, definitions.properties) == (Fate.VOCABULARY, (SKOS + "definition",))
    assert {
        path: fate.fate
        for (_, path), fate in sample_fates.items()
        if fate.fate in (Fate.DERIVED, Fate.LEFT_OUT)
    } == {
        "code_links[].paper_slug": Fate.DERIVED,
        "syntology.summary.*": Fate.DERIVED,
        "syntology.by_repo_kind.*.samples": Fate.DERIVED,
        "syntology.by_repo_kind.*.ran": Fate.DERIVED,
        "syntology.by_repo_kind.*.repositories": Fate.DERIVED,
        "syntology.mcp.get_harvested_code_for_paper.arxiv_id": Fate.LEFT_OUT,
        "syntology.samples[].mcp_get_code.code_sha256": Fate.LEFT_OUT,
    }


def test_of_the_real_records_only_repeated_arguments_are_left_out(shared: object) -> None:
    found = fates(seed_values())
    assert {path for (_, path), fate in found.items() if fate.fate is Fate.LEFT_OUT} == {
        "syntology.mcp.get_harvested_code_for_paper.arxiv_id",
        "syntology.samples[].mcp_get_code.code_sha256",
    }
    assert {path for (_, path), fate in found.items() if fate.fate is Fate.UNMAPPED} == set()
    assert {path for (_, path), fate in found.items() if fate.fate is Fate.NO_VALUE} == {
        "arxiv_metadata",
        "benchmarks",
        "data_loaders[].frameworks",
        "description_withheld",
        "introduced_by.url",
        "introduced_date",
        "introduced_date_note",
        "methods_introduced",
        "papers_with_a_benchmark_row",
        "syntology_extracted_results",
    }


REAL_PROPERTIES = """
introduced_by.paper: rdfs:seeAlso foaf:page
license.url: dct:license
languages[].url: kg:language
tasks[].url: kg:task
arxiv_id: bibo:doi rdfs:seeAlso schema:sameAs kg:arxivId
code_links[].framework: kg:framework
code_links[].repo_url: kg:codeLink kg:url
results[].task: kg:task
results[].dataset: kg:dataset
results[].model: kg:modelName
results[].leaderboard: foaf:page
syntology.samples[].status: kg:status
syntology.samples[].language: kg:programmingLanguage
syntology.samples[].repo_kind: kg:repoKind
syntology.samples[].link_basis: kg:linkBasis
syntology.samples[].code_sha256_prefix: kg:sha256Prefix
"""


@pytest.mark.parametrize("line", REAL_PROPERTIES.strip().splitlines())
def test_the_properties_of_a_path_are_those_that_a_query_would_name(
    line: str, sample_fates: dict[tuple[str, str], PathFate]
) -> None:
    path, properties = line.split(": ")
    (fate,) = (fate for (_, p), fate in sample_fates.items() if p == path)
    curies = Curies(prefixes())
    assert set(properties.split()) <= {curies.compress(iri) for iri in fate.properties}


def test_a_value_under_an_unknown_key_is_unmapped() -> None:
    paper = copy.deepcopy(sample_values()[0])
    assert isinstance(paper, dict)
    paper["arxiv_metadata"] = {"comments": "8 pages"}
    assert fates([paper])["paper", "arxiv_metadata.comments"].fate is Fate.UNMAPPED


@pytest.mark.parametrize("term", ["title", "authors", "url_pdf", "abstract"])
def test_a_term_taken_out_of_the_context_makes_its_path_unmapped(term: str) -> None:
    shipped = Contexts.load()
    broken = copy.deepcopy(dict(shipped.by_kind))
    del broken["paper"][-1]["Paper"]["@context"][term]  # type: ignore[index]
    path = {"authors": "authors[]"}.get(term, term)
    found = fates(sample_values()[:1], Contexts(broken))
    assert found["paper", path].fate is Fate.UNMAPPED
