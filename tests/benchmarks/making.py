"""Made records of the archive's kinds: realistic sharing of names, sizes and dirt.

The same number gives the same records. Papers share 400 tasks, 900 methods and 2,000 repositories;
one in twenty has no arXiv identifier, one in fifty a date that is none.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PWC = "https://paperswithcode.com"
WORDS = (
    "attention",
    "graph",
    "neural",
    "representation",
    "learning",
    "sparse",
    "robust",
    "adversarial",
    "transfer",
    "semantic",
    "segmentation",
    "detection",
    "translation",
    "retrieval",
    "speech",
    "visual",
    "language",
    "model",
    "contrastive",
)


def papers(count: int) -> Iterator[dict[str, Any]]:
    """Yield *count* rows of ``papers-with-abstracts``, some 2 kB each."""
    for n in range(count):
        chance = random.Random(n)  # noqa: S311 - the same records every time, no secret
        words = chance.choices(WORDS, k=6)
        arxiv_id = f"{15 + n % 9}{1 + n % 12:02}.{n % 100000:05}" if n % 20 else None
        yield {
            "paper_url": f"{PWC}/paper/{'-'.join(words[:4])}-{n}",
            "arxiv_id": arxiv_id,
            "title": f"{' '.join(words).title()} {n}",
            "abstract": "\n".join(" ".join(chance.choices(WORDS, k=12)) for _ in range(14)),
            "url_abs": f"http://arxiv.org/abs/{arxiv_id}v1" if arxiv_id else "",
            "url_pdf": f"http://arxiv.org/pdf/{arxiv_id}v1.pdf" if arxiv_id else None,
            "proceeding": f"CVPR {2015 + n % 9} 6" if n % 3 else None,
            "authors": [f"Author {chance.randrange(count)}" for _ in range(1 + n % 7)],
            "tasks": [f"Task {chance.randrange(400)}" for _ in range(n % 4)],
            "date": f"{2015 + n % 9}-{1 + n % 12:02}-{1 + n % 28:02}" if n % 50 else "soon",
            "methods": [
                {"name": f"Method {chance.randrange(900)}", "introduced_year": 2000}
                for _ in range(n % 3)
            ],
        }


def links(count: int) -> Iterator[dict[str, Any]]:
    """Yield a row of ``links-between-papers-and-code`` for every second of *count* papers."""
    for n, paper in enumerate(papers(count)):
        if n % 2:
            yield {
                "paper_url": paper["paper_url"],
                "paper_title": paper["title"],
                "paper_arxiv_id": paper["arxiv_id"],
                "repo_url": f"https://github.com/Example/Repo-{n % 2000}",
                "is_official": n % 3 == 0,
                "mentioned_in_paper": False,
                "mentioned_in_github": True,
                "framework": "pytorch",
            }


def write(folder: Path, count: int) -> list[Path]:
    """Write *count* papers and their links as the archive has them, one JSON array a file."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, rows in (("papers", papers(count)), ("links", links(count))):
        path = folder / f"{name}-{count}.json"
        with path.open("w", encoding="utf-8") as file:
            file.write("[")
            for n, row in enumerate(rows):
                file.write((",\n" if n else "\n") + json.dumps(row))
            file.write("\n]\n")
        written.append(path)
    return written
