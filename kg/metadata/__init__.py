"""What a store says of itself, for programs that ask it in SPARQL.

Editors and explorers look for prefixes (``sh:prefix``), example queries (``sh:SPARQLExecutable``)
and statistics (``void:classPartition``) in the default graph. Here they stand in named graphs, so
that no count and no plain query meets them: that of the canned queries (:mod:`kg.catalogue.rdf`)
and that of the description (:func:`quads`). A query that is about nothing else
(:func:`is_about_metadata`) is asked of these two as if they were the default graph, which
:class:`kg.evaluation.WithMetadata` does for an endpoint.
"""

from kg.metadata.described import graph_iri, quads
from kg.metadata.recognising import TELLING, is_about_metadata

__all__ = ["TELLING", "graph_iri", "is_about_metadata", "quads"]
