"""A row of the archive's dump ``datasets``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from kg.findings import Finding
from kg.iris import path_slug
from kg.records.archive_parts import Link, read_link
from kg.records.dataset import DataLoader, read_data_loader
from kg.records.fields import Fields
from kg.records.names import Identified, Named
from kg.records.parts import optional_slug, read_slug


@dataclass(frozen=True, slots=True)
class ArchiveTask:
    """A task of a dataset: its name and the slug in its address."""

    task: str | None
    slug: str | None
    url: str | None


@dataclass(frozen=True, slots=True)
class ArchiveDataset:
    """A row of ``datasets``; *id* is its address on Papers with Code."""

    kind: ClassVar[str] = "datasets"
    id: str
    slug: str
    name: str | None
    full_name: str | None
    homepage: str | None
    description: str | None
    short_description: str | None
    parent_dataset: str | None
    image: str | None
    audio: str | None
    thumbnail: str | None
    default_image: str | None
    verified_image: str | None
    default_youtube_link: str | None
    paper: Link | None
    mention_count: str | None
    introduced_date: str | None
    license_name: str | None
    license_url: str | None
    verified_name: str | None
    verified_paper: Link | None
    warning: str | None
    modalities: tuple[str, ...]
    tasks: tuple[ArchiveTask, ...]
    languages: tuple[str, ...]
    variants: tuple[str, ...]
    num_papers: str | None
    data_loaders: tuple[DataLoader, ...]
    findings: list[Finding] = field(default_factory=list, compare=False)

    OPEN_MAPS: ClassVar[frozenset[str]] = frozenset()
    REPEATED: ClassVar[dict[str, str]] = {}

    def names(self) -> Iterator[Named]:
        """Yield what the record names with its slug."""
        if self.name is not None:
            yield Named("dataset", self.slug, self.name)
        for task in self.tasks:
            if task.slug is not None and task.task is not None:
                yield Named("task", task.slug, task.task)

    def identified(self) -> Iterator[Identified]:
        """Yield nothing: the address of the paper is all that the row has."""
        yield from ()


def recognises(value: dict[str, object]) -> bool:
    """Say whether a JSON object is a row of the dump, and no record of codewithpapers.app."""
    url = value.get("url")
    return (
        isinstance(url, str)
        and path_slug(url, "dataset") is not None
        and "name" in value
        and "description_markdown" not in value
    )


def read(value: object) -> ArchiveDataset:
    """Read a row; :class:`~kg.errors.RecordError` where a field cannot be read."""
    findings: list[Finding] = []
    fields = Fields(value, "", findings)
    record = ArchiveDataset(
        id=fields.required("url"),
        slug=read_slug(fields, "url", "dataset"),
        name=fields.name("name"),
        full_name=fields.text("full_name"),
        homepage=fields.text("homepage"),
        description=fields.text("description"),
        short_description=fields.text("short_description"),
        parent_dataset=fields.text("parent_dataset"),
        image=fields.text("image"),
        audio=fields.text("audio"),
        thumbnail=fields.text("thumbnail"),
        default_image=fields.text("default_image"),
        verified_image=fields.text("verified_image"),
        default_youtube_link=fields.text("default_youtube_link"),
        paper=fields.one("paper", read_link),
        mention_count=fields.integer("mention_count"),
        introduced_date=fields.text("introduced_date"),
        license_name=fields.text("license_name"),
        license_url=fields.text("license_url"),
        verified_name=fields.scalar("verified_name"),
        verified_paper=fields.one("verified_paper", read_link),
        warning=fields.text("warning"),
        modalities=fields.texts("modalities"),
        tasks=fields.many("tasks", _task),
        languages=fields.texts("languages"),
        variants=fields.texts("variants"),
        num_papers=fields.integer("num_papers"),
        data_loaders=fields.many("data_loaders", read_data_loader),
        findings=findings,
    )
    fields.done()
    return record


def _task(fields: Fields) -> ArchiveTask:
    return ArchiveTask(
        fields.name("task"), optional_slug(fields, "url", "task"), fields.text("url")
    )
