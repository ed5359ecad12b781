"""The sample records are of one piece: counts, ranks and repeated identifiers agree."""

from __future__ import annotations

import copy
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

import pytest

from kg import resources

Record = dict[str, Any]  # a decoded record, before any reader has typed it

PAPERS: list[Record] = [
    json.loads(line)
    for line in (resources.samples() / "papers.jsonl").read_text(encoding="utf-8").splitlines()
]
DATASETS: list[Record] = json.loads(
    (resources.samples() / "datasets.json").read_text(encoding="utf-8")
)
REPO_KINDS_AMONG_CODE_LINKS = {"official", "named_in_paper", "listed"}


def repo(url: str) -> str:
    """Owner and name of a GitHub repository, whichever page of it *url* is."""
    return "/".join(url.split("/")[3:5]).lower().removesuffix(".git")


def ran(sample: Record) -> bool:
    return bool(sample["status"] != "unverified")


def faults_of_code_links(paper: Record) -> list[str]:
    slug = paper["url"].removeprefix("/paper/")
    return [link["repo_url"] for link in paper["code_links"] if link["paper_slug"] != slug]


def faults_of_summary(paper: Record) -> list[str]:
    part = paper["syntology"]
    if part is None:
        return []
    samples = part["samples"]
    kinds: defaultdict[str, list[Record]] = defaultdict(list)
    for sample in samples:
        kinds[sample["repo_kind"]].append(sample)
    counted = {
        "summary": dict(Counter(sample["status"] for sample in samples)),
        "by_repo_kind": {
            kind: {
                "samples": len(some),
                "ran": sum(map(ran, some)),
                "repositories": len({sample["repo"] for sample in some}),
            }
            for kind, some in kinds.items()
        },
        "n_pointer_only_for_licence": sum(not sample["inline_ok"] for sample in samples),
    }
    return [key for key, value in counted.items() if part[key] != value]


def faults_of_samples(paper: Record) -> list[str]:
    linked = {repo(link["repo_url"]): link for link in paper["code_links"]}
    faults = []
    for sample in (paper["syntology"] or {"samples": []})["samples"]:
        name = f"{sample['repo']} {sample['entry']}"
        kind, link = sample["repo_kind"], linked.get(sample["repo"])
        unrun = [sample["verification_level"] == 0, sample["contract_check"] is None]
        right = {
            "16 hex digits": re.fullmatch("[0-9a-f]{16}", sample["code_sha256_prefix"]) is not None,
            "prefix": sample["mcp_get_code"]["code_sha256"] == sample["code_sha256_prefix"],
            "unverified": unrun == [not ran(sample)] * 2,
            "fingerprint": sample["behaviour_fingerprint"] == bool(sample["metamorphic_tier"]),
            "file": sample["file_url"]
            == f"https://github.com/{sample['repo']}/blob/HEAD/{sample['path']}",
            "made-up": sample["repo"].startswith("example/"),
            "among the links": (link is not None) == (kind in REPO_KINDS_AMONG_CODE_LINKS),
            "official": kind != "official" or (link is not None and link["is_official"] == 1),
            "named": kind != "named_in_paper"
            or (link is not None and link["mentioned_in_paper"] == 1),
            "vocabulary": kind in paper["syntology"]["repo_kind_vocabulary"],
            "repos": sample["repo"] in {repo(one["url"]) for one in paper["syntology"]["repos"]},
        }
        faults += [f"{name}: {what}" for what, holds in right.items() if not holds]
    return faults


def faults_of_identifiers(paper: Record) -> list[str]:
    """The arXiv identifier is repeated in addresses and in Syntology's part."""
    identifier = paper.get("arxiv_id")
    if identifier is None:
        return []
    held = [paper["url_abs"], paper["url_pdf"]]
    if paper["syntology"] is not None:
        held += [
            paper["syntology"]["atlas_url"],
            paper["syntology"]["mcp"]["get_harvested_code_for_paper"]["arxiv_id"],
        ]
    return [text for text in held if identifier not in text]


