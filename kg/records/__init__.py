"""Records: the JSON objects of the sources, recognised by content, typed and checked.

A *kind* is a module of this package with ``recognises(object)`` and ``read(object)``; kinds are
told apart by what an object holds, never by the name of its file.
"""

from __future__ import annotations

from typing import Final

from kg.errors import RecordError
from kg.records import dataset, paper
from kg.records.dataset import DatasetRecord
from kg.records.fields import describe
from kg.records.paper import PaperRecord

__all__ = ["CLASSES", "KINDS", "DatasetRecord", "PaperRecord", "Record", "read"]

Record = PaperRecord | DatasetRecord

KINDS: Final = {PaperRecord.kind: paper, DatasetRecord.kind: dataset}
"""The kinds of record by name, in the order in which they are tried."""

CLASSES: Final[dict[str, type[Record]]] = {
    PaperRecord.kind: PaperRecord,
    DatasetRecord.kind: DatasetRecord,
}
"""The classes of the records by the name of their kind."""


def read(value: object) -> Record:
    """Read a decoded JSON value as the record that it is.

    Raises :class:`~kg.errors.RecordError`, with the record's own identifier where it has one,
    if the value is no known kind of record or one of its fields cannot be read.
    """
    if not isinstance(value, dict):
        raise RecordError(f"expected an object, found {describe(value)}")
    identifier = value.get("url")
    try:
        for kind in KINDS.values():
            if kind.recognises(value):
                record: Record = kind.read(value)
                return record
        raise RecordError(
            "no known kind of record; its keys are "
            + (", ".join(sorted(map(str, value))[:8]) or "none")
            + f" (known kinds: {', '.join(KINDS)} of codewithpapers.app)"
        )
    except RecordError as error:
        error.record = identifier if isinstance(identifier, str) else None
        raise
