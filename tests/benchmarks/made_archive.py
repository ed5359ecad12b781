"""Made rows of the archive's dumps of papers and of links between papers and code, by number.

Rows name each other as those of the archive do: a link its paper by address, a paper its tasks and
methods by their names. Some rows are dirty: no identifier, an address that is none, a date that is
none, half a letter, a method that nobody described.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

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

Row = dict[str, Any]

PWC: Final = "https://paperswithcode.com"
TASK, METHOD, DATASET, COLLECTION, METRIC, MODEL = range(6)
TASKS: Final = 4_000
METHODS: Final = 2_500
DATASETS: Final = 12_000
AREAS: Final = (
    "Computer Vision",
    "Natural Language Processing",
    "General",
    "Sequential",
    "Graphs",
    "Audio",
    "Reinforcement Learning",
)
FRAMEWORKS: Final = ("pytorch", "none", "tf", "jax", "mindspore", "paddle", "caffe2", "torch")
VENUES: Final = ("CVPR", "NeurIPS", "ACL", "ICLR", "ICML", "Findings (ACL)", "IJCAI")


@dataclass(frozen=True, slots=True)
class Paper:
    """What a paper is known by: *slug*, *title*, *arxiv_id* (some have none), *version*, *date*."""

    slug: str
    title: str
    arxiv_id: str | None
    version: int
    date: str

    @property
    def url(self) -> str:
        """Its address in the archive."""
        return f"{PWC}/paper/{self.slug}"

    def on_arxiv(self, page: str, ending: str = "") -> str | None:
        """Return the address of its abstract (``abs``) or text (``pdf``) on arXiv."""
        if self.arxiv_id is None:
            return None
        return f"http://arxiv.org/{page}/{self.arxiv_id}v{self.version}{ending}"


@lru_cache(maxsize=4096)
def paper(n: int) -> Paper:
    """Return what paper *n* is known by."""
    luck = chance("paper", n)
    title = " ".join(luck.choices(WORDS, k=luck.randrange(5, 10))).title()
    year, month = 15 + n % 10, 1 + n // 10 % 12
    arxiv_id: str | None = f"{year}{month:02}.{n // 120 + 1:05}"
    if n % 20 == 7:
        arxiv_id = None
    elif n % 97 == 0:
        k = n // 97
        arxiv_id = f"math/{(92 + k % 15) % 100:02}{1 + k % 12:02}{k // 180 % 1000:03}"
    return Paper(
        slug=f"{slug(' '.join(title.split()[:5]))}-{n}",
        title=title,
        arxiv_id=arxiv_id,
        version=1 + shared(luck, 6),
        date=f"20{year}-{month:02}-{1 + n % 28:02}",
    )


def paper_row(n: int) -> Row:
    """Return a row of ``papers-with-abstracts``."""
    known = paper(n)
    luck = chance("paper row", n)
    venue = f"{pick(luck, VENUES)} {known.date[:4]} {int(known.date[5:7])}"
    conference = f"https://proceedings.example.org/{known.date[:4]}/{known.slug}"
    in_proceedings = luck.random() < 0.3
    return {
        "paper_url": known.url,
        "arxiv_id": known.arxiv_id,
        "nips_id": None,
        "openreview_id": sometimes(luck, 15, f"o{n:07x}", None),
        "title": known.title,
        "abstract": text(luck, luck.randrange(8, 14), between="\n"),
        "short_abstract": sometimes(luck, 4, text(luck, 1), None),
        "url_abs": known.on_arxiv("abs") or sometimes(luck, 10, "8.0", conference),
        "url_pdf": known.on_arxiv("pdf", ".pdf")
        or sometimes(luck, 3, "", f"{conference} a[1].pdf"),
        "proceeding": venue if in_proceedings else None,
        "authors": [author(shared(luck, 24_000)) for _ in range(1 + shared(luck, 14))],
        "tasks": [name(TASK, shared(luck, TASKS)) for _ in range(shared(luck, 7))],
        "date": sometimes(luck, 50, "soon", known.date),
        "conference_url_abs": f"{conference}.html" if in_proceedings else None,
        "conference_url_pdf": f"{conference}.pdf" if in_proceedings else None,
        "conference": f"{known.slug}-1" if in_proceedings else None,
        "reproduces_paper": None,
        "methods": [_method_copy(n, luck.random()) for _ in range(shared(luck, 5))],
    }


def _method_copy(n: int, luck: float) -> Row:
    if luck < 0.002:  # nobody described it
        return {
            "name": f"xq{n}zk",
            "full_name": f"xq{n}zk",
            "description": "Please enter a description about the method here",
            "introduced_year": 2000,
        }
    return method_copy(int(METHODS * luck**3))


@lru_cache(maxsize=METHODS)
def method_copy(m: int) -> Row:
    """Return what the rows of papers say of method *m*."""
    luck = chance("method", m)
    source = paper(shared(luck, 40 * (m + 1)))
    collection = shared(luck, 300)
    called = method_name(m)
    return {
        "name": called,
        "full_name": sometimes(luck, 3, f"{called} {name(MODEL, m)}", called),
        "description": text(luck, 2 + shared(luck, 9), between=sometimes(luck, 3, "\r\n\r\n", " ")),
        "introduced_year": sometimes(luck, 30, 1990 + m % 34, 2000),
        "source_url": source.on_arxiv("abs"),
        "source_title": source.title,
        "code_snippet_url": sometimes(luck, 3, repository(m), None),
        "main_collection": {
            "name": name(COLLECTION, collection),
            "description": text(chance("collection", collection), 2),
            "parent": None,
            "area": AREAS[collection % len(AREAS)],
        },
    }


def method_name(m: int) -> str:
    """Return the name of method *m*, some of which are written in capitals."""
    called = name(METHOD, m)
    return "".join(word[:2] for word in called.split()).upper() + str(m) if m % 4 == 1 else called


def repository(n: int) -> str:
    """Return the address of repository *n*, written in one of the ways of the archive."""
    luck = chance("repository", n)
    owner, called = slug(author(n * 31)).replace("'", "").replace(".", ""), WORDS[n % len(WORDS)]
    place = sometimes(luck, 12, "/tree/main/src/x y", sometimes(luck, 20, ".git", ""))
    host = sometimes(luck, 25, "gitlab.com", "github.com")
    return f"https://{host}/{owner.encode('ascii', 'ignore').decode()}/{called}-{n}{place}"


def link_row(n: int) -> Row:
    """Return a row of ``links-between-papers-and-code``; some name a paper that no row has."""
    luck = chance("link", n)
    is_unknown = luck.random() < 0.02
    known = paper(10**8 + n if is_unknown else n * 48 // 25)
    repo = shared(luck, n + 1) if luck.random() < 0.2 else n
    return {
        "paper_url": sometimes(luck, 30, known.on_arxiv("abs") or known.url, known.url),
        "paper_title": known.title,
        "paper_arxiv_id": known.arxiv_id,
        "paper_url_abs": known.on_arxiv("abs"),
        "paper_url_pdf": known.on_arxiv("pdf", ".pdf"),
        "repo_url": sometimes(luck, 200, "http://host:abc/", repository(repo)),
        "is_official": luck.random() < 0.3,
        "mentioned_in_paper": sometimes(luck, 60, None, luck.random() < 0.3),
        "mentioned_in_github": luck.random() < 0.7,
        "framework": pick(luck, FRAMEWORKS),
    }
