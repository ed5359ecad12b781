"""A row of the archive's dump ``papers-with-abstracts``: a paper with all that names it.

Tasks and methods stand in it by name; the methods are copies without an address, to be joined
by name (``ontology/README.md``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, Final

from kg.findings import Finding
from kg.iris import path_slug
from kg.records.fields import Fields
from kg.records.names import Identified, Named
from kg.records.parts import read_slug

_OF_OTHER_ROWS: Final = frozenset({"metrics", "model_name", "paper_arxiv_id", "paper_title"})


@dataclass(frozen=True, slots=True)
class MainCollection:
    """The collection that a method stands in first, and the area that the collection is part of."""

    name: str | None
    description: str | None
    parent: str | None
    area: str | None


@dataclass(frozen=True, slots=True)
class MethodCopy:
    """A method as a paper's row repeats it."""

    name: str
    full_name: str | None
    description: str | None
    introduced_year: str | None
    source_url: str | None
    source_title: str | None
    code_snippet_url: str | None
    main_collection: MainCollection | None


@dataclass(frozen=True, slots=True)
class ArchivePaper:
    """A row of ``papers-with-abstracts``; *id* is its address on Papers with Code."""

    kind: ClassVar[str] = "papers-with-abstracts"
    id: str
    slug: str
    arxiv_id: str | None
    nips_id: str | None
    openreview_id: str | None
    title: str | None
    abstract: str | None
    short_abstract: str | None
    url_abs: str | None
    url_pdf: str | None
    proceeding: str | None
    authors: tuple[str, ...]
    tasks: tuple[str, ...]
    date: str | None
    conference: str | None
    conference_url_abs: str | None
    conference_url_pdf: str | None
    methods: tuple[MethodCopy, ...]
    findings: list[Finding] = field(default_factory=list, compare=False)

    OPEN_MAPS: ClassVar[frozenset[str]] = frozenset()
    REPEATED: ClassVar[dict[str, str]] = {}

    def names(self) -> Iterator[Named]:
        """Yield nothing: the dump names tasks and methods without their slugs."""
        yield from ()

    def identified(self) -> Iterator[Identified]:
        """Yield what identifies the paper elsewhere."""
        yield Identified(self.slug, self.arxiv_id, self.url_abs)
        if self.conference_url_abs is not None:
            yield Identified(self.slug, None, self.conference_url_abs)


def recognises(value: dict[str, object]) -> bool:
    """Say whether a JSON object is a row of the dump.

    One that has little more than the address of its paper is, unless it is a row of another table.
    """
    url = value.get("paper_url")
    if "abstract" in value or "authors" in value:
        return "paper_url" in value
    is_paper = isinstance(url, str) and path_slug(url, "paper") is not None
    return is_paper and _OF_OTHER_ROWS.isdisjoint(value)


def read(value: object) -> ArchivePaper:
    """Read a row; :class:`~kg.errors.RecordError` where a field cannot be read."""
    findings: list[Finding] = []
    fields = Fields(value, "", findings)
    record = ArchivePaper(
        id=fields.required("paper_url"),
        slug=read_slug(fields, "paper_url", "paper"),
        arxiv_id=fields.text("arxiv_id"),
        nips_id=fields.text("nips_id"),
        openreview_id=fields.text("openreview_id"),
        title=fields.text("title"),
        abstract=fields.text("abstract"),
        short_abstract=fields.text("short_abstract"),
        url_abs=fields.text("url_abs"),
        url_pdf=fields.text("url_pdf"),
        proceeding=fields.text("proceeding"),
        authors=fields.texts("authors"),
        tasks=fields.texts("tasks"),
        date=fields.text("date"),
        conference=fields.text("conference"),
        conference_url_abs=fields.text("conference_url_abs"),
        conference_url_pdf=fields.text("conference_url_pdf"),
        methods=fields.many("methods", _method),
        findings=findings,
    )
    fields.done()
    return record


def _method(fields: Fields) -> MethodCopy:
    return MethodCopy(
        name=fields.name("name") or "",
        full_name=fields.text("full_name"),
        description=fields.text("description"),
        introduced_year=fields.integer("introduced_year"),
        source_url=fields.text("source_url"),
        source_title=fields.text("source_title"),
        code_snippet_url=fields.text("code_snippet_url"),
        main_collection=fields.one("main_collection", _collection),
    )


def _collection(fields: Fields) -> MainCollection:
    return MainCollection(
        name=fields.text("name"),
        description=fields.text("description"),
        parent=fields.text("parent"),
        area=fields.text("area"),
    )
