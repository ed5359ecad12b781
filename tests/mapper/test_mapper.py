from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pyoxigraph as ox
import pytest
from pyld import jsonld
from rdflib import Graph

from kg import records
from kg.contexts import Contexts
from kg.errors import ResourceError
from kg.findings import FindingKind
from kg.index import Index
from kg.iris import Minter
from kg.mapper import Mapper
from kg.namespaces import KG, RDF_TYPE, RDFS
from tests.conftest import decode, sample_values, seed_values

Json = Any
Make = Callable[..., Mapper]
NT = ox.RdfFormat.N_TRIPLES
BASE = "https://w3id.org/paperkg/"


def triples(lines: list[bytes]) -> set[ox.Triple]:
    return {quad.triple for quad in ox.parse(b"\n".join(lines), format=NT)}


def objects(lines: list[bytes], subject: str, property_: str) -> set[str]:
    return {
        triple.object.value
        for triple in triples(lines)
        if triple.subject.value == subject and triple.predicate.value == property_
    }


def documents(values: list[Json], make: Make) -> list[tuple[list[bytes], Json]]:
    """Return the mapper's lines and the JSON-LD document of each record, in one corpus."""
    corpus = [records.read(value) for value in values]
    mapper = make(corpus)
    contexts = Contexts.load()
    return [
        (
            mapper.map(record).lines,
            {"@context": contexts.of(record.kind), "@graph": mapper.nodes(record)[0]},
        )
        for record in corpus
    ]


ALL = [*sample_values(), *seed_values()]


def test_the_mapper_emits_what_pyld_does(mapper_for: Make) -> None:
    for lines, document in documents(ALL, mapper_for):
        expected = jsonld.to_rdf(document, {"format": "application/n-quads"})
        assert triples(lines) == {quad.triple for quad in ox.parse(expected.encode(), format=NT)}


# rdflib's own JSON-LD parser still makes a ConjunctiveGraph.
@pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning")
def test_two_other_json_ld_processors_read_the_same_triples(mapper_for: Make) -> None:
    for lines, document in documents(ALL, mapper_for):
        text = json.dumps(document)
        ours = triples(lines)
        assert ours == {quad.triple for quad in ox.parse(text, format=ox.RdfFormat.JSON_LD)}
        graph = Graph().parse(data=text, format="json-ld")
        assert len(graph) == len(ours)
        assert set(graph) == set(Graph().parse(data=b"\n".join(lines), format="nt"))


def test_the_store_keeps_every_triple_as_the_mapper_wrote_it(mapper_for: Make) -> None:
    for lines, _ in documents(ALL, mapper_for):
        store = ox.Store()
        store.bulk_load(b"\n".join(lines), format=NT)
        assert {quad.triple for quad in store} == triples(lines)


def test_there_are_no_blank_nodes_and_every_iri_of_ours_stands_below_the_base(
    mapper_for: Make,
) -> None:
    base = "https://graph.example/data/"
    for value in ALL:
        record = records.read(value)
        for triple in triples(mapper_for([record], base).map(record).lines):
            assert isinstance(triple.subject, ox.NamedNode)
            assert isinstance(triple.object, ox.NamedNode | ox.Literal)
            for term in (triple.subject, triple.object):
                if isinstance(term, ox.NamedNode) and term.value.startswith(BASE):
                    assert term.value.startswith((KG, f"{BASE}vocab/"))


def test_every_key_of_a_node_has_a_term_in_the_context_of_its_kind(mapper_for: Make) -> None:
    def check(node: Json, terms: Json) -> None:
        own = terms[node["@type"]]["@context"]
        for key, value in node.items():
            assert key.startswith("@") or key in own, (node["@type"], key)
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, dict):
                    check(part, terms)

    for value in ALL:
        record = records.read(value)
        terms: dict[str, Json] = {}
        for context in Contexts.load().of(record.kind):
            terms |= context
        for node in mapper_for([record]).nodes(record)[0]:
            check(node, terms)