def faults_of_made_up(paper: Record) -> list[str]:
    """What is made up says so in its own text."""
    faults = []
    if paper["syntology"] is not None and "made-up" not in paper["syntology"]["claim"]:
        faults.append("claim")
    invented = "arxiv.org" not in paper.get("url_abs", "")
    if invented != paper["title"].startswith("Example paper: "):
        faults.append("title")
    if not invented and any(
        repo(one["repo_url"]).startswith("example/") for one in paper["code_links"]
    ):
        faults.append("code_links")
    return faults


CHECKS = [
    faults_of_code_links,
    faults_of_summary,
    faults_of_samples,
    faults_of_identifiers,
    faults_of_made_up,
]


def faults_of_ranks(papers: list[Record]) -> list[str]:
    """A leaderboard's rows in the samples are numbered from 1 without a gap, of their count."""
    rows: defaultdict[str, list[Record]] = defaultdict(list)
    for paper in papers:
        for row in paper["results"]:
            rows[row["leaderboard"]].append(row)
    return [
        board
        for board, some in rows.items()
        if sorted(row["rank_in_archive_order"] for row in some) != [*range(1, len(some) + 1)]
        or {row["of"] for row in some} != {len(some)}
        or len({(row["task"], row["dataset"]) for row in some}) > 1
    ]


def faults_of_shared_samples(papers: list[Record]) -> list[str]:
    """One piece of code at one place is told alike wherever it is told."""
    seen: dict[tuple[str, ...], Record] = {}
    faults = []
    for paper in papers:
        for sample in (paper["syntology"] or {"samples": []})["samples"]:
            key = (sample["code_sha256_prefix"], sample["repo"], sample["path"], sample["entry"])
            own = {k: v for k, v in sample.items() if k not in ("repo_kind", "link_basis")}
            if seen.setdefault(key, own) != own:
                faults.append(sample["entry"])
    return faults


def faults_of_names(papers: list[Record], datasets: list[Record]) -> list[str]:
    """A slug has one name, whichever record tells it."""
    names: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for paper in papers:
        for kind in ("task", "method"):
            for one in paper[f"{kind}s"]:
                names[kind, one[f"{kind}_slug"]].add(one[f"{kind}_name"])
        for kind in ("dataset", "method"):
            for one in paper[f"{kind}s_introduced"]:
                names[kind, one["slug"]].add(one["name"])
    for record in datasets:
        names["dataset", record["url"].removeprefix("/dataset/")].add(record["name"])
        for one in record["tasks"]:
            names["task", one["url"].removeprefix("/task/")].add(one["name"])
    return [" ".join(key) for key, some in names.items() if len(some) > 1]


def faults_of_totals(papers: list[Record], datasets: list[Record]) -> list[str]:
    """A dataset's counts are sums over the papers with a row on it or on a variant of it."""
    faults = []
    for record in datasets:
        names = {record["name"], *record["variants"]}
        using = [p for p in papers if any(row["dataset"] in names for row in p["results"])]
        sampled = [p["syntology"]["samples"] for p in using if p["syntology"]]
        sampled = [samples for samples in sampled if samples]
        everything = [sample for samples in sampled for sample in samples]
        counted = {
            "papers_with_samples": len(sampled),
            "samples_harvested": len(everything),
            "samples_ran": sum(map(ran, everything)),
            "samples_unverified": sum(not ran(sample) for sample in everything),
            "pointer_only_for_licence": sum(not sample["inline_ok"] for sample in everything),
            "papers_with_no_sample_that_ran": sum(not any(map(ran, some)) for some in sampled),
        }
        told = {key: record["syntology_totals"][key] for key in counted}
        if told != counted or record["num_papers_in_archive"] != len(using):
            faults.append(record["url"])
    return faults


