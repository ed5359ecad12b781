"""The nodes of an entry of ``evaluation-tables``: tasks, datasets, leaderboards and their rows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from kg.findings import FindingKind
from kg.iris import slug_key
from kg.mapper.archive import archive_record, merge, pages, unknown_paper_key
from kg.mapper.code import code_link
from kg.mapper.draft import Draft, Node, node, node_values
from kg.mapper.results import Row as ResultRow
from kg.mapper.results import result_nodes
from kg.records.archive_parts import SITE
from kg.records.evaluation_table import EvaluationTable, Row, Sota, TableDataset, TableTask
from kg.records.names import leaderboard_name


def evaluation_table_nodes(draft: Draft, record: EvaluationTable) -> list[Node]:
    """Return the nodes of a task and of all that stands below it, and the source record."""
    source = archive_record(draft, record.kind, record.id, None)
    tables = _Tables(draft, str(source["@id"]))
    nodes = list(tables.task(record.task, None, ""))
    # Rows of several tables may share a key, so they are told apart over the whole entry.
    return [*nodes, *result_nodes(draft, tables.rows, "sota.rows[]"), source]


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a table stands: its task and dataset, as nodes, and the names they have there."""

    task: Node
    task_name: str
    dataset: Node
    dataset_name: str | None
    field: str


@dataclass(frozen=True, slots=True)
class _Above:
    """The dataset that a sub-dataset is part of: its IRI, and the names that are its key."""

    iri: str
    name: str


class _Tables:
    """Walks down one entry and gathers its *rows*; all comes from the source record *record*."""

    def __init__(self, draft: Draft, record: str) -> None:
        self._draft = draft
        self._record = record
        self.rows: list[ResultRow] = []

    def task(self, task: TableTask, above: str | None, path: str) -> Iterator[Node]:
        """Yield the nodes of a task below the task *above*, and of all that stands below it."""
        draft = self._draft
        named = draft.by_name("task", task.name, frozenset(), f"{path}task")
        iri = str(named["@id"])
        own = named | node(
            iri,
            "Task",
            description=task.description,
            categories=[text for text in task.categories if text],
            synonyms=[text for text in task.synonyms if text],
            broader=above,
            records=self._record,
        )
        draft.look_at(own, f"{path}task", task.name, task.description)
        if task.source_link is not None:
            links = (task.source_link,)
            merge(own, pages(draft, links, "source_link", f"{path}source_link"))
        yield own
        for dataset in task.datasets:
            yield from self._dataset(dataset, own, task.name, f"{path}datasets[].", None)
        for below in task.subtasks:
            yield from self.task(below, iri, f"{path}subtasks[].")

    def _dataset(
        self, dataset: TableDataset, task: Node, task_name: str, path: str, above: _Above | None
    ) -> Iterator[Node]:
        draft = self._draft
        # A sub-dataset is called by its own name only below its dataset, so both are its key.
        own_name = dataset.name or ""
        name = f"{above.name}\n{own_name}" if above else own_name
        named = draft.by_name("dataset", name, frozenset(), f"{path}dataset")
        iri = str(named["@id"])
        own = named | node(
            iri,
            "Dataset",
            name=dataset.name,
            description=dataset.description,
            subdataset_of=above.iri if above else None,
            records=self._record,
        )
        draft.look_at(own, f"{path}dataset", dataset.name, dataset.description)
        for links, key in (
            (dataset.dataset_links, "dataset_links"),
            (dataset.dataset_citations, "dataset_citations"),
        ):
            merge(own, pages(draft, links, key, f"{path}{key}[]"))
        yield own
        if dataset.sota is not None:
            place = _Place(task, task_name, own, dataset.name, path)
            yield from self._leaderboard(dataset, dataset.sota, place)
        for below in dataset.subdatasets:
            inside = f"{path}subdatasets[]."
            yield from self._dataset(below, task, task_name, inside, _Above(iri, name))

    def _leaderboard(self, dataset: TableDataset, sota: Sota, place: _Place) -> Iterator[Node]:
        draft = self._draft
        task, data = str(place.task["@id"]), str(place.dataset["@id"])
        slug = dataset.leaderboard_slug or self._known_leaderboard(place)
        iri = (
            draft.minter.thing("leaderboard", slug)
            if slug
            else draft.minter.nameless_leaderboard(task, data)
        )
        yield node(
            iri,
            "Leaderboard",
            slug=slug,
            task=task,
            dataset=data,
            metrics=[draft.metric(name) for name in sota.metrics],
            metric_order=json.dumps(sota.metrics, ensure_ascii=False) if sota.metrics else None,
        )
        path = f"{place.field}sota.rows[]"
        board = {"leaderboard": iri, "task": task, "dataset": data, "of": str(len(sota.rows))}
        for rank, row in enumerate(sota.rows, start=1):
            self.rows.append(self._row(row, str(rank), board, path))

    def _known_leaderboard(self, place: _Place) -> str | None:
        if place.dataset_name is None:
            return None
        name = leaderboard_name(place.task_name, place.dataset_name)
        slugs = self._draft.index.slugs("leaderboard", name)
        return next(iter(slugs)) if len(slugs) == 1 else None

    def _row(self, row: Row, rank: str, board: dict[str, str], path: str) -> ResultRow:
        draft = self._draft
        slug = draft.known_paper(row.paper_url) if row.paper_url else None
        paper_key = slug_key(slug) if slug is not None else unknown_paper_key(row.paper_url)
        iri = draft.minter.result(
            draft.minter.key_of("leaderboard", board["leaderboard"]),
            paper_key,
            row.model_name or "",
            extra=row.uses_additional_data == "true",
        )
        said = node_values(
            {
                **board,
                "paper": draft.thing("paper", slug) if slug is not None else None,
                "paper_title": row.paper_title,
                "model_name": row.model_name,
                "uses_additional_data": row.uses_additional_data,
                "records": self._record,
            }
        )
        said |= draft.dated(
            row.paper_date,
            f"{path}.paper_date",
            ("paper_date", "paper_year_month", "paper_year"),
        )
        merge(said, draft.places({"paper_url": (row.paper_url, f"{path}.paper_url")}, SITE))
        merge(said, pages(draft, row.model_links, "model_links", f"{path}.model_links[]"))
        merge(said, self._code_links(row, iri, f"{path}.code_links[]"))
        return ResultRow(iri, row.metrics, rank, said)

    def _code_links(self, row: Row, result: str, field: str) -> Node:
        links = []
        for link in row.code_links:
            if link.url is not None:
                title = link.title
                links.append(code_link(self._draft, result, link.url, field, None, title=title))
            elif link.title is not None:
                message = f"the link {link.title!r} has no address"
                self._draft.note(FindingKind.ODD_VALUE, field, message)
        return {"code_links": links} if links else {}
