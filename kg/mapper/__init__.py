"""The mapper: a record becomes nodes, the context of its kind makes triples of them.

A node is a JSON object with an ``@id``, a ``@type`` and the record's values under the record's
own words; it names no predicate. Which predicate a key has is said by the JSON-LD context of the
record's kind and nowhere else, so a user who edits the context gets another graph.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import pyoxigraph as ox
from pyld import jsonld

from kg.contexts import Contexts, JsonObject
from kg.errors import KgError
from kg.findings import Finding
from kg.index import Index
from kg.iris import Minter
from kg.mapper.archive_dataset import archive_dataset_nodes
from kg.mapper.archive_link import archive_link_nodes
from kg.mapper.archive_paper import archive_paper_nodes
from kg.mapper.dataset import dataset_nodes
from kg.mapper.draft import Draft, Node
from kg.mapper.evaluation_table import evaluation_table_nodes
from kg.mapper.method import method_nodes
from kg.mapper.paper import paper_nodes
from kg.records import (
    ArchiveDataset,
    ArchiveLink,
    ArchivePaper,
    DatasetRecord,
    EvaluationTable,
    MethodRecord,
    PaperRecord,
    Record,
)
from kg.vocabularies import Vocabularies

__all__ = ["Mapped", "Mapper", "Node"]

# A kind's function takes the records of its own class; the key says which they are.
_NODES: Final[dict[str, Callable[[Draft, Any], list[Node]]]] = {
    PaperRecord.kind: paper_nodes,
    DatasetRecord.kind: dataset_nodes,
    ArchivePaper.kind: archive_paper_nodes,
    ArchiveLink.kind: archive_link_nodes,
    EvaluationTable.kind: evaluation_table_nodes,
    MethodRecord.kind: method_nodes,
    ArchiveDataset.kind: archive_dataset_nodes,
}


@dataclass(frozen=True, slots=True)
class Mapped:
    """What a record became: N-Triples *lines* without their ends, and what was noticed.

    *joins* counts the papers that the record points to by what they were found by.
    """

    lines: list[bytes]
    findings: list[Finding]
    joins: Counter[str]


class Mapper:
    """Maps records to triples below one base, with the names of one corpus.

    The lines are canonical N-Triples (RDF 1.1 N-Triples, section 4), literals in the canonical
    form of their datatypes, no blank nodes; one record's lines may repeat a triple.
    """

    def __init__(
        self,
        *,
        minter: Minter,
        index: Index,
        contexts: Contexts,
        vocabularies: Vocabularies | None = None,
    ) -> None:
        self._draft = partial(Draft, minter, index, vocabularies or Vocabularies.load())
        self._contexts = contexts

    def nodes(self, record: Record) -> tuple[list[Node], Draft]:
        """Return the nodes of a record, and the draft that knows what was noticed about them."""
        draft = self._draft()
        return _NODES[record.kind](draft, record), draft

    def map(self, record: Record) -> Mapped:
        """Return the triples of a record."""
        nodes, draft = self.nodes(record)
        document: JsonObject = {"@context": self._contexts.of(record.kind), "@graph": nodes}
        return Mapped(to_lines(document), draft.findings, draft.joins)


def to_lines(document: JsonObject) -> list[bytes]:
    """Expand a JSON-LD document by PyLD into N-Triples lines; the network is never asked."""
    dataset = jsonld.to_rdf(document, {"documentLoader": _never})
    return [_line(triple) for triple in dataset.get("@default", [])]


def _never(url: str, _options: object) -> JsonObject:
    raise KgError(f"a context asked for {url}; contexts are never fetched")


def _line(triple: dict[str, dict[str, str]]) -> bytes:
    target = triple["object"]
    value: ox.NamedNode | ox.Literal
    if target["type"] == "literal":
        if language := target.get("language"):
            value = ox.Literal(target["value"], language=language)
        else:
            value = ox.Literal(target["value"], datatype=ox.NamedNode(target["datatype"]))
    else:
        value = ox.NamedNode(target["value"])
    subject = ox.NamedNode(triple["subject"]["value"])
    predicate = ox.NamedNode(triple["predicate"]["value"])
    return f"{subject} {predicate} {value} .".encode()
