"""A row of the archive's dump ``methods``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from kg.findings import Finding
from kg.iris import path_slug
from kg.records.archive_parts import Link, read_link
from kg.records.fields import Fields
from kg.records.names import Identified, Named
from kg.records.parts import read_slug


@dataclass(frozen=True, slots=True)
class Collection:
    """A collection that a method stands in, and the area that it is part of."""

    collection: str | None
    area_id: str | None
    area: str | None


@dataclass(frozen=True, slots=True)
class MethodRecord:
    """A row of ``methods``; *id* is its address on Papers with Code."""

    kind: ClassVar[str] = "methods"
    id: str
    slug: str
    name: str | None
    full_name: str | None
    description: str | None
    paper: Link | None
    introduced_year: str | None
    source_url: str | None
    source_title: str | None
    code_snippet_url: str | None
    num_papers: str | None
    collections: tuple[Collection, ...]
    findings: list[Finding] = field(default_factory=list, compare=False)

    OPEN_MAPS: ClassVar[frozenset[str]] = frozenset()
    REPEATED: ClassVar[dict[str, str]] = {}

    def names(self) -> Iterator[Named]:
        """Yield what the record names with its slug."""
        if self.name is not None:
            yield Named("method", self.slug, self.name)

    def identified(self) -> Iterator[Identified]:
        """Yield what identifies the paper that introduces the method elsewhere."""
        paper = path_slug(self.paper.url, "paper") if self.paper and self.paper.url else None
        if paper is not None and self.source_url is not None:
            yield Identified(paper, None, self.source_url)


def recognises(value: dict[str, object]) -> bool:
    """Say whether a JSON object is a row of the dump."""
    url = value.get("url")
    return isinstance(url, str) and path_slug(url, "method") is not None and "name" in value


def read(value: object) -> MethodRecord:
    """Read a row; :class:`~kg.errors.RecordError` where a field cannot be read."""
    findings: list[Finding] = []
    fields = Fields(value, "", findings)
    record = MethodRecord(
        id=fields.required("url"),
        slug=read_slug(fields, "url", "method"),
        name=fields.name("name"),
        full_name=fields.text("full_name"),
        description=fields.text("description"),
        paper=fields.one("paper", read_link),
        introduced_year=fields.integer("introduced_year"),
        source_url=fields.text("source_url"),
        source_title=fields.text("source_title"),
        code_snippet_url=fields.text("code_snippet_url"),
        num_papers=fields.integer("num_papers"),
        collections=fields.many("collections", _collection),
        findings=findings,
    )
    fields.done()
    return record


def _collection(fields: Fields) -> Collection:
    return Collection(fields.text("collection"), fields.text("area_id"), fields.text("area"))
