from __future__ import annotations

import copy
import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg import records
from kg.errors import RecordError
from kg.findings import FindingKind
from kg.records import ArchiveDataset, DatasetRecord, EvaluationTable, PaperRecord
from kg.sources import Object
from tests.conftest import decode, sample_values, seed_values
from tests.records.archive_records import DATASET

Json = Any


def sample(kind: str) -> Json:
    """The richest sample record of a kind."""
    found = [value for value in sample_values() if records.read(value).kind == kind]
    return copy.deepcopy(max(found, key=lambda value: len(json.dumps(value))))


def findings(value: Json) -> list[tuple[FindingKind, str]]:
    return [(finding.kind, finding.field) for finding in records.read(value).findings]


def test_the_samples_are_read_without_a_word() -> None:
    for value in sample_values():
        assert records.read(value).findings == []


def test_the_real_records_are_read_without_a_word(shared: object) -> None:
    read = [records.read(value) for value in seed_values()]
    assert [type(record) for record in read] == [DatasetRecord, PaperRecord]
    assert [record.findings for record in read] == [[], []]


@pytest.mark.parametrize("kind", ["paper", "dataset"])
def test_a_kind_is_recognised_by_content_whatever_the_order_of_its_keys(kind: str) -> None:
    value = sample(kind)
    assert records.read(dict(reversed(value.items()))).kind == kind


@pytest.mark.parametrize(
    "value", [{}, {"a": 1}, [], "text", None, True, 1, {"url": "/task/x"}, {"title": "T"}]
)
def test_what_is_no_known_kind_is_refused_with_what_it_is(value: Json) -> None:
    with pytest.raises(RecordError, match=r"no known kind|expected an object"):
        records.read(value)


@pytest.mark.parametrize(
    "value",
    [{"paper_url": "/paper/a"}, {"paper_url": "https://paperswithcode.com/paper/a", "title": "T"}],
)
def test_a_row_that_has_little_more_than_its_address_is_a_paper(value: Json) -> None:
    assert records.read(value).kind == "papers-with-abstracts"


@pytest.mark.parametrize(
    "value",
    [
        {"paper_url": "https://example.org/a"},
        {"paper_url": None},
        {"paper_url": "/paper/a", "model_name": "M", "metrics": {}},
        {"paper_url": "/paper/a", "paper_title": "T"},
    ],
)
def test_a_row_of_another_table_is_no_paper(value: Json) -> None:
    with pytest.raises(RecordError, match="no known kind"):
        records.read(value)


def row_with(metrics: Json) -> Json:
    """Return a table whose only row has these metrics, as the sources decode them."""
    table = {"task": "T", "datasets": [{"dataset": "D", "sota": {"rows": [{"metrics": metrics}]}}]}
    return decode(json.dumps(table))


def metrics_of(metrics: Json) -> tuple[tuple[str, str], ...]:
    record = records.read(row_with(metrics))
    assert isinstance(record, EvaluationTable)
    sota = record.task.datasets[0].sota
    assert sota is not None
    return sota.rows[0].metrics


@pytest.mark.parametrize("nothing", [None, {}, [], "", "{}", "[]", "null"])
def test_metrics_may_be_none(nothing: Json) -> None:
    assert metrics_of(nothing) == ()


@pytest.mark.parametrize("as_text", [False, True])
@pytest.mark.parametrize(
    "metrics",
    [
        {"F1": 85.50, "Acc": "1"},
        [["F1", 85.50], ["Acc", "1"]],
        [{"key": "F1", "value": 85.50}, {"value": "1", "key": "Acc"}],
    ],
)
def test_metrics_are_read_in_every_layout(metrics: Json, as_text: bool) -> None:
    given = json.dumps(metrics) if as_text else metrics
    assert metrics_of(given) == (("F1", "85.5"), ("Acc", "1"))


@pytest.mark.parametrize("null", [{"F1": None}, [["F1", None]], [{"key": "F1"}], '{"F1": null}'])
def test_a_metric_that_is_null_is_no_measurement_and_noted(null: Json) -> None:
    assert metrics_of(null) == ()
    (finding,) = records.read(row_with(null)).findings
    assert finding.message == "the metric 'F1' is null: no measurement"