def faults_of_introductions(papers: list[Record], datasets: list[Record]) -> list[str]:
    """Paper and dataset record agree on who introduced what, where both are here."""
    by_url = {paper["url"]: paper for paper in papers}
    introduced = {
        "/dataset/" + one["slug"]: paper["url"]
        for paper in papers
        for one in paper["datasets_introduced"]
    }
    faults = []
    for record in datasets:
        origin = record["introduced_by"]
        paper = by_url.get(origin["paper"])
        here = paper["url"] if paper else None
        told = (origin["title"], origin["first_author"])
        if introduced.get(record["url"]) != here or (
            paper is not None and told != (paper["title"], paper["authors"][0])
        ):
            faults.append(record["url"])
    return faults


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper["url"])
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_paper_record_is_consistent(check: Callable[[Record], list[str]], paper: Record) -> None:
    assert check(paper) == []


def test_the_records_are_consistent_with_each_other() -> None:
    assert faults_of_ranks(PAPERS) == []
    assert faults_of_shared_samples(PAPERS) == []
    assert faults_of_names(PAPERS, DATASETS) == []
    assert faults_of_totals(PAPERS, DATASETS) == []
    assert faults_of_introductions(PAPERS, DATASETS) == []


def test_every_record_has_a_page_of_its_own() -> None:
    pages = [record["url"] for record in [*PAPERS, *DATASETS]]
    assert len(set(pages)) == len(pages)
    assert all(re.fullmatch(r"/(paper|dataset)/[a-z0-9][a-z0-9-]*", page) for page in pages)


def test_each_file_reads_as_what_its_name_says() -> None:
    assert all(paper["url"].startswith("/paper/") for paper in PAPERS)
    assert all(record["url"].startswith("/dataset/") for record in DATASETS)
    assert len(PAPERS) >= 12
    assert len(DATASETS) >= 8


def paper_with_samples() -> Record:
    chosen = next(p for p in PAPERS if p["title"].startswith("Example paper: a tiny"))
    return copy.deepcopy(chosen)


def sample_of(paper: Record, entry: str) -> Record:
    found: Record = next(s for s in paper["syntology"]["samples"] if s["entry"] == entry)
    return found


def spoil_sample(entry: str, **fields: object) -> Callable[[Record], object]:
    return lambda paper: sample_of(paper, entry).update(fields)


def spoil_part(**fields: object) -> Callable[[Record], object]:
    return lambda paper: paper["syntology"].update(fields)


Twin = tuple[Callable[[Record], list[str]], str, Callable[[Record], object]]
PAPER_TWINS: list[Twin] = [
    (faults_of_code_links, "Tiny", lambda p: p["code_links"][0].update(paper_slug="another")),
    (faults_of_summary, "summary", spoil_part(summary={"unverified": 99})),
    (faults_of_summary, "by_repo_kind", spoil_part(by_repo_kind={})),
    (faults_of_summary, "n_pointer_only_for_licence", spoil_part(n_pointer_only_for_licence=0)),
    (faults_of_samples, "16 hex digits", spoil_sample("gelu", code_sha256_prefix="gelu")),
    (faults_of_samples, "prefix", spoil_sample("gelu", code_sha256_prefix="0" * 16)),
    (faults_of_samples, "unverified", spoil_sample("train_step", verification_level=1)),
    (faults_of_samples, "unverified", spoil_sample("train_step", contract_check="HONOURS")),
    (faults_of_samples, "unverified", spoil_sample("gelu", verification_level=0)),
    (faults_of_samples, "unverified", spoil_sample("gelu", status="unverified")),
    (faults_of_samples, "fingerprint", spoil_sample("gelu", behaviour_fingerprint=False)),
    (faults_of_samples, "file", spoil_sample("gelu", path="elsewhere.py")),
    (faults_of_samples, "made-up", spoil_sample("gelu", repo="google-research/bert")),
    (faults_of_samples, "among the links", spoil_sample("gelu", repo_kind="community")),
    (faults_of_samples, "among the links", spoil_sample("causal_mask", repo_kind="listed")),
    (faults_of_samples, "official", spoil_sample("train_step", repo_kind="official")),
    (faults_of_samples, "named", spoil_sample("draw_heads", repo_kind="named_in_paper")),
    (faults_of_samples, "vocabulary", spoil_part(repo_kind_vocabulary={})),
    (faults_of_samples, "repos", spoil_part(repos=[])),
    (faults_of_made_up, "claim", spoil_part(claim="These statuses are true.")),
    (faults_of_made_up, "title", lambda p: p.update(title="A paper")),
    (faults_of_made_up, "title", lambda p: p.update(url_abs="https://arxiv.org/abs/1706.03762v7")),
    (
        faults_of_made_up,
        "code_links",
        lambda p: p.update(url_abs="https://arxiv.org/abs/1706.03762v7", title="A real paper"),
    ),
]