def test_a_user_who_edits_a_context_gets_another_graph(tmp_path: Any, mapper_for: Make) -> None:
    for name, shipped in Contexts.load().by_kind.items():
        context = copy.deepcopy(shipped)
        if name == "paper":
            context[-1]["Paper"]["@context"]["title"] = "http://schema.org/headline"  # type: ignore[index]
        (tmp_path / f"{name}.jsonld").write_text(json.dumps({"@context": context}))
    record = records.read(sample_values()[0])
    mapper = Mapper(minter=Minter(), index=Index(), contexts=Contexts.load(tmp_path))
    lines = mapper.map(record).lines
    paper = f"{BASE}paper/{record.slug}"
    assert objects(lines, paper, "http://schema.org/headline") == {record.title}  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "context",
    ['"https://e.org/c.jsonld"', '"../c.jsonld"', '"missing.jsonld"', "7", '["paper.jsonld"]'],
)
def test_a_context_is_never_fetched_from_elsewhere(tmp_path: Any, context: str) -> None:
    (tmp_path / "paper.jsonld").write_text(f'{{"@context": {context}}}')
    with pytest.raises(ResourceError, match=r"paper\.jsonld"):
        Contexts.load(tmp_path)


# ---- papers with odd values --------------------------------------------------------------------


def paper(**values: Json) -> Json:
    return {"url": "/paper/p", "title": "P", "code_links": [], **values}


def result(**values: Json) -> Json:
    return {
        "leaderboard": "/sota/t-on-d",
        "task": "T",
        "dataset": "D",
        "model": "M",
        "metrics": {"Accuracy": "85.50"},
        **values,
    }


def mapped(value: Json, make: Make) -> tuple[list[bytes], list[Any]]:
    record = records.read(decode(json.dumps(value)))
    found = make([record]).map(record)
    return found.lines, record.findings + found.findings


def results_of(lines: list[bytes]) -> set[str]:
    return {
        triple.subject.value
        for triple in triples(lines)
        if triple.predicate.value == RDF_TYPE and triple.object.value == KG + "Result"
    }


@pytest.mark.parametrize(
    ("metric", "raw", "value"),
    [
        ("85.0", "85.0", {"85"}),
        ("85.5", "85.5", {"85.5"}),
        ('"85.50"', "85.50", {"85.5"}),
        ("1000000000000000000000", "1000000000000000000000", {"1000000000000000000000"}),
        ("8.55E1", "8.55E1", {"85.5"}),
        ('"N/A"', "N/A", set()),
        ('""', "", set()),
        ("NaN", "NaN", set()),
        ("Infinity", "Infinity", set()),
    ],
)
def test_a_metric_keeps_its_text_and_has_a_decimal_where_it_reads(
    metric: str, raw: str, value: set[str], mapper_for: Make
) -> None:
    text = json.dumps(paper(results=[result(metrics={"Accuracy": "@"})])).replace('"@"', metric)
    record = records.read(decode(text))
    lines = mapper_for([record]).map(record).lines
    (measurement,) = {
        t.subject.value for t in triples(lines) if t.predicate.value == KG + "rawValue"
    }
    assert objects(lines, measurement, KG + "rawValue") == {raw}
    assert objects(lines, measurement, KG + "value") == value


def test_rows_that_share_a_key_are_told_apart_and_identical_rows_are_one(mapper_for: Make) -> None:
    other = result(metrics={"Accuracy": "86"})
    lines, _ = mapped(paper(results=[result(), result(), other]), mapper_for)
    found = results_of(lines)
    assert len(found) == 2
    assert all("~" in iri.rpartition("/")[2] for iri in found)
    assert [n for iri in found for n in objects(lines, iri, KG + "rowCount")] == ["2"]


def test_identical_rows_at_two_ranks_are_one_result_at_the_first(mapper_for: Make) -> None:
    rows = [
        result(rank_in_archive_order=rank, of=9, metrics=metrics)
        for rank, metrics in ((7, {"A": "1", "B": "2"}), (3, {"B": "2", "A": "1"}))
    ]
    lines, findings = mapped(paper(results=rows), mapper_for)
    (row,) = results_of(lines)
    assert objects(lines, row, KG + "archiveRank") == {"3"}
    assert objects(lines, row, KG + "rowCount") == {"2"}
    assert [f.message for f in findings if f.kind is FindingKind.REPEATED_ROW] == [
        "identical rows at the ranks 3, 7 are one result at the first"
    ]


