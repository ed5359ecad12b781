"""Made records of codewithpapers.app, by number: papers with samples and results, and datasets."""

from __future__ import annotations

import random
from typing import Any, Final

from tests.benchmarks.made_archive import (
    FRAMEWORKS,
    METHODS,
    METRIC,
    MODEL,
    TASK,
    TASKS,
    VENUES,
    Row,
    method_name,
    paper,
    repository,
)
from tests.benchmarks.made_tables import LANGUAGES, LICENCES, MODALITIES, dataset_name, score
from tests.benchmarks.made_words import (
    WORDS,
    author,
    chance,
    name,
    pick,
    shared,
    slug,
    sometimes,
    text,
)

SITE: Final = "https://codewithpapers.app"
CC_BY_SA: Final = "https://creativecommons.org/licenses/by-sa/4.0/legalcode"
READ_AT: Final = "2026-09-24T18:15:14+00:00"
SPDX: Final = ("MIT", "Apache-2.0", "NONE", "GPL-3.0", "NOASSERTION", "BSD-3-Clause")
KINDS: Final = ("official", "named_in_paper", "listed", "found_in_text", "community")
STATUSES: Final = ("unverified", "ran_honours", "ran_draft_wrong")


def paper_record(n: int) -> Row:
    """Return the paper record of paper *n*: what the archive has of it, and samples of its code."""
    known = paper(n)
    luck = chance("site paper", n)
    links = [_code_link(luck, known.slug, n * 3 + k) for k in range(shared(luck, 4))]
    return {
        "about": {
            "site": SITE,
            "non_affiliation": "Made for a measurement; tied to nobody.",
            "licence": "CC BY-SA 4.0",
            "licence_url": CC_BY_SA,
            "attribution": f"{SITE}/attribution",
            "modified": "made up",
        },
        "url": f"/paper/{known.slug}",
        "title": known.title,
        "arxiv_id": known.arxiv_id,
        "date": known.date,
        "proceeding": sometimes(luck, 3, f"{pick(luck, VENUES)} {known.date[:4]} 6", None),
        "authors": [author(shared(luck, 24_000)) for _ in range(1 + shared(luck, 14))],
        "abstract": text(luck, luck.randrange(7, 13)),
        "url_abs": known.on_arxiv("abs"),
        "url_pdf": known.on_arxiv("pdf", ".pdf"),
        "source": {
            "archive": "made up, CC BY-SA 4.0",
            "snapshot": "2025-07-28",
            "licence_url": CC_BY_SA,
            "row_kind": "abstracts",
        },
        "code_links": links,
        "tasks": [
            {"task_slug": slug(called), "task_name": called}
            for called in (name(TASK, shared(luck, TASKS)) for _ in range(shared(luck, 7)))
        ],
        "methods": [
            {"method_slug": slug(called), "method_name": called}
            for called in (method_name(shared(luck, METHODS)) for _ in range(shared(luck, 6)))
        ],
        "datasets_introduced": [
            {"slug": slug(called), "name": called, "full_name": f"The {called} Collection"}
            for called in (dataset_name(n // 38 + k) for k in range(shared(luck, 2)))
        ],
        "methods_introduced": [],
        "results": [_result(luck) for _ in range(shared(luck, 9))],
        "syntology": _syntology(luck, links) if links else None,
        "arxiv_metadata": None,
        "syntology_extracted_results": None,
    }


def _code_link(luck: random.Random, paper_slug: str, n: int) -> Row:
    return {
        "paper_slug": paper_slug,
        "repo_url": repository(n),
        "is_official": luck.randrange(2),
        "mentioned_in_paper": sometimes(luck, 30, None, luck.randrange(2)),
        "mentioned_in_github": luck.randrange(2),
        "framework": pick(luck, FRAMEWORKS),
        "reach": {"status": "ok", "spdx": sometimes(luck, 20, None, pick(luck, SPDX))},
    }


def _result(luck: random.Random) -> Row:
    task, dataset = name(TASK, shared(luck, TASKS)), dataset_name(shared(luck, 2_000))
    count = 1 + shared(luck, 60)
    return {
        "leaderboard": f"/sota/{slug(task)}-on-{slug(dataset)}",
        "task": task,
        "dataset": dataset,
        "model": name(MODEL, shared(luck, 60_000)),
        "rank_in_archive_order": 1 + luck.randrange(count),
        "of": count,
        "metrics": {
            name(METRIC, shared(luck, 900)): score(luck) for _ in range(1 + shared(luck, 3))
        },
        "uses_additional_data": luck.random() < 0.05,
    }


def _syntology(luck: random.Random, links: list[Row]) -> Row:
    return {
        "atlas_url": "https://app.example.org/",
        "mcp": {"get_harvested_code_for_paper": {"arxiv_id": None}},
        "developers": "https://app.example.org/developers",
        "read_at": READ_AT,
        "read_at_is": "made up",
        "claim": "Made up; nothing ran.",
        "repos": [
            {"provenance": "external:made", "url": link["repo_url"], "reach": link["reach"]}
            for link in links
        ],
        "summary": {},
        "by_repo_kind": {},
        "repo_kind_vocabulary": {kind: f"made up: {kind}" for kind in KINDS},
        "n_pointer_only_for_licence": 0,
        "samples": [_sample(luck, pick(luck, links)) for _ in range(shared(luck, 20))],
    }


def _sample(luck: random.Random, link: Row) -> Row:
    repo = "/".join(link["repo_url"].split("/")[3:5])
    path = f"src/{luck.choice(WORDS)}/{luck.choice(WORDS)}.py"
    prefix = f"{luck.getrandbits(64):016x}"
    ran = luck.random() < 0.3
    return {
        "code_sha256_prefix": prefix,
        "entry": f"{luck.choice(WORDS)}_{luck.choice(WORDS)}".replace("-", "_"),
        "repo": repo,
        "repo_kind": pick(luck, KINDS),
        "path": path,
        "file_url": f"https://github.com/{repo}/blob/HEAD/{path}",
        "link_basis": luck.choice(("harvester_set", "first_harvest_node", "plan_row")),
        "language": "python",
        "status": luck.choice(STATUSES[1:]) if ran else STATUSES[0],
        "verification_level": luck.randrange(1, 3) if ran else 0,
        "contract_check": luck.choice(("HONOURS", "MISDECLARED")) if ran else None,
        "metamorphic_tier": luck.choice(("deterministic", "invariant", None)) if ran else None,
        "behaviour_fingerprint": ran,
        "licence": link["reach"]["spdx"],
        "inline_ok": True,
        "mcp_get_code": {"code_sha256": prefix},
    }


def dataset_record(n: int) -> Row:
    """Return the dataset record of dataset *n*."""
    luck = chance("site dataset", n)
    called = dataset_name(n)
    by = paper(shared(luck, 38 * (n + 1)))
    licence = pick(luck, LICENCES)
    counts: dict[str, Any] = dict.fromkeys(
        (
            "papers_with_samples",
            "samples_harvested",
            "samples_ran",
            "samples_unverified",
            "pointer_only_for_licence",
            "papers_with_no_sample_that_ran",
        ),
        0,
    )
    return {
        "url": f"/dataset/{slug(called)}",
        "name": called,
        "full_name": f"The {called} Collection",
        "description_markdown": text(luck, 2 + shared(luck, 12), between="\r\n"),
        "description_withheld": None,
        "homepage": f"https://data{n % 700}.example.org/{slug(called)}",
        "introduced_date": sometimes(luck, 4, None, by.date),
        "introduced_date_note": None,
        "introduced_by": {
            "paper": f"/paper/{by.slug}",
            "title": by.title,
            "first_author": author(n),
            "url": None,
        },
        "license": {"name": licence[0], "url": licence[1]},
        "modalities": [
            {"name": called, "url": f"/datasets/modality/{slug(called)}"}
            for called in (pick(luck, MODALITIES) for _ in range(1 + shared(luck, 3)))
        ],
        "tasks": [
            {
                "name": called,
                "url": f"/task/{slug(called)}",
                "datasets_with_task": f"/datasets/task/{slug(called)}",
            }
            for called in (name(TASK, shared(luck, TASKS)) for _ in range(shared(luck, 6)))
        ],
        "languages": [
            {"name": called, "url": f"/datasets/language/{slug(called)}"}
            for called in (pick(luck, LANGUAGES) for _ in range(1 + shared(luck, 2)))
        ],
        "variants": [called],
        "data_loaders": [
            {"repo": repository(n), "url": repository(n), "frameworks": [pick(luck, FRAMEWORKS)]}
        ],
        "num_papers_in_archive": shared(luck, 2_000),
        "source": {"archive": "made up, CC BY-SA 4.0", "snapshot": "2025-07-28"},
        "benchmarks": [],
        "papers_with_a_benchmark_row": [],
        "syntology_totals": {"read_at": READ_AT, **counts, "note": "made up"},
        "papers_note": "made up",
    }