@pytest.mark.parametrize(("check", "fault", "spoil"), PAPER_TWINS)
def test_a_broken_twin_of_a_paper_is_caught(
    check: Callable[[Record], list[str]], fault: str, spoil: Callable[[Record], object]
) -> None:
    paper = paper_with_samples()
    assert check(paper) == []
    spoil(paper)
    assert any(fault in one for one in check(paper))


@pytest.mark.parametrize("key", ["url_abs", "url_pdf", "atlas_url"])
def test_an_address_with_another_identifier_is_caught(key: str) -> None:
    paper = copy.deepcopy(PAPERS[0])
    part = paper["syntology"] if key in paper["syntology"] else paper
    assert faults_of_identifiers(paper) == []
    part[key] = "https://example.org/2106.00001"
    assert faults_of_identifiers(paper) == ["https://example.org/2106.00001"]


def test_a_tool_call_with_another_identifier_is_caught() -> None:
    paper = copy.deepcopy(PAPERS[0])
    paper["syntology"]["mcp"]["get_harvested_code_for_paper"]["arxiv_id"] = "2106.00001"
    assert faults_of_identifiers(paper) == ["2106.00001"]


def first_with(key: str, papers: list[Record]) -> Record:
    return next(paper for paper in papers if paper[key])


def test_broken_twins_of_the_collection_are_caught() -> None:
    def spoilt(spoil: Callable[[list[Record], list[Record]], object]) -> tuple[Any, Any]:
        papers, datasets = copy.deepcopy(PAPERS), copy.deepcopy(DATASETS)
        spoil(papers, datasets)
        return papers, datasets

    papers, datasets = spoilt(lambda p, _: first_with("results", p)["results"].pop())
    assert faults_of_ranks(papers) != []
    papers, _ = spoilt(lambda p, _: first_with("results", p)["results"][0].update(of=9))
    assert faults_of_ranks(papers) != []
    papers, _ = spoilt(lambda p, _: first_with("results", p)["results"][0].update(task="Other"))
    assert faults_of_ranks(papers) != []
    papers, _ = spoilt(
        lambda p, _: first_with("syntology", p)["syntology"]["samples"][0].update(licence="ISC")
    )
    assert faults_of_shared_samples(papers) != []
    papers, _ = spoilt(lambda p, _: first_with("tasks", p)["tasks"][1].update(task_name="Other"))
    assert faults_of_names(papers, DATASETS) != []
    _, datasets = spoilt(lambda _, d: d[0]["syntology_totals"].update(samples_ran=99))
    assert faults_of_totals(PAPERS, datasets) != []
    _, datasets = spoilt(lambda _, d: d[0].update(num_papers_in_archive=0))
    assert faults_of_totals(PAPERS, datasets) != []
    _, datasets = spoilt(lambda _, d: d[0]["introduced_by"].update(first_author="Nobody"))
    assert faults_of_introductions(PAPERS, datasets) != []
    papers, _ = spoilt(
        lambda p, _: first_with("datasets_introduced", p).update(datasets_introduced=[])
    )
    assert faults_of_introductions(papers, DATASETS) != []
