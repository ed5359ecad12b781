"""Made rows of the archive's dumps of methods, datasets and evaluation tables, by number."""

from __future__ import annotations

import random
from typing import Any, Final

from tests.benchmarks.made_archive import (
    AREAS,
    COLLECTION,
    DATASET,
    FRAMEWORKS,
    METRIC,
    MODEL,
    PWC,
    TASK,
    TASKS,
    Paper,
    Row,
    method_copy,
    paper,
    repository,
)
from tests.benchmarks.made_words import chance, name, pick, shared, slug, sometimes, text

LANGUAGES: Final = ("English", "Chinese", "German", "Arabic", "Yoruba", "Hindi", "Polish", "Māori")
MODALITIES: Final = ("Images", "Texts", "Videos", "Audio", "Graphs", "3D", "Tabular", "Time series")
LICENCES: Final[tuple[tuple[str | None, str | None], ...]] = (
    (None, None),
    ("CC BY 4.0", "https://creativecommons.org/licenses/by/4.0/"),
    ("Custom", "https://licence.example.org/terms"),
    ("MIT", None),
)


def method_row(n: int) -> Row:
    """Return a row of ``methods``; one in four hundred is an advertisement."""
    luck = chance("method row", n)
    copy = method_copy(n)
    collection = copy["main_collection"]
    source = paper(shared(luck, 60 * (n + 1)))
    called = sometimes(luck, 400, f"Call +1 (888) 555-01{n % 100:02} Airlines", copy["name"])
    return {
        "url": f"{PWC}/method/{slug(called).replace('+', '')}",
        "name": called,
        "full_name": copy["full_name"],
        "description": copy["description"],
        "paper": {"title": source.title, "url": source.url},
        "introduced_year": copy["introduced_year"],
        "source_url": copy["source_url"],
        "source_title": copy["source_title"],
        "code_snippet_url": copy["code_snippet_url"],
        "num_papers": shared(luck, 3_000),
        "collections": [
            {"collection": called, "area_id": slug(area), "area": area}
            for called, area in (
                (collection["name"], collection["area"]),
                (name(COLLECTION, shared(luck, 300)), pick(luck, AREAS)),
            )[: 1 + shared(luck, 2)]
        ],
    }


def dataset_name(d: int) -> str:
    """Return the name of dataset *d*."""
    return name(DATASET, d)


def _linked(known: Paper) -> Row:
    return {"title": known.title, "url": known.url}


