"""The index of a corpus: which slugs the names of tasks, methods and datasets have.

Filled in the build's first pass, asked in its second. A name is only resolved where all records
that name it agree on one slug; names of datasets and tasks do collide (``ontology/README.md``).
"""

from __future__ import annotations

from collections.abc import Iterator

from kg.records import DatasetRecord, PaperRecord, Record


class Index:
    """Names → slugs of everything that the records of a corpus name.

    In memory; about 600 bytes a name.
    """

    def __init__(self) -> None:
        self._slugs_by_name: dict[tuple[str, str], set[str]] = {}

    def learn(self, record: Record) -> None:
        """Take in the names of one record."""
        for kind, slug, name in _named(record):
            if name is not None:
                self._slugs_by_name.setdefault((kind, name), set()).add(slug)

    def slugs(self, kind: str, name: str) -> frozenset[str]:
        """Return all slugs that the corpus has for the name of a task, method or dataset."""
        return frozenset(self._slugs_by_name.get((kind, name), ()))


def _named(record: Record) -> Iterator[tuple[str, str, str | None]]:
    """Yield ``(kind, slug, name)`` of everything that a record names with its slug."""
    yield record.kind, record.slug, record.name if isinstance(record, DatasetRecord) else None
    for task in record.tasks:
        if task.slug is not None:
            yield "task", task.slug, task.name
    if isinstance(record, PaperRecord):
        for kind, things in (
            ("method", record.methods + record.methods_introduced),
            ("dataset", record.datasets_introduced),
        ):
            for thing in things:
                if thing.slug is not None:
                    yield kind, thing.slug, thing.name