@pytest.mark.parametrize(
    ("metrics", "what"),
    [
        ("F1", "a text that is none in JSON"),
        ('"F1"', "found the text 'F1'"),
        ("1", "found the number 1"),
        (1, "found the number 1"),
        ([["F1"]], "not of pairs"),
        ([[None, "1"]], "not of pairs"),
        ([{"value": "1"}], "not of pairs"),
        ([{"key": "F1", "value": "1", "unit": "%"}], "not of pairs"),
        ([["F1", "1"], ["F1", "2"]], "'F1' stands twice"),
        ('{"F1": "1", "F1": "2"}', "'F1' stands twice"),
        ([["F1", ["1"]]], "expected a text or a number, found a list"),
    ],
)
def test_metrics_that_are_none_or_of_which_one_would_be_lost_are_refused(
    metrics: Json, what: str
) -> None:
    with pytest.raises(RecordError, match=re.escape(what)) as refused:
        records.read(row_with(metrics))
    assert str(refused.value.field).startswith("datasets[].sota.rows[].metrics")


def test_a_null_among_parts_is_left_out_and_reported() -> None:
    value = sample("paper")
    before = records.read(value)
    value["tasks"].append(None)
    assert records.read(value) == before
    assert (FindingKind.ODD_VALUE, "tasks[]") in findings(value)


@pytest.mark.parametrize("kind", ["dataset", "datasets"])
def test_a_loader_that_says_nothing_is_left_out_and_reported(kind: str) -> None:
    value: Json = decode(json.dumps(DATASET)) if kind == "datasets" else sample(kind)
    before = records.read(value)
    value["data_loaders"] += [{}, {"repo": None, "url": "", "frameworks": []}]
    assert records.read(value) == before
    assert findings(value) == [(FindingKind.ODD_VALUE, "data_loaders[].repo")] * 2
    value["data_loaders"] = [{"frameworks": ["tf"]}]
    record = records.read(value)
    assert isinstance(record, DatasetRecord | ArchiveDataset)
    assert [loader.frameworks for loader in record.data_loaders] == [("tf",)]


@pytest.mark.parametrize("nothing", [None, "", [], {}])
@pytest.mark.parametrize("key", ["about", "source", "syntology", "code_links", "results"])
def test_an_object_or_list_that_is_nothing_is_none(key: str, nothing: Json) -> None:
    value = sample("paper")
    value[key] = nothing
    assert not getattr(records.read(value), key)


@pytest.mark.parametrize(
    ("key", "part", "field"),
    [
        ("tasks", {}, "tasks[].task_slug"),
        ("methods", {"method_slug": None}, "methods[].method_slug"),
        ("datasets_introduced", {"full_name": "F"}, "datasets_introduced[].slug"),
        ("code_links", {"is_official": 1}, "code_links[].repo_url"),
    ],
)
def test_a_part_without_identifier_is_left_out_and_reported(
    key: str, part: Json, field: str
) -> None:
    value = sample("paper")
    value["syntology"] = None
    before = getattr(records.read(value), key)
    value[key] = [*value[key], part]
    assert getattr(records.read(value), key) == before
    assert (FindingKind.ODD_VALUE, field) in findings(value)


@pytest.mark.parametrize("nothing", [None, "", ...])
@pytest.mark.parametrize("key", ["abstract", "date", "proceeding", "arxiv_id", "url_pdf"])
def test_null_empty_and_missing_all_say_nothing_of_an_optional_text(
    key: str, nothing: Json
) -> None:
    value = sample("paper")
    value.pop(key)
    if nothing is not ...:
        value[key] = nothing
    assert getattr(records.read(value), key) is None


@pytest.mark.parametrize("key", ["about", "source", "syntology", "code_links", "results", "tasks"])
def test_null_and_missing_parts_are_no_parts(key: str) -> None:
    value = sample("paper")
    value[key] = None
    if key not in ("code_links", "results"):
        del value[key]
    assert not getattr(records.read(value), key)


@pytest.mark.parametrize(
    ("key", "bad", "field"),
    [
        ("title", None, "title"),
        ("title", "", "title"),
        ("title", ["T"], "title"),
        ("title", True, "title"),
        ("authors", "A. Author", "authors"),
        ("authors", [None], "authors[]"),
        ("tasks", {"task_slug": "x"}, "tasks"),
        ("tasks", ["x"], "tasks[]"),
        (
            "code_links",
            [{"repo_url": "https://e.org/a", "is_official": "yes"}],
            "code_links[].is_official",
        ),
        ("results", [{"metrics": [1]}], "results[].metrics"),
        ("results", [{"metrics": {"A": {"x": 1}}}], "results[].metrics.*"),
        ("results", [{"of": "many"}], "results[].of"),
        (
            "syntology",
            {"samples": [{"code_sha256_prefix": "xyz"}]},
            "syntology.samples[].code_sha256_prefix",
        ),
    ],
)
def test_a_field_that_cannot_be_read_refuses_the_record_and_is_named(
    key: str, bad: Json, field: str
) -> None:
    value = sample("paper")
    value[key] = bad
    with pytest.raises(RecordError) as refused:
        records.read(value)
    assert refused.value.field == field
    assert field in str(refused.value)
    if key != "url":
        assert refused.value.record == value["url"]


