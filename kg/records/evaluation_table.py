"""An entry of the archive's dump ``evaluation-tables``: a task, with all that stands below it.

The dump is recursive: a task holds tasks and datasets, a dataset holds sub-datasets (whose name
stands under ``subdataset``), and a dataset's table holds the rows. Keys may be missing anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, Final

from kg.findings import Finding, FindingKind
from kg.iris import path_slug
from kg.records.archive_parts import Link, read_link
from kg.records.fields import Fields
from kg.records.names import Identified, Named, leaderboard_name
from kg.records.parts import read_metrics


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table; *metrics* are ``(name, raw text)`` in the row's order."""

    model_name: str | None
    paper_title: str | None
    paper_url: str | None
    paper_date: str | None
    metrics: tuple[tuple[str, str], ...]
    code_links: tuple[Link, ...]
    model_links: tuple[Link, ...]
    uses_additional_data: str | None


@dataclass(frozen=True, slots=True)
class Sota:
    """A table: the names of its metrics, and its rows in the archive's order."""

    metrics: tuple[str, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class TableDataset:
    """A dataset below a task, or a sub-dataset below a dataset."""

    name: str | None
    description: str | None
    dataset_links: tuple[Link, ...]
    dataset_citations: tuple[Link, ...]
    subdatasets: tuple[TableDataset, ...]
    sota: Sota | None

    @property
    def leaderboard_slug(self) -> str | None:
        """The slug of the leaderboard, where one of the links is its address."""
        for link in self.dataset_links:
            slug = path_slug(link.url, "sota") if link.url else None
            if slug is not None:
                return slug
        return None


@dataclass(frozen=True, slots=True)
class TableTask:
    """A task with its datasets and the tasks below it."""

    name: str
    description: str | None
    categories: tuple[str, ...]
    synonyms: tuple[str, ...]
    source_link: Link | None
    subtasks: tuple[TableTask, ...]
    datasets: tuple[TableDataset, ...]

    def all(self) -> Iterator[TableTask]:
        """Yield this task and all tasks below it."""
        yield self
        for task in self.subtasks:
            yield from task.all()


@dataclass(frozen=True, slots=True)
class EvaluationTable:
    """An entry of ``evaluation-tables``; *id* is the name of its task."""

    kind: ClassVar[str] = "evaluation-tables"
    id: str
    task: TableTask
    findings: list[Finding] = field(default_factory=list, compare=False)

    OPEN_MAPS: ClassVar[frozenset[str]] = frozenset({"metrics"})
    REPEATED: ClassVar[dict[str, str]] = {}

    def names(self) -> Iterator[Named]:
        """Yield what the entry names with its slug: leaderboards whose address is a link."""
        for task in self.task.all():
            for dataset in task.datasets:
                slug = dataset.leaderboard_slug
                if slug is not None and dataset.name is not None:
                    yield Named("leaderboard", slug, leaderboard_name(task.name, dataset.name))

    def identified(self) -> Iterator[Identified]:
        """Yield nothing: a row's address does not say which other address means the same paper."""
        yield from ()


_KEYS: Final = frozenset(
    {"categories", "datasets", "description", "source_link", "subtasks", "synonyms"}
)


def recognises(value: dict[str, object]) -> bool:
    """Say whether a JSON object is an entry of the dump."""
    return "task" in value and "url" not in value and not _KEYS.isdisjoint(value)


def read(value: object) -> EvaluationTable:
    """Read an entry; :class:`~kg.errors.RecordError` where a field cannot be read."""
    findings: list[Finding] = []
    fields = Fields(value, "", findings)
    task = _task(fields)
    fields.done()
    return EvaluationTable(id=task.name, task=task, findings=findings)


def _task(fields: Fields) -> TableTask:
    name = fields.name("task")
    if name is None:
        raise fields.refusal("task", "a task needs a name, which may be empty; found nothing")
    return TableTask(
        name=name,
        description=fields.text("description"),
        categories=fields.texts("categories"),
        synonyms=fields.texts("synonyms"),
        source_link=fields.one("source_link", read_link),
        subtasks=fields.many("subtasks", _task),
        datasets=fields.many("datasets", _dataset),
    )


def _dataset(fields: Fields) -> TableDataset:
    name, below = fields.name("dataset"), fields.name("subdataset")
    if name is not None and below is not None and name != below:
        fields.note(
            FindingKind.INCONSISTENT, "subdataset", f"{below!r} is also called {name!r} here"
        )
    return TableDataset(
        name=below if below is not None else name,
        description=fields.text("description"),
        dataset_links=fields.many("dataset_links", read_link),
        dataset_citations=fields.many("dataset_citations", read_link),
        subdatasets=fields.many("subdatasets", _dataset),
        sota=fields.one("sota", _sota),
    )


def _sota(fields: Fields) -> Sota:
    return Sota(metrics=fields.texts("metrics"), rows=fields.many("rows", _row))


def _row(fields: Fields) -> Row:
    return Row(
        model_name=fields.name("model_name"),
        paper_title=fields.text("paper_title"),
        paper_url=fields.text("paper_url"),
        paper_date=fields.text("paper_date"),
        metrics=read_metrics(fields, "metrics"),
        code_links=fields.many("code_links", read_link),
        model_links=fields.many("model_links", read_link),
        uses_additional_data=fields.flag("uses_additional_data"),
    )
