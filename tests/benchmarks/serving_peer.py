"""rdflib-endpoint over a store of Oxigraph: ``PYTHON tests/benchmarks/serving_peer.py STORE PORT``.

Its own command loads files into memory; here it has the same store on disk as the others, by
oxrdflib, which hands queries to the engine as they are. That is the fastest way it can be run. The
file is run by the Python that has it, and imports nothing of the project.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any


def main(store: str, port: int) -> None:
    """Serve until it is ended."""
    ox: Any = import_module("pyoxigraph")
    dataset = import_module("rdflib").Dataset(
        store=import_module("oxrdflib").OxigraphStore(store=ox.Store.read_only(store))
    )
    app = import_module("rdflib_endpoint").SparqlEndpoint(
        graph=dataset, path="/sparql", enable_update=False
    )
    import_module("uvicorn").run(app, port=port, log_level="warning", access_log=False)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
