"""The dataset record of codewithpapers.app: one dataset page of the site as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from kg.findings import Finding, FindingKind
from kg.iris import path_slug
from kg.records.fields import Fields
from kg.records.names import Identified, Named
from kg.records.parts import on_site, optional_slug, read_slug


@dataclass(frozen=True, slots=True)
class IntroducedBy:
    """The paper that introduces a dataset: its slug where the archive has it, or title and page."""

    paper: str | None
    paper_path: str | None
    title: str | None
    first_author: str | None
    url: str | None


@dataclass(frozen=True, slots=True)
class NamedLicence:
    """A licence by name and address, as the archive has it."""

    name: str | None
    url: str | None


@dataclass(frozen=True, slots=True)
class NamedPage:
    """A modality or language: its name and its page on the site."""

    name: str | None
    url: str | None

    def code(self, scheme: str) -> str | None:
        """Return the code in a code list that the page's address ends in, if any."""
        return path_slug(self.url, f"datasets/{scheme}") if self.url else None


@dataclass(frozen=True, slots=True)
class DatasetTask:
    """A task of a dataset: name, page, and the page that lists the task's datasets."""

    name: str | None
    slug: str | None
    url: str | None
    datasets_with_task: str | None


@dataclass(frozen=True, slots=True)
class DataLoader:
    """A piece of software that loads a dataset."""

    repo: str | None
    url: str | None
    frameworks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DatasetSource:
    """Which archive and which snapshot a record was made from."""

    archive: str | None
    snapshot: str | None


@dataclass(frozen=True, slots=True)
class SyntologyTotals:
    """Syntology's counts over the papers of a dataset."""

    read_at: str | None
    papers_with_samples: str | None
    samples_harvested: str | None
    samples_ran: str | None
    samples_unverified: str | None
    pointer_only_for_licence: str | None
    papers_with_no_sample_that_ran: str | None
    note: str | None


@dataclass(frozen=True, slots=True)
class DatasetRecord:
    """A dataset record of codewithpapers.app; *id* is its path on the site."""

    kind: ClassVar[str] = "dataset"
    id: str
    slug: str
    name: str
    full_name: str | None
    description_markdown: str | None
    description_withheld: str | None
    homepage: str | None
    introduced_date: str | None
    introduced_date_note: str | None
    introduced_by: IntroducedBy | None
    license: NamedLicence | None
    modalities: tuple[NamedPage, ...]
    tasks: tuple[DatasetTask, ...]
    languages: tuple[NamedPage, ...]
    variants: tuple[str, ...]
    data_loaders: tuple[DataLoader, ...]
    num_papers_in_archive: str | None
    source: DatasetSource | None
    syntology_totals: SyntologyTotals | None
    papers_note: str | None
    findings: list[Finding] = field(default_factory=list, compare=False)

    OPEN_MAPS: ClassVar[frozenset[str]] = frozenset()
    REPEATED: ClassVar[dict[str, str]] = {}

    def names(self) -> Iterator[Named]:
        """Yield what the record names with its slug."""
        yield Named("dataset", self.slug, self.name)
        for task in self.tasks:
            if task.slug is not None and task.name is not None:
                yield Named("task", task.slug, task.name)
        for scheme, entries in (("modality", self.modalities), ("language", self.languages)):
            for entry in entries:
                if entry.name is not None and (code := entry.code(scheme)):
                    yield Named(scheme, code, entry.name)

    def identified(self) -> Iterator[Identified]:
        """Yield what identifies the paper that introduces the dataset elsewhere."""
        by = self.introduced_by
        if by is not None and by.paper is not None and by.url is not None:
            yield Identified(by.paper, None, by.url)


def recognises(value: dict[str, object]) -> bool:
    """Say whether a JSON object is a dataset record of the site."""
    return on_site(value, "dataset")


def read(value: object) -> DatasetRecord:
    """Read a dataset record; :class:`~kg.errors.RecordError` where a field cannot be read."""
    findings: list[Finding] = []
    fields = Fields(value, "", findings)
    record = DatasetRecord(
        id=fields.required("url"),
        slug=read_slug(fields, "url", "dataset"),
        name=fields.required("name"),
        full_name=fields.text("full_name"),
        description_markdown=fields.text("description_markdown"),
        description_withheld=fields.scalar("description_withheld"),
        homepage=fields.text("homepage"),
        introduced_date=fields.text("introduced_date"),
        introduced_date_note=fields.text("introduced_date_note"),
        introduced_by=fields.one("introduced_by", _introduced_by),
        license=fields.one("license", _licence),
        modalities=fields.many("modalities", _named_page),
        tasks=fields.many("tasks", _task),
        languages=fields.many("languages", _named_page),
        variants=fields.texts("variants"),
        data_loaders=fields.many("data_loaders", read_data_loader),
        num_papers_in_archive=fields.integer("num_papers_in_archive"),
        source=fields.one("source", _source),
        syntology_totals=fields.one("syntology_totals", _syntology_totals),
        papers_note=fields.text("papers_note"),
        findings=findings,
    )
    fields.done()
    return record


def _introduced_by(fields: Fields) -> IntroducedBy:
    return IntroducedBy(
        paper=optional_slug(fields, "paper", "paper"),
        paper_path=fields.text("paper"),
        title=fields.text("title"),
        first_author=fields.text("first_author"),
        url=fields.text("url"),
    )


def _licence(fields: Fields) -> NamedLicence:
    return NamedLicence(fields.text("name"), fields.text("url"))


def _named_page(fields: Fields) -> NamedPage:
    return NamedPage(fields.text("name"), fields.text("url"))


def _task(fields: Fields) -> DatasetTask:
    return DatasetTask(
        name=fields.name("name"),
        slug=optional_slug(fields, "url", "task"),
        url=fields.text("url"),
        datasets_with_task=fields.text("datasets_with_task"),
    )


def read_data_loader(fields: Fields) -> DataLoader | None:
    """Read a piece of software that loads a dataset."""
    loader = DataLoader(fields.text("repo"), fields.text("url"), fields.texts("frameworks"))
    if loader.repo is None and loader.url is None and not any(loader.frameworks):
        fields.note(FindingKind.ODD_VALUE, "repo", "a loader that says nothing; left out")
        return None
    return loader


def _source(fields: Fields) -> DatasetSource:
    return DatasetSource(fields.text("archive"), fields.text("snapshot"))


def _syntology_totals(fields: Fields) -> SyntologyTotals:
    return SyntologyTotals(
        read_at=fields.text("read_at"),
        papers_with_samples=fields.integer("papers_with_samples"),
        samples_harvested=fields.integer("samples_harvested"),
        samples_ran=fields.integer("samples_ran"),
        samples_unverified=fields.integer("samples_unverified"),
        pointer_only_for_licence=fields.integer("pointer_only_for_licence"),
        papers_with_no_sample_that_ran=fields.integer("papers_with_no_sample_that_ran"),
        note=fields.text("note"),
    )
