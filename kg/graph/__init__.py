"""The graph as a Python object, for notebooks: of a store here, or of an endpoint over HTTP.

``kg.open``, ``kg.connect`` and ``kg.build`` give a :class:`Graph`; what it answers is a
:class:`Results` with rows to go through, a table to print, HTML for Jupyter and a DataFrame.
"""

from kg.graph.graph import Graph
from kg.graph.notices import GraphWarning
from kg.graph.results import Results, Truth
from kg.graph.triples import Triples

__all__ = ["Graph", "GraphWarning", "Results", "Triples", "Truth"]
