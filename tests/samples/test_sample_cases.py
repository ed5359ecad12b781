"""Every case that the sample records must hold is there, found by looking at the data.

Each finder takes the paper and the dataset records and yields what it finds. The same finder
finds nothing in an unremarkable pair of records, so that none is satisfied by just anything.
"""

from __future__ import annotations

import copy
import itertools
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from kg import resources

Record = dict[str, Any]  # a decoded record, before any reader has typed it
Finder = Callable[[list[Record], list[Record]], Iterable[object]]

PAPERS: list[Record] = [
    json.loads(line)
    for line in (resources.samples() / "papers.jsonl").read_text(encoding="utf-8").splitlines()
]
DATASETS: list[Record] = json.loads(
    (resources.samples() / "datasets.json").read_text(encoding="utf-8")
)

PLAIN_PAPER: Record = {
    "url": "/paper/plain",
    "title": "Plain",
    "arxiv_id": "2101.00001",
    "date": "2021-01-01",
    "proceeding": "ACL 2021 5",
    "authors": ["Ann Author"],
    "abstract": "Plain.",
    "code_links": [
        {
            "repo_url": "https://github.com/plain/code",
            "is_official": 1,
            "mentioned_in_paper": 1,
            "mentioned_in_github": 1,
            "framework": "pytorch",
            "reach": {"status": "ok", "spdx": "MIT"},
        }
    ],
    "tasks": [{"task_slug": "plain-task", "task_name": "Plain Task"}],
    "datasets_introduced": [],
    "methods_introduced": [],
    "results": [
        {
            "leaderboard": "/sota/plain-task-on-plain-set",
            "task": "Plain Task",
            "dataset": "Plain Set",
            "model": "Plain",
            "rank_in_archive_order": 1,
            "of": 1,
            "metrics": {"Accuracy": "90.1"},
            "uses_additional_data": False,
        }
    ],
    "syntology": {
        "samples": [
            {
                "code_sha256_prefix": "0123456789abcdef",
                "entry": "plain",
                "repo": "plain/code",
                "path": "plain.py",
                "repo_kind": "official",
                "link_basis": "harvester_set",
                "status": "ran_honours",
                "verification_level": 1,
                "contract_check": "HONOURS",
                "metamorphic_tier": "invariant",
                "licence": "MIT",
                "inline_ok": True,
            }
        ]
    },
}
PLAIN_DATASET: Record = {
    "url": "/dataset/plain-set",
    "name": "Plain Set",
    "full_name": "Plain Set",
    "description_markdown": "Plain.",
    "homepage": "https://example.org/",
    "introduced_date": "2021-01-01",
    "introduced_date_note": None,
    "introduced_by": {"paper": "/paper/plain", "title": "Plain", "url": None},
    "license": {"name": "CC BY 4.0", "url": "https://example.org/licence"},
    "modalities": [{"name": "Texts"}],
    "languages": [{"name": "English"}],
    "variants": ["Plain Set"],
    "data_loaders": [],
}


def rows(papers: list[Record]) -> Iterator[Record]:
    for paper in papers:
        yield from paper["results"]


def boards(papers: list[Record]) -> Iterator[list[Record]]:
    found: defaultdict[str, list[Record]] = defaultdict(list)
    for paper in papers:
        for row in paper["results"]:
            found[row["leaderboard"]].append({**row, "paper": paper["url"]})
    for some in found.values():
        yield sorted(some, key=lambda row: int(row["rank_in_archive_order"]))


def scores(papers: list[Record]) -> Iterator[Any]:
    for row in rows(papers):
        yield from row["metrics"].values()


def score_texts(papers: list[Record]) -> Iterator[str]:
    return (score for score in scores(papers) if isinstance(score, str))


def samples(papers: list[Record]) -> Iterator[Record]:
    for paper in papers:
        for sample in (paper["syntology"] or {"samples": []})["samples"]:
            yield {**sample, "paper": paper["url"]}


def links(papers: list[Record]) -> Iterator[Record]:
    for paper in papers:
        yield from paper["code_links"]


def known_names(papers: list[Record], datasets: list[Record]) -> set[str]:
    introduced = {one["name"] for paper in papers for one in paper["datasets_introduced"]}
    return introduced | {record["name"] for record in datasets}