def test_rows_of_two_datasets_that_share_a_key_lose_neither(mapper_for: Make) -> None:
    lines, _ = mapped(paper(results=[result(), result(dataset="E")]), mapper_for)
    rows = results_of(lines)  # their metrics are the same, so the hash is of all that they say
    labels = [
        objects(lines, dataset, RDFS + "label")
        for row in sorted(rows)
        for dataset in objects(lines, row, KG + "dataset")
    ]
    assert sorted(labels, key=str) == [{"D"}, {"E"}]


def test_a_task_or_method_without_a_slug_is_known_by_its_name(mapper_for: Make) -> None:
    value = paper(tasks=[{"task_name": "T"}], methods=[{"method_name": "M"}])
    lines, findings = mapped(value, mapper_for)
    iri = f"{BASE}paper/p"
    (task,), (method,) = objects(lines, iri, KG + "task"), objects(lines, iri, KG + "method")
    assert task.startswith(f"{BASE}task/name/t~")
    assert method.startswith(f"{BASE}method/name/m~")
    assert {f.kind for f in findings} == {FindingKind.UNRESOLVED_NAME}


def test_what_is_no_address_is_kept_wherever_it_stands(mapper_for: Make) -> None:
    bad = "http://host:abc/"
    about = {name: f"{bad}{name}" for name in ("site", "attribution", "licence_url")}
    syntology = {"atlas_url": f"{bad}atlas", "developers": f"{bad}dev", "samples": []}
    lines, findings = mapped(paper(about=about, syntology=syntology), mapper_for)
    kept = {t.object.value for t in triples(lines) if t.predicate.value == KG + "url"}
    assert kept == {*about.values(), f"{bad}atlas", f"{bad}dev"}
    assert sorted(f.field for f in findings) == [
        "about.attribution",
        "about.licence_url",
        "about.site",
        "syntology.atlas_url",
        "syntology.developers",
    ]
    dataset = {
        "url": "/dataset/d",
        "name": "D",
        "description_markdown": "",
        "homepage": f"{bad}home",
        "introduced_by": {"paper": f"{bad}paper", "url": f"{bad}url", "title": "T"},
        "tasks": [{"name": "T", "url": f"{bad}task", "datasets_with_task": f"{bad}list"}],
    }
    lines, _ = mapped(dataset, mapper_for)
    kept = {t.object.value for t in triples(lines) if t.predicate.value == KG + "url"}
    assert kept == {f"{bad}{n}" for n in ("home", "paper", "url", "task", "list")}


@pytest.mark.parametrize(
    ("spdx", "iri", "label"),
    [
        ("Apache-2.0", "http://spdx.org/licenses/Apache-2.0", set()),
        ("apache-2.0", "http://spdx.org/licenses/Apache-2.0", set()),
        ("NONE", "http://spdx.org/rdf/terms#none", set()),
        ("NOASSERTION", "http://spdx.org/rdf/terms#noassertion", set()),
        ("Proprietary", f"{BASE}paper/p#license-e.org/r", {"Proprietary"}),
        ("MIT OR Apache-2.0", f"{BASE}paper/p#license-e.org/r", {"MIT OR Apache-2.0"}),
    ],
)
def test_a_licence_is_that_of_the_spdx_list_or_a_document_by_its_name(
    spdx: str, iri: str, label: set[str], mapper_for: Make
) -> None:
    links = [{"repo_url": "https://e.org/r", "reach": {"spdx": spdx}}]
    lines, _ = mapped(paper(code_links=links), mapper_for)
    (link,) = objects(lines, f"{BASE}paper/p", KG + "codeLink")
    assert objects(lines, link, "http://purl.org/dc/terms/license") == {iri}
    assert objects(lines, iri, RDFS + "label") == label


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_a_metric_that_is_no_number_is_reported_with_its_name(
    number: str, mapper_for: Make
) -> None:
    text = json.dumps(paper(results=[result(metrics={"FID": "@"})])).replace('"@"', number)
    record = records.read(decode(text))
    assert [(f.kind, f.field) for f in record.findings] == [
        (FindingKind.ODD_VALUE, "results[].metrics")
    ]
    assert "'FID'" in record.findings[0].message


