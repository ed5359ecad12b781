"""The mapper: a record becomes nodes, the context of its kind makes triples of them.

A node is a JSON object with an ``@id``, a ``@type`` and the record's values under the record's
own words; it names no predicate. Which predicate a key has is said by the JSON-LD context of the
record's kind and nowhere else, so a user who edits the context gets another graph. A context is
compiled once (:mod:`kg.mapper.compiled`); what it does not compile goes through PyLD
(:mod:`kg.mapper.expanded`).
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from kg.contexts import Contexts
from kg.findings import Finding
from kg.index import Index
from kg.iris import Minter
from kg.mapper import expanded
from kg.mapper.archive_dataset import archive_dataset_nodes
from kg.mapper.archive_link import archive_link_nodes
from kg.mapper.archive_paper import archive_paper_nodes
from kg.mapper.compiled import CompiledContext, NotCompiledError
from kg.mapper.dataset import dataset_nodes
from kg.mapper.draft import Draft, Node
from kg.mapper.evaluation_table import evaluation_table_nodes
from kg.mapper.method import method_nodes
from kg.mapper.paper import paper_nodes
from kg.mapper.shared import SharedNodes
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

    *joins* counts the papers that the record points to by what they were found by. Where it
    *is_compiled*, the compiled context wrote the lines, else PyLD did. *left_out* has the hashes of
    lines that are its too, and were written with another record.
    """

    lines: list[bytes]
    findings: list[Finding]
    joins: Counter[str]
    is_compiled: bool
    nodes: list[Node]
    left_out: array[int]

    @property
    def source(self) -> str:
        """The IRI of the record itself, as the source of what it says."""
        return next(str(node["@id"]) for node in self.nodes if node["@type"] == "Record")


class Mapper:
    """Maps records to triples below one base, with the names of one corpus.

    The lines are canonical N-Triples (RDF 1.1 N-Triples, section 4), literals in the canonical
    form of their datatypes, no blank nodes; one record's lines may repeat a triple. Where it does
    not *repeat*, what records have in common (:mod:`kg.mapper.shared`) is written with the first of
    them.
    """

    def __init__(
        self,
        *,
        minter: Minter,
        index: Index,
        contexts: Contexts,
        vocabularies: Vocabularies | None = None,
        repeat: bool = True,
    ) -> None:
        self._draft = partial(Draft, minter, index, vocabularies or Vocabularies.load())
        self._contexts = contexts
        self._repeat = repeat
        # By kind, since the contexts of two kinds may say different things of one node.
        self._shared: defaultdict[str, SharedNodes] = defaultdict(SharedNodes)
        self._compiled: dict[str, CompiledContext] = {}

    def nodes(self, record: Record) -> tuple[list[Node], Draft]:
        """Return the nodes of a record, and the draft that knows what was noticed about them."""
        draft = self._draft(self._shared[record.kind])
        return _NODES[record.kind](draft, record), draft

    def map(self, record: Record) -> Mapped:
        """Return the triples of a record.

        Raises :class:`~kg.errors.ResourceError` where the context of its kind is none.
        """
        nodes, draft = self.nodes(record)
        context = self._context(record.kind)
        try:
            lines, is_compiled = context.lines(nodes), True
        except NotCompiledError:
            lines, is_compiled = expanded.lines(self._contexts.of(record.kind), nodes), False
        return Mapped(lines, draft.findings, draft.joins, is_compiled, nodes, context.left_out)

    def _context(self, kind: str) -> CompiledContext:
        if kind not in self._compiled:
            self._compiled[kind] = CompiledContext(
                self._contexts.of(kind), kind, repeat=self._repeat
            )
        return self._compiled[kind]
