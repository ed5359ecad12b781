"""paperkg: the knowledge graph of machine-learning papers that a researcher can own.

>>> import kg
>>> graph = kg.open("mystore")                       # doctest: +SKIP
>>> graph = kg.connect("http://127.0.0.1:7878")      # doctest: +SKIP
>>> graph = kg.build("records/")                     # doctest: +SKIP

Each gives a :class:`kg.Graph`.
"""

from importlib import import_module
from operator import attrgetter
from typing import TYPE_CHECKING

__version__ = "0.1.0"

# What notebooks use is imported when it is asked for: the command line starts without it.
_IN_GRAPH = {
    "Graph": "Graph",
    "GraphWarning": "GraphWarning",
    "Results": "Results",
    "Triples": "Triples",
    "Truth": "Truth",
    "build": "Graph.build",
    "connect": "Graph.connect",
    "open": "Graph.open",
}

if TYPE_CHECKING:
    from kg.graph import Graph as Graph
    from kg.graph import GraphWarning as GraphWarning
    from kg.graph import Results as Results
    from kg.graph import Triples as Triples
    from kg.graph import Truth as Truth

    build = Graph.build
    connect = Graph.connect
    open = Graph.open  # noqa: A001 - it is called kg.open
else:

    def __getattr__(name):
        if name not in _IN_GRAPH:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return attrgetter(_IN_GRAPH[name])(import_module("kg.graph"))

    def __dir__():
        return sorted([*globals(), *_IN_GRAPH])
