"""Which page tells of a thing of which class."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from kg.namespaces import KG
from kg.site.facts import Facts
from kg.site.page import Page
from kg.site.things import (
    content,
    dataset,
    leaderboard,
    method,
    metric,
    other,
    paper,
    record,
    repo,
    result,
    sample,
    task,
)
from kg.site.view import View

MakePage: TypeAlias = Callable[[Facts, View, str, Mapping[str, str]], Page]
"""Makes the page of a thing by its facts; the page's address and its parameters come beside."""

_PAGES: Final[dict[str, MakePage]] = {
    "Paper": paper.page,
    "Leaderboard": leaderboard.page,
    "Task": task.page,
    "Dataset": dataset.page,
    "Method": method.page,
    "Repo": repo.page,
    "Sample": sample.page,
    "Result": result.page,
    "Metric": metric.page,
    "Record": record.page,
    "CodeContent": content.page,
}


def page_of(thing: Facts) -> MakePage:
    """Return what makes the page of a thing, by the first of its classes that has one."""
    found = (_PAGES.get(iri.removeprefix(KG)) for iri in thing.classes)
    return next(filter(None, found), other.page)