def dataset_row(n: int) -> Row:
    """Return a row of ``datasets``."""
    luck = chance("dataset row", n)
    called = dataset_name(n)
    licence = pick(luck, LICENCES)
    media = f"https://media.example.org/datasets/{n:07}"
    by = paper(shared(luck, 38 * (n + 1)))
    description = text(luck, 2 + shared(luck, 12), between="\r\n")
    return {
        "url": f"{PWC}/dataset/{slug(called)}",
        "name": called,
        "full_name": sometimes(luck, 2, f"The {called} Collection", called),
        "homepage": sometimes(luck, 4, "", f"https://data{n % 700}.example.org/{slug(called)}"),
        "description": description,
        "short_description": description[:200],
        "parent_dataset": sometimes(luck, 30, dataset_name(n // 2), None),
        "image": sometimes(luck, 2, f"{media}.png", None),
        "audio": sometimes(luck, 80, f"{media}.mp3", None),
        "thumbnail": sometimes(luck, 2, f"{media} small.jpg", None),
        "default_image": None,
        "verified_image": sometimes(luck, 9, f"{media}-v.jpg", None),
        "default_youtube_link": sometimes(luck, 90, f"https://video.example.org/{n}", None),
        "paper": sometimes(luck, 5, None, _linked(by)),
        "mention_count": shared(luck, 400),
        "introduced_date": sometimes(luck, 4, None, sometimes(luck, 40, "2019-13-01", by.date)),
        "license_name": licence[0],
        "license_url": licence[1],
        "verified_name": sometimes(luck, 9, called, None),
        "verified_paper": sometimes(luck, 9, _linked(by), None),
        "warning": sometimes(luck, 200, "Withdrawn by its authors", None),
        "modalities": [pick(luck, MODALITIES) for _ in range(1 + shared(luck, 3))],
        "tasks": [
            {"task": called, "url": f"{PWC}/task/{slug(called)}"}
            for called in (name(TASK, shared(luck, TASKS)) for _ in range(shared(luck, 8)))
        ],
        "languages": [pick(luck, LANGUAGES) for _ in range(shared(luck, 4))],
        "variants": [f"{called}{ending}" for ending in ("", " v2", " test")[: shared(luck, 6)]],
        "num_papers": shared(luck, 2_000),
        "data_loaders": [
            {
                "url": repository(n + k),
                "repo": repository(n + k),
                "frameworks": [pick(luck, FRAMEWORKS)],
            }
            for k in range(shared(luck, 4))
        ],
    }


def table_entry(n: int) -> Row:
    """Return an entry of ``evaluation-tables``: a task with its tables, and tasks below it."""
    return _task(chance("table", n), n, 0)


def _task(luck: random.Random, n: int, depth: int) -> Row:
    called = name(TASK, n)
    return {
        "task": called,
        "description": text(luck, 1 + shared(luck, 6)),
        "categories": [pick(luck, AREAS)] if depth == 0 else [],
        "synonyms": [called.upper()] if n % 9 == 0 else [],
        "source_link": None,
        "subtasks": [
            _task(luck, TASKS + shared(luck, 2 * TASKS), depth + 1)
            for _ in range(shared(luck, 4) if depth < 3 else 0)
        ],
        "datasets": [_table(luck, called, n) for _ in range(1 + shared(luck, 9 - 2 * depth))],
    }


def _table(luck: random.Random, task: str, n: int) -> Row:
    d = shared(luck, 6 * (n % TASKS + 20))
    called = dataset_name(d)
    url = f"{PWC}/sota/{slug(task)}-on-{slug(called)}"
    return {
        "dataset": called,
        "description": sometimes(luck, 3, text(luck, 1), ""),
        "dataset_links": sometimes(luck, 5, [], [{"title": "Leaderboard", "url": url}]),
        "dataset_citations": [],
        "subdatasets": [
            {"subdataset": part, "description": "", "sota": _sota(luck, n)}
            for part in (("Short", "Long") if luck.random() < 0.05 else ())
        ],
        "sota": _sota(luck, n),
    }


def _sota(luck: random.Random, n: int) -> Row:
    metrics = [name(METRIC, shared(luck, 900)) for _ in range(1 + shared(luck, 5))]
    return {
        "metrics": metrics,
        "rows": [_row(luck, metrics, n) for _ in range(1 + int(60 * luck.random() ** 5))],
    }


def _row(luck: random.Random, metrics: list[str], n: int) -> Row:
    known = paper(luck.randrange(250 * (n % TASKS + 1)))
    address = sometimes(luck, 3, known.url, known.on_arxiv("abs") or known.url)
    return {
        "model_name": sometimes(luck, 40, "Ours", name(MODEL, shared(luck, 60_000))),
        "paper_title": known.title,
        "paper_url": sometimes(luck, 30, f"https://elsewhere.example/{known.slug}", address),
        "paper_date": sometimes(luck, 30, None, known.date),
        "metrics": {metric: score(luck) for metric in metrics},
        "code_links": [
            {"title": "code", "url": repository(luck.randrange(300_000))}
            for _ in range(shared(luck, 3))
        ],
        "model_links": [],
        "uses_additional_data": luck.random() < 0.05,
    }


def score(luck: random.Random) -> Any:
    """Return the value of a metric, written in one of the ways of the archive."""
    number = f"{luck.random() * 100:.{luck.randrange(1, 4)}f}"
    ways = (
        number,
        f"{number}%",
        f"{number} ± 0.{luck.randrange(1, 9)}",
        f"{number[:2]}M",
        "-",
        "N/A",
    )
    return ways[shared(luck, len(ways))] if luck.random() < 0.2 else number
