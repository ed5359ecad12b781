"""Records: the JSON objects of the sources, recognised by content, typed and checked.

A *kind* is a module of this package with ``recognises(object)``, ``read(object)`` and a class of
its records; kinds are told apart by what an object holds, never by the name of its file. The kinds
of codewithpapers.app are called ``paper`` and ``dataset``, those of the Papers with Code archive
after its dumps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from kg.errors import RecordError
from kg.records import (
    archive_dataset,
    archive_link,
    archive_paper,
    dataset,
    evaluation_table,
    method,
    paper,
)
from kg.records.archive_dataset import ArchiveDataset
from kg.records.archive_link import ArchiveLink
from kg.records.archive_paper import ArchivePaper
from kg.records.dataset import DatasetRecord
from kg.records.evaluation_table import EvaluationTable
from kg.records.fields import describe
from kg.records.method import MethodRecord
from kg.records.paper import PaperRecord

__all__ = [
    "KINDS",
    "ArchiveDataset",
    "ArchiveLink",
    "ArchivePaper",
    "DatasetRecord",
    "EvaluationTable",
    "Kind",
    "MethodRecord",
    "PaperRecord",
    "Record",
    "kind_of",
    "read",
]

Record = (
    PaperRecord
    | DatasetRecord
    | ArchivePaper
    | ArchiveLink
    | EvaluationTable
    | MethodRecord
    | ArchiveDataset
)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of record: how its objects are recognised and read, and the class they become."""

    recognises: Callable[[dict[str, object]], bool]
    read: Callable[[object], Record]
    record: type[Record]


KINDS: Final[dict[str, Kind]] = {
    kind.record.kind: kind
    for kind in (
        Kind(paper.recognises, paper.read, PaperRecord),
        Kind(dataset.recognises, dataset.read, DatasetRecord),
        Kind(archive_link.recognises, archive_link.read, ArchiveLink),
        Kind(archive_paper.recognises, archive_paper.read, ArchivePaper),
        Kind(method.recognises, method.read, MethodRecord),
        Kind(archive_dataset.recognises, archive_dataset.read, ArchiveDataset),
        Kind(evaluation_table.recognises, evaluation_table.read, EvaluationTable),
    )
}
"""The kinds of record by name, in the order in which they are tried."""

_IDENTIFIERS: Final = ("url", "paper_url", "task")


def kind_of(value: object) -> str | None:
    """Return the name of the kind that a decoded JSON value is, or None where it is none."""
    if isinstance(value, dict):
        for name, kind in KINDS.items():
            if kind.recognises(value):
                return name
    return None


def read(value: object) -> Record:
    """Read a decoded JSON value as the record that it is.

    Raises :class:`~kg.errors.RecordError`, with the record's own identifier where it has one,
    if the value is no known kind of record or one of its fields cannot be read.
    """
    if not isinstance(value, dict):
        raise RecordError(f"expected an object, found {describe(value)}")
    try:
        name = kind_of(value)
        if name is not None:
            return KINDS[name].read(value)
        raise RecordError(
            "no known kind of record; its keys are "
            + (", ".join(sorted(map(str, value))[:8]) or "none")
            + f" (known kinds: {', '.join(KINDS)})"
        )
    except RecordError as error:
        told = (value.get(key) for key in _IDENTIFIERS)
        error.record = next((text for text in told if isinstance(text, str) and text), None)
        raise
