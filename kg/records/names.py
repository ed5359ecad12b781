"""What a record tells the index: names with their slugs, and what else a paper goes by."""

from __future__ import annotations

from typing import NamedTuple


class Named(NamedTuple):
    """A task, method, dataset or leaderboard (*kind*) that a record names with its slug."""

    kind: str
    slug: str
    name: str


class Identified(NamedTuple):
    """What identifies the paper of a slug elsewhere: an arXiv identifier, an abstract page."""

    slug: str
    arxiv_id: str | None
    page: str | None


def leaderboard_name(task: str, dataset: str) -> str:
    """Return the name by which a leaderboard without an address is looked up."""
    return f"{task}\n{dataset}"