def places(papers: list[Record]) -> dict[str, set[tuple[str, str, str]]]:
    found: defaultdict[str, set[tuple[str, str, str]]] = defaultdict(set)
    for sample in samples(papers):
        found[sample["code_sha256_prefix"]].add((sample["repo"], sample["path"], sample["entry"]))
    return found


def more_than_one(pairs: Iterable[tuple[object, object]]) -> list[object]:
    """The first members that occur with more than one second member."""
    found: defaultdict[object, set[object]] = defaultdict(set)
    for first, second in pairs:
        found[first].add(second)
    return [first for first, some in found.items() if len(some) > 1]


def repo_addresses(papers: list[Record]) -> Iterator[tuple[str, str]]:
    for link in links(papers):
        parts = link["repo_url"].split("/")
        yield "/".join(parts[3:5]).lower().removesuffix(".git"), link["repo_url"]


def all_of(values: Iterable[object], *wanted: object) -> list[object]:
    """The wanted values, if every one of them occurs; else nothing."""
    return [*wanted] if set(wanted) <= set(values) else []


NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")

CASES: dict[str, Finder] = {
    "dataset of a result known by name only": lambda p, d: (
        row for row in rows(p) if row["dataset"] not in known_names(p, d)
    ),
    "two tasks of one name": lambda p, _: more_than_one(
        (one["task_name"], one["task_slug"]) for paper in p for one in paper["tasks"]
    ),
    "result on a task whose name has two slugs in its own record": lambda p, _: (
        row
        for paper in p
        for row in paper["results"]
        if [one["task_name"] for one in paper["tasks"]].count(row["task"]) > 1
    ),
    "task names that differ by (NER)": lambda p, _: all_of(
        (one["task_slug"] for paper in p for one in paper["tasks"]),
        "named-entity-recognition-1",
        "named-entity-recognition-ner",
    ),
    "old-style arXiv identifier": lambda p, _: (
        paper for paper in p if re.fullmatch(r"[a-z-]+/\d{7}", paper.get("arxiv_id") or "")
    ),
    "arXiv identifier null": lambda p, _: (
        paper for paper in p if paper.get("arxiv_id", "") is None
    ),
    "arXiv identifier missing": lambda p, _: (paper for paper in p if "arxiv_id" not in paper),
    "score that is a dash": lambda p, _: (score for score in score_texts(p) if score == "-"),
    "score that is N/A": lambda p, _: (score for score in score_texts(p) if score == "N/A"),
    "score that is empty": lambda p, _: (score for score in score_texts(p) if score == ""),
    "score that is words": lambda p, _: (
        score for score in score_texts(p) if re.fullmatch("[a-z ]+", score)
    ),
    "score in percent": lambda p, _: (score for score in score_texts(p) if score.endswith("%")),
    "score that is a JSON number": lambda p, _: (
        score for score in scores(p) if isinstance(score, float)
    ),
    "score with an uncertainty": lambda p, _: (score for score in score_texts(p) if "±" in score),
    "score with a zero at its end": lambda p, _: (
        score for score in score_texts(p) if re.fullmatch(r"\d+\.\d+0", score)
    ),
    "score with a suffix": lambda p, _: (
        score for score in score_texts(p) if re.fullmatch(r"\d+M", score)
    ),
    "score with a comma": lambda p, _: (score for score in score_texts(p) if "," in score),
    "score with a footnote mark": lambda p, _: (
        score for score in score_texts(p) if score.endswith("*")
    ),
    "repository without a licence: NONE": lambda p, _: (
        link for link in links(p) if link["reach"]["spdx"] == "NONE"
    ),
    "repository without a licence: null": lambda p, _: (
        link for link in links(p) if link["reach"]["spdx"] is None
    ),
    "tie of two models in every metric": lambda p, _: (
        first
        for board in boards(p)
        for first, second in itertools.pairwise(board)
        if first["model"] != second["model"] and first["metrics"] == second["metrics"]
    ),
    "tie in one metric of several": lambda p, _: (
        first
        for board in boards(p)
        for first, second in itertools.pairwise(board)
        if first["metrics"] != second["metrics"]
        and first["metrics"].items() & second["metrics"].items()
        and all(NUMBER.fullmatch(str(score)) for score in first["metrics"].values())
    ),
    "leaderboard of six rows and six papers": lambda p, _: (
        board
        for board in boards(p)
        if [row["rank_in_archive_order"] for row in board] == [1, 2, 3, 4, 5, 6]
        and {row["of"] for row in board} == {6}
        and len({row["paper"] for row in board}) == 6
    ),
    "one model with and without additional data": lambda p, _: more_than_one(
        ((row["leaderboard"], row["model"]), row["uses_additional_data"]) for row in rows(p)
    ),
    "one model twice with the same data": lambda p, _: more_than_one(
        (
            (row["leaderboard"], row["paper"], row["model"], row["uses_additional_data"]),
            row["rank_in_archive_order"],
        )
        for board in boards(p)
        for row in board
    ),
    "one sample for two papers": lambda p, _: more_than_one(
        ((sample["repo"], sample["path"], sample["entry"]), sample["paper"])
        for sample in samples(p)
    ),
    "one sample with two kinds of repository": lambda p, _: more_than_one(
        ((sample["repo"], sample["path"], sample["entry"]), sample["repo_kind"])
        for sample in samples(p)
    ),
    "the same code in two places": lambda p, _: (
        prefix for prefix, some in places(p).items() if len({place[:2] for place in some}) > 1
    ),
    "statuses": lambda p, _: all_of(
        (sample["status"] for sample in samples(p)), "ran_honours", "ran_draft_wrong", "unverified"
    ),
    "contract checks": lambda p, _: all_of(
        (sample["contract_check"] for sample in samples(p)),
        "HONOURS",
        "MISDECLARED",
        "OUTPUT_MISDECLARED",
        None,
    ),
    "metamorphic tiers": lambda p, _: all_of(
        (sample["metamorphic_tier"] for sample in samples(p)), "deterministic", "invariant", None
    ),
    "levels": lambda p, _: all_of((s["verification_level"] for s in samples(p)), 0, 1, 2),
    "link bases": lambda p, _: all_of(
        (sample["link_basis"] for sample in samples(p)),
        "first_harvest_node",
        "harvester_set",
        "plan_row",
    ),
    "kinds of repository": lambda p, _: all_of(
        (sample["repo_kind"] for sample in samples(p)),
        "official",
        "named_in_paper",
        "listed",
        "found_in_text",
        "community",
    ),
    "sample to be pointed at, no licence": lambda p, _: (
        sample for sample in samples(p) if not sample["inline_ok"] and sample["licence"] is None
    ),
    "sample to be pointed at, a licence": lambda p, _: (
        sample
        for sample in samples(p)
        if not sample["inline_ok"] and sample["licence"] not in (None, "NONE")
    ),
    "code links official and not": lambda p, _: all_of((x["is_official"] for x in links(p)), 1, 0),
    "flag of a code link null": lambda p, _: (
        link for link in links(p) if link["mentioned_in_paper"] is None
    ),
    "frameworks": lambda p, _: all_of(
        (link["framework"] for link in links(p)), "pytorch", "tf", "jax", "torch", "none"
    ),
    "one repository in several spellings": lambda p, _: more_than_one(repo_addresses(p)),
    "one repository of several papers": lambda p, _: (
        url for url, count in Counter(link["repo_url"] for link in links(p)).items() if count > 1
    ),
    "paper without code": lambda p, _: (paper for paper in p if not paper["code_links"]),
    "paper without results": lambda p, _: (paper for paper in p if not paper["results"]),
    "paper without samples": lambda p, _: (
        paper for paper in p if paper["syntology"] and not paper["syntology"]["samples"]
    ),
    "paper without Syntology's part": lambda p, _: (p_ for p_ in p if p_["syntology"] is None),
    "paper dated by its month": lambda p, _: (x for x in p if len(x["date"] or "") == 7),
    "paper without a date": lambda p, _: (paper for paper in p if paper["date"] is None),
    "venue null": lambda p, _: (paper for paper in p if paper["proceeding"] is None),
    "venue empty": lambda p, _: (paper for paper in p if paper["proceeding"] == ""),
    "abstract empty": lambda p, _: (paper for paper in p if paper["abstract"] == ""),
    "paper that introduces two datasets": lambda p, _: (
        paper for paper in p if len(paper["datasets_introduced"]) > 1
    ),
    "paper that introduces a method": lambda p, _: (x for x in p if x["methods_introduced"]),
    "author named twice": lambda p, _: (
        paper for paper in p if len(set(paper["authors"])) < len(paper["authors"])
    ),
    "author in capitals": lambda p, _: (
        name for paper in p for name in paper["authors"] if re.search("[A-Z]{3}", name)
    ),
    "author with ü": lambda p, _: (n for paper in p for n in paper["authors"] if "ü" in n),
    "title with TeX and ≥": lambda p, _: (
        paper for paper in p if "$" in paper["title"] and "≥" in paper["title"]
    ),
    "CRLF in a description": lambda _, d: (
        record for record in d if "\r\n" in record["description_markdown"]
    ),
    "link of a description to a page of the site": lambda _, d: (
        record for record in d if "](/paper/" in record["description_markdown"]
    ),
    "dataset licence by name": lambda _, d: (
        record
        for record in d
        if record.get("license") and record["license"]["url"] is None and record["license"]["name"]
    ),
    "dataset licence by name and page": lambda _, d: (
        record for record in d if record.get("license") and "Custom" in record["license"]["name"]
    ),
    "dataset licence by Creative Commons address": lambda _, d: (
        record
        for record in d
        if record.get("license")
        and "creativecommons.org/licenses/" in (record["license"]["url"] or "")
    ),
    "dataset licence null": lambda _, d: (x for x in d if x.get("license", "") is None),
    "dataset licence missing": lambda _, d: (record for record in d if "license" not in record),
    "dataset introduced by a paper without a record": lambda p, d: (
        record
        for record in d
        if record["introduced_by"]["paper"]
        and record["introduced_by"]["paper"] not in {paper["url"] for paper in p}
    ),
    "dataset introduced by title and address only": lambda _, d: (
        record
        for record in d
        if record["introduced_by"]["paper"] is None
        and record["introduced_by"]["title"]
        and record["introduced_by"]["url"]
    ),
    "dataset without a date but with a note": lambda _, d: (
        record for record in d if not record["introduced_date"] and record["introduced_date_note"]
    ),
    "dataset of several modalities": lambda _, d: (x for x in d if len(x["modalities"]) > 1),
    "dataset in another language than English": lambda _, d: (
        record for record in d if {one["name"] for one in record["languages"]} - {"English"}
    ),
    "dataset in no language": lambda _, d: (record for record in d if not record["languages"]),
    "full name null": lambda _, d: (record for record in d if record["full_name"] is None),
    "full name empty": lambda _, d: (record for record in d if record["full_name"] == ""),
    "home page empty": lambda _, d: (record for record in d if record["homepage"] == ""),
    "variant that is the dataset of a result": lambda p, d: (
        record
        for record in d
        if (set(record["variants"]) - {record["name"]}) & {row["dataset"] for row in rows(p)}
    ),
    "data loader with frameworks": lambda _, d: (
        one for record in d for one in record["data_loaders"] if len(one["frameworks"]) > 1
    ),
    "data loader without frameworks": lambda _, d: (
        one for record in d for one in record["data_loaders"] if not one["frameworks"]
    ),
    "data loader without a repository": lambda _, d: (
        one for record in d for one in record["data_loaders"] if one["repo"] is None
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_case_is_in_the_samples(case: str) -> None:
    assert [*CASES[case](PAPERS, DATASETS)] != []


@pytest.mark.parametrize("case", CASES)
def test_an_unremarkable_pair_of_records_is_no_case(case: str) -> None:
    papers, datasets = [copy.deepcopy(PLAIN_PAPER)], [copy.deepcopy(PLAIN_DATASET)]
    assert [*CASES[case](papers, datasets)] == []


def test_all_five_kinds_of_repository_meet_in_one_paper() -> None:
    assert any(len({s["repo_kind"] for s in samples([paper])}) == 5 for paper in PAPERS)


def test_the_rows_of_a_leaderboard_are_best_first() -> None:
    """By their first score, which in every board here is better when higher."""
    for board in boards(PAPERS):
        first = [str(next(iter(row["metrics"].values()))) for row in board]
        numbers = [float(m[0]) for score in first if (m := re.match(r"\d+(\.\d+)?", score))]
        plain = [number for number in numbers if number > 1]  # 0.912 stands for 91.2 on purpose
        assert plain == sorted(plain, reverse=True)
