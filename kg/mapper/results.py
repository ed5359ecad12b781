"""Results: the rows of leaderboards, one node each, whichever kind of record they stand in."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from kg import measures
from kg.findings import FindingKind
from kg.iris import key, short_hash
from kg.mapper.draft import Draft, Node, node, node_values
from kg.values import magnitude

Metrics = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a record: its *iri* by its key, its *metrics*, its *rank*, and all it says else.

    *values* are the values of its node; the nodes among them are compared by their IRIs.
    """

    iri: str
    metrics: Metrics
    rank: str | None
    values: Node = field(default_factory=dict)

    def same(self) -> str:
        """Return what identical rows have in common: everything but the rank."""
        return json.dumps([sorted(self.metrics), self.values], sort_keys=True)


def result_nodes(draft: Draft, rows: Iterable[Row], path: str) -> list[Node]:
    """Return the results of a record's rows, whose key path is *path*.

    Rows that say the same are one result with ``row_count``, at the first rank that they have.
    Distinct rows that share a key get the hash of their metrics at the end of their IRIs, and where
    they share their metrics too, the hash of all that they say.
    """
    by_iri: dict[str, dict[str, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        by_iri[row.iri][row.same()].append(row)
    nodes = []
    for iri, distinct in by_iri.items():
        hashes = Counter(_metrics_hash(same[0].metrics) for same in distinct.values())
        for said, same in distinct.items():
            own, hashed = iri, _metrics_hash(same[0].metrics)
            if len(distinct) > 1:
                own = f"{iri}~{hashed if hashes[hashed] == 1 else short_hash(said)}"
            nodes.append(_result(draft, own, same, path))
    return nodes


def _result(draft: Draft, iri: str, same: list[Row], path: str) -> Node:
    row = same[0]
    ranks = sorted({row.rank for row in same if row.rank is not None}, key=magnitude)
    if len(ranks) > 1:
        message = f"identical rows at the ranks {', '.join(ranks)} are one result at the first"
        draft.note(FindingKind.REPEATED_ROW, path, message)
    counted = {
        "rank_in_archive_order": ranks[0] if ranks else None,
        "row_count": str(len(same)) if len(same) > 1 else None,
    }
    return node(
        iri,
        "Result",
        metrics=[_measurement(draft, iri, name, raw) for name, raw in row.metrics],
        **node_values(counted),
        **row.values,
    )


def _measurement(draft: Draft, result: str, name: str, raw: str) -> Node:
    read = measures.read(raw)
    return node(
        f"{result}#{key(name)}",
        "Measurement",
        metric=draft.metric(name),
        raw_value=raw,
        value=read and read.value,
        unit=read and read.unit,
        uncertainty=read and read.uncertainty,
    )


def _metrics_hash(metrics: Metrics) -> str:
    return short_hash(json.dumps(dict(metrics), sort_keys=True, ensure_ascii=False))