def test_a_row_with_additional_data_is_another_result(mapper_for: Make) -> None:
    rows = [result(uses_additional_data=False), result(uses_additional_data=True)]
    lines, _ = mapped(paper(results=rows), mapper_for)
    first, second = sorted(results_of(lines), key=len)
    assert second == f"{first}/extra"


def test_a_task_of_a_row_is_the_records_own_task_of_that_name(mapper_for: Make) -> None:
    tasks = [{"task_slug": "t-1", "task_name": "T"}, {"task_slug": "t", "task_name": "T (X)"}]
    lines, findings = mapped(paper(tasks=tasks, results=[result()]), mapper_for)
    (row,) = results_of(lines)
    assert objects(lines, row, KG + "task") == {f"{BASE}task/t-1"}
    assert [f.field for f in findings if f.kind is FindingKind.UNRESOLVED_NAME] == [
        "results[].dataset"
    ]


def test_a_name_with_two_slugs_is_not_resolved(mapper_for: Make) -> None:
    tasks = [{"task_slug": "t-1", "task_name": "T"}, {"task_slug": "t-2", "task_name": "T"}]
    lines, findings = mapped(paper(tasks=tasks, results=[result()]), mapper_for)
    (row,) = results_of(lines)
    (task,) = objects(lines, row, KG + "task")
    assert task.startswith(f"{BASE}task/name/")
    assert objects(lines, task, RDFS + "label") == {"T"}
    assert any("2 slugs" in f.message for f in findings)


def test_a_dataset_of_a_row_is_found_in_the_corpus(mapper_for: Make) -> None:
    first = records.read(paper(results=[result()]))
    second = records.read(
        {"url": "/dataset/d-1", "name": "D", "description_markdown": "", "languages": []}
    )
    lines = mapper_for([first, second]).map(first).lines
    (row,) = results_of(lines)
    assert objects(lines, row, KG + "dataset") == {f"{BASE}dataset/d-1"}


@pytest.mark.parametrize(
    ("row", "key"),
    [
        ({"leaderboard": None}, "leaderboard/name/name/t~"),
        ({"leaderboard": "/elsewhere/x"}, "leaderboard/name/name/t~"),
        ({"leaderboard": None, "task": None, "dataset": None}, "leaderboard/name/-/-"),
        ({"leaderboard": "/sota/Odd Slug"}, "leaderboard/odd-slug~"),
    ],
)
def test_a_leaderboard_without_an_address_has_a_key_from_its_names(
    row: Json, key: str, mapper_for: Make
) -> None:
    lines, _ = mapped(paper(results=[result(**row)]), mapper_for)
    (board,) = {t.object.value for t in triples(lines) if t.predicate.value == KG + "leaderboard"}
    assert board.startswith(BASE + key)


@pytest.mark.parametrize(
    "url",
    [
        "/dataset/penn treebank",
        "/dataset/Ünïcode",
        "/dataset/a(b)[c]",
        "https://codewithpapers.app/dataset/<x>",
    ],
)
def test_a_slug_that_is_no_key_never_loses_its_record(url: str, mapper_for: Make) -> None:
    value = {"url": url, "name": "Penn Treebank", "num_papers_in_archive": 1}
    lines, _ = mapped(value, mapper_for)
    (dataset,) = {
        t.subject.value
        for t in triples(lines)
        if t.object.value == KG + "Dataset" and t.predicate.value == RDF_TYPE
    }
    assert dataset.startswith(f"{BASE}dataset/")
    assert len(Graph().parse(data=b"\n".join(lines), format="nt")) == len(triples(lines))


@pytest.mark.parametrize("missing", [{}, {"arxiv_id": None}, {"arxiv_id": ""}])
def test_a_missing_identifier_makes_no_triple_and_no_link(missing: Json, mapper_for: Make) -> None:
    lines, _ = mapped(paper(**missing), mapper_for)
    assert not [line for line in lines if b"arxiv" in line.lower() or b"None" in line]