def test_a_key_that_stands_twice_in_an_object_is_refused() -> None:
    value = sample("dataset")
    value["license"] = Object({"name": "x"}, ("name",))
    with pytest.raises(RecordError, match="stands twice") as refused:
        records.read(value)
    assert refused.value.field == "license.name"


@pytest.mark.parametrize(
    ("place", "key", "field"),
    [
        ((), "comment", "comment"),
        (("about",), "year", "about.year"),
        (("code_links", 0, "reach"), "stars", "code_links[].reach.stars"),
        (("syntology", "samples", 0), "lines", "syntology.samples[].lines"),
        (("syntology", "mcp"), "other", "syntology.mcp.other"),
    ],
)
def test_an_unknown_key_is_reported_with_its_path(
    place: tuple[Json, ...], key: str, field: str
) -> None:
    value = sample("paper")
    at = value
    for step in place:
        at = at[step]
    at[key] = "something"
    assert findings(value) == [(FindingKind.UNKNOWN_KEY, field)]
    at[key] = None
    assert findings(value) == []


def test_numbers_are_read_as_their_text() -> None:
    value = decode('{"url":"/paper/p","title":"T","results":[],"arxiv_id":1901.00010}')
    assert records.read(value).arxiv_id == "1901.00010"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda r: r["code_links"][0].update(paper_slug="other"), "code_links[].paper_slug"),
        (
            lambda r: r["results"][0].update(rank_in_archive_order="99"),
            "results[].rank_in_archive_order",
        ),
        (
            lambda r: r["syntology"]["summary"].update(ran_honours="99"),
            "syntology.summary.ran_honours",
        ),
        (lambda r: r["syntology"]["summary"].clear(), "syntology.summary.unverified"),
        (
            lambda r: r["syntology"]["summary"].update(unheard_of="1"),
            "syntology.summary.unheard_of",
        ),
        (
            lambda r: r["syntology"]["by_repo_kind"]["official"].update(ran="77"),
            "syntology.by_repo_kind.official.ran",
        ),
        (
            lambda r: r["syntology"]["by_repo_kind"]["official"].update(repositories="77"),
            "syntology.by_repo_kind.official.repositories",
        ),
        (
            lambda r: r["syntology"]["samples"][0]["mcp_get_code"].update(code_sha256="0" * 16),
            "syntology.samples[].mcp_get_code.code_sha256",
        ),
        (
            lambda r: r["syntology"]["samples"][0].update(
                verification_level="0", status="ran_honours"
            ),
            "syntology.samples[].verification_level",
        ),
        (
            lambda r: r["syntology"]["samples"][0].update(
                repo="example/elsewhere", repo_kind="listed"
            ),
            "syntology.samples[].repo",
        ),
        (
            lambda r: r["syntology"]["mcp"]["get_harvested_code_for_paper"].update(
                arxiv_id="1706.03763"
            ),
            "syntology.mcp.get_harvested_code_for_paper.arxiv_id",
        ),
    ],
)
def test_a_record_that_contradicts_itself_is_kept_and_reported(change: Json, field: str) -> None:
    value = sample("paper")
    assert findings(value) == []
    change(value)
    assert (FindingKind.INCONSISTENT, field) in findings(value)


JSON = st.recursive(
    st.none() | st.booleans() | st.text(max_size=8) | st.sampled_from(["0", "1", "/paper/x"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.data())
def test_a_record_with_any_value_at_any_key_is_read_or_refused(data: st.DataObject) -> None:
    value = sample(data.draw(st.sampled_from(["paper", "dataset"])))
    at = value
    while True:
        keys = sorted(at) if isinstance(at, dict) else range(len(at))
        step = data.draw(st.sampled_from(list(keys)))
        if isinstance(at[step], dict | list) and at[step] and data.draw(st.booleans()):
            at = at[step]
            continue
        at[step] = data.draw(JSON)
        break
    try:
        record = records.read(value)
    except RecordError:
        return
    assert record.id.startswith(f"/{record.kind}/")
