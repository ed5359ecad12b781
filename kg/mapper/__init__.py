"""The mapper: a record becomes nodes, the context of its kind makes triples of them.

A node is a JSON object with an ``@id``, a ``@type`` and the record's values under the record's
own words; it names no predicate. Which predicate a key has is said by the JSON-LD context of the
record's kind and nowhere else, so a user who edits the context gets another graph.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import pyoxigraph as ox
from pyld import jsonld

from kg.contexts import Contexts, JsonObject
from kg.errors import KgError
from kg.findings import Finding
from kg.index import Index
from kg.iris import Minter
from kg.mapper.dataset import dataset_nodes
from kg.mapper.draft import Draft, Node
from kg.mapper.paper import paper_nodes
from kg.records import PaperRecord, Record
from kg.vocabularies import Vocabularies

__all__ = ["Mapped", "Mapper", "Node"]


@dataclass(frozen=True, slots=True)
class Mapped:
    """What a record became: N-Triples *lines* without their ends, and what was noticed."""

    lines: list[bytes]
    findings: list[Finding]


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

    def nodes(self, record: Record) -> tuple[list[Node], list[Finding]]:
        """Return the nodes of a record, and what was noticed in making them."""
        draft = self._draft()
        if isinstance(record, PaperRecord):
            nodes = paper_nodes(draft, record)
        else:
            nodes = dataset_nodes(draft, record)
        return nodes, draft.findings

    def map(self, record: Record) -> Mapped:
        """Return the triples of a record."""
        nodes, findings = self.nodes(record)
        document: JsonObject = {"@context": self._contexts.of(record.kind), "@graph": nodes}
        return Mapped(to_lines(document), findings)


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