def test_an_identifier_that_is_none_is_kept_as_text_and_reported(mapper_for: Make) -> None:
    lines, findings = mapped(paper(arxiv_id="9901001"), mapper_for)
    assert objects(lines, f"{BASE}paper/p", KG + "rawArxivId") == {"9901001"}
    assert not [line for line in lines if b"https://arxiv.org" in line]
    assert [(f.kind, f.field) for f in findings] == [(FindingKind.ODD_VALUE, "arxiv_id")]


@pytest.mark.parametrize(
    ("date", "property_", "datatype"),
    [
        ("2021-06-15", "http://purl.org/dc/terms/issued", "date"),
        ("2021-06", "http://purl.org/dc/terms/issued", "gYearMonth"),
        ("2021", "http://purl.org/dc/terms/issued", "gYear"),
        ("2021-02-30", KG + "rawDate", "string"),
        ("soon", KG + "rawDate", "string"),
    ],
)
def test_a_date_has_its_type_or_is_kept_as_text(
    date: str, property_: str, datatype: str, mapper_for: Make
) -> None:
    lines, findings = mapped(paper(date=date), mapper_for)
    (value,) = {t.object for t in triples(lines) if t.predicate.value == property_}
    assert value == ox.Literal(
        date, datatype=ox.NamedNode(f"http://www.w3.org/2001/XMLSchema#{datatype}")
    )
    assert bool(findings) == (datatype == "string")


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "8.0", "see [here]", "http://host:abc/", "http://[::1"]
)
def test_an_address_that_is_none_is_kept_as_text_and_reported(url: str, mapper_for: Make) -> None:
    lines, findings = mapped(paper(url_pdf=url), mapper_for)
    assert objects(lines, f"{BASE}paper/p", KG + "url") == {url}
    assert [(f.kind, f.field) for f in findings] == [(FindingKind.ODD_VALUE, "url_pdf")]


def test_text_is_kept_to_the_character(mapper_for: Make) -> None:
    text = "NUL \x00 VT \x0b \x02 \x7f \x85 \u2028 \ufeff CR\r\nLF \\ \" ' \U0001d465 <eob>"
    lines, findings = mapped(paper(abstract=text), mapper_for)
    assert objects(lines, f"{BASE}paper/p", "http://purl.org/dc/terms/abstract") == {text}
    assert findings == []
    graph = Graph().parse(data=b"\n".join(lines), format="nt")
    assert text in {str(o) for o in graph.objects()}


def test_a_lone_surrogate_becomes_the_replacement_character_and_is_reported(
    mapper_for: Make,
) -> None:
    lines, findings = mapped(paper(abstract="half \ud835"), mapper_for)
    assert objects(lines, f"{BASE}paper/p", "http://purl.org/dc/terms/abstract") == {"half \ufffd"}
    assert [(f.kind, f.field) for f in findings] == [(FindingKind.ALTERED_TEXT, "abstract")]


def test_flags_are_canonical_booleans_and_null_is_no_triple(mapper_for: Make) -> None:
    flags = {"a": 1, "b": True, "c": "0", "d": "False", "e": None}
    links = [
        {"repo_url": f"https://github.com/acme/{name}", "is_official": flag}
        for name, flag in flags.items()
    ]
    lines, _ = mapped(paper(code_links=links), mapper_for)
    found = {
        t.subject.value[-1]: t.object
        for t in triples(lines)
        if t.predicate.value == KG + "isOfficial"
    }
    boolean = ox.NamedNode("http://www.w3.org/2001/XMLSchema#boolean")
    true, false = ox.Literal("true", datatype=boolean), ox.Literal("false", datatype=boolean)
    assert found == {"a": true, "b": true, "c": false, "d": false}


def test_one_record_maps_to_the_same_lines_whatever_ran_before(mapper_for: Make) -> None:
    record = records.read(sample_values()[1])
    mapper = mapper_for([record])
    assert (
        mapper.map(record).lines
        == mapper.map(record).lines
        == mapper_for([record]).map(record).lines
    )
