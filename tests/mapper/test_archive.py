"""The archive's dumps: what joins, what stays by itself, and that nothing is lost."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pyoxigraph as ox
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyld import jsonld
from rdflib import Graph

from kg import records
from kg.contexts import Contexts
from kg.coverage import Coverage, Fate
from kg.errors import RecordError
from kg.findings import FindingKind
from kg.index import Index
from kg.iris import Minter
from kg.mapper import Mapper
from kg.namespaces import DCT, KG, RDFS, SKOS
from tests.conftest import SHARED, decode
from tests.records.archive_records import DATASET, EVERY_KIND, LINK, METHOD, PAPER, PWC, TABLE

Json = Any
Make = Callable[..., Mapper]
NT = ox.RdfFormat.N_TRIPLES
BASE = "https://w3id.org/paperkg/"
ATTENTION = f"{BASE}paper/attention-is-all-you-need"


def triples(lines: list[bytes]) -> set[ox.Triple]:
    return {quad.triple for quad in ox.parse(b"\n".join(lines), format=NT)}


class Built:
    """The graph of a corpus."""

    def __init__(self, values: list[Json], make: Make) -> None:
        corpus = [records.read(decode(json.dumps(value))) for value in values]
        mapper = make(corpus)
        mapped = [mapper.map(record) for record in corpus]
        self.triples = triples([line for one in mapped for line in one.lines])
        self.findings = [f for one in mapped for f in one.findings]
        self.findings += [f for record in corpus for f in record.findings]
        self.joins = sum((one.joins for one in mapped), start=mapped[0].joins.__class__())

    def objects(self, subject: str, property_: str) -> set[str]:
        return {
            t.object.value
            for t in self.triples
            if t.subject.value == subject and t.predicate.value == property_
        }

    def subjects(self, property_: str, value: str) -> set[str]:
        return {
            t.subject.value
            for t in self.triples
            if t.predicate.value == property_ and t.object.value == value
        }


@pytest.mark.parametrize("value", EVERY_KIND, ids=records.kind_of)
def test_the_mapper_emits_what_pyld_does(value: Json, mapper_for: Make) -> None:
    record = records.read(decode(json.dumps(value)))
    mapper = mapper_for([record])
    document = {"@context": Contexts.load().of(record.kind), "@graph": mapper.nodes(record)[0]}
    expected = jsonld.to_rdf(document, {"format": "application/n-quads"})
    ours = triples(mapper.map(record).lines)
    assert ours == {quad.triple for quad in ox.parse(expected.encode(), format=NT)}
    assert ours == {q.triple for q in ox.parse(json.dumps(document), format=ox.RdfFormat.JSON_LD)}


def test_every_key_path_of_every_dump_has_a_home() -> None:
    coverage = Coverage()
    for value in EVERY_KIND:
        coverage.add(decode(json.dumps(value)))
    fates = list(coverage.fates())
    assert {fate.kind for fate in fates} == {
        "papers-with-abstracts",
        "links-between-papers-and-code",
        "methods",
        "datasets",
        "evaluation-tables",
    }
    bad = [f for f in fates if f.fate not in (Fate.MAPPED, Fate.VOCABULARY, Fate.NO_VALUE)]
    assert bad == []
    assert {f.path for f in fates if f.fate is Fate.NO_VALUE} <= {
        "reproduces_paper",
        "subtasks[].subtasks[].datasets",
        "datasets[].sota.rows[].code_links",
        "datasets[].sota.rows[].model_links",
    }


def test_records_of_both_sources_and_of_all_dumps_are_one_paper(mapper_for: Make) -> None:
    site = {
        "url": "/paper/attention-is-all-you-need",
        "title": PAPER["title"],
        "arxiv_id": "1706.03762",
    }
    built = Built([site, *EVERY_KIND], mapper_for)
    papers = built.subjects("http://www.w3.org/1999/02/22-rdf-syntax-ns#type", KG + "Paper")
    assert papers == {ATTENTION}
    assert built.objects(ATTENTION, KG + "introduces") == {
        f"{BASE}method/transformer",
        f"{BASE}dataset/example-corpus",
    }
    assert built.objects(ATTENTION, KG + "method") == {f"{BASE}method/transformer"}
    assert f"{BASE}task/machine-translation" in built.objects(ATTENTION, KG + "task")
    assert len(built.objects(ATTENTION, "http://www.w3.org/ns/prov#wasDerivedFrom")) == 2


@pytest.mark.parametrize(
    "url",
    [
        "https://arxiv.org/abs/1706.03762v2",
        "http://arxiv.org/pdf/1706.03762",
        "arXiv:1706.03762v1",
        f"{PWC}/paper/attention-is-all-you-need",
        "https://papers.nips.cc/paper/7181-attention-is-all-you-need/",
    ],
)
def test_a_row_joins_its_paper_by_whatever_names_it_but_the_title(
    url: str, mapper_for: Make
) -> None:
    table = copy.deepcopy(TABLE)
    table["datasets"][0]["sota"]["rows"][0]["paper_url"] = url
    built = Built([PAPER, table], mapper_for)
    (result,) = built.subjects(KG + "modelName", "Transformer (big)")
    assert built.objects(result, KG + "paper") == {ATTENTION}
    assert "/attention-is-all-you-need/" in result


def test_a_title_never_joins(mapper_for: Make) -> None:
    table = copy.deepcopy(TABLE)
    table["datasets"][0]["sota"]["rows"][0]["paper_url"] = "https://elsewhere.example/attention"
    built = Built([PAPER, table], mapper_for)
    (result,) = built.subjects(KG + "modelName", "Transformer (big)")
    assert built.objects(result, KG + "paper") == set()
    assert built.objects(result, KG + "paperTitle") == {"Attention Is All You Need"}


def test_an_identifier_that_two_papers_claim_joins_neither(mapper_for: Make) -> None:
    twin = {**PAPER, "paper_url": f"{PWC}/paper/attention-is-all-you-need-2"}
    built = Built([PAPER, twin, TABLE], mapper_for)
    (result,) = built.subjects(KG + "modelName", "Transformer (big)")
    assert built.objects(result, KG + "paper") == set()


def test_a_row_of_an_unknown_paper_is_a_result_with_all_it_says(mapper_for: Make) -> None:
    built = Built([TABLE], mapper_for)
    (result,) = built.subjects(KG + "modelName", "Unknown")
    assert built.objects(result, KG + "paperTitle") == {"A paper that no record has"}
    assert built.objects(result, KG + "paperPage") == {"https://example.org/unknown.pdf"}
    assert built.objects(result, DCT + "issued") == {"2018"}
    assert built.objects(result, KG + "usesAdditionalData") == {"true"}
    assert built.objects(result, KG + "archiveRank") == {"2"}
    assert built.objects(result, KG + "archiveRankOf") == {"2"}
    (measurement,) = built.objects(result, KG + "measurement")
    assert built.objects(measurement, KG + "rawValue") == {"27.3 ± 0.2"}
    assert built.objects(measurement, KG + "value") == {"27.3"}
    assert built.objects(measurement, KG + "uncertainty") == {"0.2"}
    assert result.endswith("/extra")


def test_a_link_whose_paper_no_record_has_keeps_a_key_space_of_its_own(mapper_for: Make) -> None:
    link = {
        **LINK,
        "paper_url": "https://arxiv.org/abs/cs/9901001v1",
        "paper_arxiv_id": "",
        "paper_url_abs": None,
    }
    built = Built([link], mapper_for)
    assert built.subjects(
        KG + "codeLink",
        f"{BASE}paper/name/arxiv-cs/9901001#code-github.com/example/tiny-transformer",
    ) == {f"{BASE}paper/name/arxiv-cs/9901001"}
    assert built.joins["in no record"] == 1


DOI = "http://purl.org/ontology/bibo/doi"
SAME_AS = "http://schema.org/sameAs"


def test_all_forms_of_a_doi_mean_one_paper(mapper_for: Make) -> None:
    """Case LNK-03, of papers that no record has."""
    forms = ["10.1234/ABC.5", "https://doi.org/10.1234/Abc.5", "doi:10.1234/ABC.5"]
    forms += ["http://dx.doi.org/10.1234/abc.5", "DOI 10.1234/abc.5.", "10.1234/abc.5"]
    others = ["10.1234/\u00c91", "10.1234/\u00e91"]
    links = [
        LINK | {"paper_url": form, "paper_arxiv_id": None, "paper_url_abs": None}
        for form in forms + others
    ]
    built = Built(links, mapper_for)
    paper = f"{BASE}paper/name/doi-10.1234/abc.5"
    papers = built.subjects("http://www.w3.org/1999/02/22-rdf-syntax-ns#type", KG + "Paper")
    assert papers == {paper, *(f"{BASE}paper/name/doi-{other}" for other in others)}
    assert built.objects(paper, DOI) == {"10.1234/abc.5"}
    assert built.objects(paper, SAME_AS) == {"https://doi.org/10.1234/abc.5"}


def test_a_paper_has_the_doi_of_its_abstract_page_beside_that_of_arxiv(mapper_for: Make) -> None:
    page = {"url_abs": "http://dx.doi.org/10.1234/ABC.5"}
    built = Built([PAPER | page, LINK | {"paper_url": "doi:10.1234/abc.5"}], mapper_for)
    assert built.objects(ATTENTION, DOI) == {"10.48550/arxiv.1706.03762", "10.1234/abc.5"}
    assert built.objects(ATTENTION, SAME_AS) == {
        "https://arxiv.org/abs/1706.03762",
        "https://doi.org/10.48550/arxiv.1706.03762",
        "https://doi.org/10.1234/abc.5",
    }
    assert len(built.objects(ATTENTION, KG + "codeLink")) == 1
    built = Built([PAPER | page | {"arxiv_id": None}], mapper_for)
    assert built.objects(ATTENTION, SAME_AS) == {"https://doi.org/10.1234/abc.5"}


def test_task_trees_become_broader_and_a_loop_stays_a_loop(mapper_for: Make) -> None:
    built = Built([TABLE, DATASET], mapper_for)
    above = f"{BASE}task/machine-translation"
    (below,) = built.subjects(SKOS + "broader", above)
    assert built.objects(below, RDFS + "label") == {"Low-Resource Translation"}
    assert below in built.objects(above, SKOS + "broader")
    assert built.objects(above, SKOS + "altLabel") == {"MT"}
    assert built.objects(above, KG + "category") == {"Natural Language Processing"}


def test_a_table_has_the_leaderboard_of_its_address_and_a_sub_dataset_one_of_its_own(
    mapper_for: Make,
) -> None:
    built = Built([TABLE, DATASET], mapper_for)
    board = f"{BASE}leaderboard/machine-translation-on-example-corpus"
    assert built.objects(board, KG + "dataset") == {f"{BASE}dataset/example-corpus"}
    assert built.objects(board, KG + "metricOrder") == {'["BLEU", "Parameters"]'}
    (short,) = built.subjects(KG + "subdatasetOf", f"{BASE}dataset/example-corpus")
    assert built.objects(short, RDFS + "label") == {"Short"}
    assert short.startswith(f"{BASE}dataset/name/example-corpus-short~")
    (other,) = built.subjects(KG + "dataset", short) - built.subjects(KG + "modelName", "M")
    assert other.startswith(
        f"{BASE}leaderboard/name/machine-translation/name/example-corpus-short~"
    )


def test_a_table_without_an_address_takes_the_leaderboard_that_the_corpus_has(
    mapper_for: Make,
) -> None:
    table = copy.deepcopy(TABLE)
    table["datasets"][0]["dataset_links"] = []
    site = {
        "url": "/paper/p",
        "title": "P",
        "results": [
            {
                "leaderboard": "/sota/mt-on-example",
                "task": "Machine Translation",
                "dataset": "Example Corpus",
                "model": "X",
                "metrics": {},
            }
        ],
    }
    built = Built([site, table], mapper_for)
    (result,) = built.subjects(KG + "modelName", "Transformer (big)")
    assert built.objects(result, KG + "leaderboard") == {f"{BASE}leaderboard/mt-on-example"}


def test_the_placeholder_year_is_no_year(mapper_for: Make) -> None:
    built = Built([{**METHOD, "introduced_year": 2000}], mapper_for)
    assert built.objects(f"{BASE}method/transformer", KG + "introducedYear") == set()
    built = Built([{**METHOD, "introduced_year": 1998}], mapper_for)
    assert built.objects(f"{BASE}method/transformer", KG + "introducedYear") == {"1998"}


@pytest.mark.parametrize(
    "metrics",
    ['{"BLEU": 28.40}', [["BLEU", "28.40"]], {"BLEU": "28.40"}],
    ids=["text", "pairs", "object"],
)
def test_metrics_come_as_an_object_as_pairs_or_as_a_text(metrics: Json, mapper_for: Make) -> None:
    table = copy.deepcopy(TABLE)
    table["datasets"][0]["sota"]["rows"] = [{"model_name": "M1", "metrics": metrics}]
    built = Built([table], mapper_for)
    (result,) = built.subjects(KG + "modelName", "M1")
    (measurement,) = built.objects(result, KG + "measurement")
    assert built.objects(measurement, KG + "rawValue") == {"28.40"}
    assert built.objects(measurement, KG + "value") == {"28.4"}


@pytest.mark.parametrize("flag", [True, "True", 1, "1", "true"])
def test_booleans_are_read_in_all_their_spellings(flag: Json, mapper_for: Make) -> None:
    built = Built([{**LINK, "is_official": flag}], mapper_for)
    (link,) = built.objects(ATTENTION, KG + "codeLink")
    assert built.objects(link, KG + "isOfficial") == {"true"}


def test_vandalism_is_kept_and_listed(mapper_for: Make) -> None:
    method = {
        **METHOD,
        "url": f"{PWC}/method/call",
        "name": "Call +1 (888) 555-0123",
        "full_name": None,
    }
    dataset = {
        **DATASET,
        "url": f"{PWC}/dataset/can-i",
        "name": "###Can I Cancel My Lufthansa Flight?",
    }
    paper = copy.deepcopy(PAPER)
    paper["methods"] = [
        {"name": "xqzzkw", "description": "Please enter a description about the method here"}
    ]
    built = Built([method, dataset, paper, TABLE], mapper_for)
    suspects = [f.message for f in built.findings if f.kind is FindingKind.SUSPECT]
    assert len(suspects) == 3
    assert built.objects(f"{BASE}method/call", RDFS + "label") == {"Call +1 (888) 555-0123"}
    assert any(f"<{BASE}dataset/can-i>" in message for message in suspects)
    assert any("an empty form" in message for message in suspects)


# ---- the real files ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def real() -> Built:
    if not SHARED.is_dir():
        pytest.skip("needs the real records, which are not part of the project")
    values: list[Json] = []
    for folder in ("archive", "evaluation-tables", "seeds"):
        for path in sorted((SHARED / "records" / folder).glob("*.json")):
            if path.name != "example_json_format.json":  # which is no JSON
                found = decode(path.read_text("utf-8"))
                values += found if isinstance(found, list) else [found]

    def make(corpus: list[records.Record]) -> Mapper:
        index = Index()
        for record in corpus:
            index.learn(record)
        return Mapper(minter=Minter(), index=index, contexts=Contexts.load())

    return Built(values, make)


def test_the_real_methods_of_the_real_paper_are_those_of_the_methods_dump(real: Built) -> None:
    cblue = f"{BASE}paper/cblue-a-chinese-biomedical-language"
    assert real.objects(cblue, KG + "method") == {
        f"{BASE}method/{n}" for n in ("albert", "bert", "roberta")
    }
    for name in ("bert", "roberta"):  # the part of the dump that is here has no row of ALBERT
        assert real.objects(f"{BASE}method/{name}", DCT + "description")


def test_the_real_rows_of_natural_language_inference_share_that_task(real: Built) -> None:
    task = f"{BASE}task/natural-language-inference"
    boards = real.subjects(KG + "task", task)
    assert f"{BASE}leaderboard/natural-language-inference-on-kuake-qqr" in boards
    rows = {b for b in boards if b.startswith(f"{BASE}result/")}
    assert len(rows) > 50


def test_what_the_real_files_leave_unjoined_is_listed(real: Built) -> None:
    unresolved = [f for f in real.findings if f.kind is FindingKind.UNRESOLVED_NAME]
    named = {
        t.subject.value
        for t in real.triples
        if "/name/" in t.subject.value
        and t.subject.value.startswith((f"{BASE}task/", f"{BASE}dataset/", f"{BASE}method/"))
    }
    assert len(unresolved) >= len(named) > 50
    suspects = [f.message for f in real.findings if f.kind is FindingKind.SUSPECT]
    assert any("oojpiued" in message for message in suspects)


# ---- dirt ----------------------------------------------------------------------------------------

DIRT = st.one_of(
    st.none(),
    st.booleans(),
    st.text(max_size=12),
    st.sampled_from(
        [
            "",
            "8.0",
            "\ud835",
            "a\x00b",
            "\u2028",
            "\ufeff93.3",
            "http://host:abc/",
            "http://a/b#c#d",
            "javascript:x",
            "https://e.org/[a](b) c%zz",
            "git@github.com:a/b.git",
            "2222-13-40",
            "1e5",
            f"{PWC}/paper/Ünï cödé",
        ]
    ),
    st.lists(st.text(max_size=4), max_size=2),
    st.dictionaries(st.text(max_size=4), st.text(max_size=4), max_size=2),
)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150, deadline=None
)
@given(st.data())
def test_a_dirty_record_is_mapped_to_valid_triples_or_refused(
    mapper_for: Make, data: st.DataObject
) -> None:
    value = copy.deepcopy(data.draw(st.sampled_from(EVERY_KIND)))
    for _ in range(data.draw(st.integers(1, 3))):
        at: Json = value
        while True:
            steps = sorted(at) if isinstance(at, dict) else list(range(len(at)))
            if not steps:
                break
            step = data.draw(st.sampled_from(steps))
            if isinstance(at[step], dict | list) and at[step] and data.draw(st.booleans()):
                at = at[step]
                continue
            at[step] = data.draw(DIRT)
            break
    try:
        record = records.read(decode(json.dumps(value)))
    except RecordError:
        return
    lines = mapper_for([record]).map(record).lines
    assert lines
    assert len(Graph().parse(data=b"\n".join(lines), format="nt")) == len(triples(lines))
    store = ox.Store()
    store.bulk_load(b"\n".join(lines), format=NT)
    assert {quad.triple for quad in store} == triples(lines)
