"""SPARQL 1.1 text: its tokens, where its faults are, and whether it is a query at all."""

from kg.sparql.graphs import Graphs, graphs_of
from kg.sparql.parsing import columns
from kg.sparql.query import QueryForm, check
from kg.sparql.refusing import refuse_length
from kg.sparql.tokens import Kind, Token, scan

__all__ = [
    "Graphs",
    "Kind",
    "QueryForm",
    "Token",
    "check",
    "columns",
    "graphs_of",
    "refuse_length",
    "scan",
]
