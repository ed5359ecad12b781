"""Queries about a store's metadata asked of its metadata, all other queries of its data."""

from __future__ import annotations

from dataclasses import replace

from kg import metadata, namespaces
from kg.answers import Question
from kg.catalogue import rdf
from kg.partitions import Counts
from kg.protocol import Evaluate, Evaluation
from kg.sparql import Graphs


class WithMetadata:
    """Has *evaluate* answer queries about metadata from the metadata of the store it asks.

    *base* is that of the store, *counts* are what is known of its default graph: where that uses
    one of :data:`kg.metadata.TELLING` itself, the data answers.
    """

    def __init__(self, evaluate: Evaluate, base: str, counts: Counts) -> None:
        self._evaluate = evaluate
        self._prefixes = namespaces.prefixes(base)
        self._graphs = Graphs(default=(rdf.graph_iri(base), metadata.graph_iri(base)))
        self._is_data = any(iri.startswith(metadata.TELLING) for iri in counts.properties)

    async def __call__(self, question: Question) -> Evaluation:
        """Evaluate a question; see :class:`~kg.protocol.Evaluate`."""
        if (
            question.graphs is None
            and not self._is_data
            and metadata.is_about_metadata(question.text, self._prefixes)
        ):
            question = replace(question, graphs=self._graphs)
        return await self._evaluate(question)
