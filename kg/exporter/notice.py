"""Licence and attribution, as the records in the data have them, for the head of a file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, cast

import pyoxigraph as ox

from kg.namespaces import DCT, KG
from kg.store import Store
from kg.values import visible

_SAID: Final = {
    DCT + "license": "Licence",
    DCT + "rights": "Licence as named",
    "http://creativecommons.org/ns#attributionURL": "Attribution",
    KG + "nonAffiliation": "Note",
    KG + "modificationNote": "Changes",
}
"""What a head repeats, and under which word."""
_SHOWN: Final = 20


def notice(store: Store, graphs: Iterable[str | None]) -> str:
    """Return lines, ended by line ends, on the terms of use of *graphs* (None: the default graph).

    They tell what the source records in a graph say of themselves, and what is said in a named
    graph of the graph itself; of each property the first few values, each once.
    """
    lines = ["Made by paperkg. What each source record demands stands on its kg:Record below."]
    for graph in graphs:
        found = _terms(store, graph)
        for iri, word in _SAID.items():
            label = word if graph is None else f"{word} of <{graph}>"
            values = sorted(found.get(iri, ()))
            lines += [f"{label}: {value}" for value in values[:_SHOWN]]
            if len(values) > _SHOWN:
                lines.append(f"{label}: {len(values) - _SHOWN} more, which stand below")
    return "".join(f"{line}\n" for line in lines)


def _terms(store: Store, graph: str | None) -> dict[str, set[str]]:
    """Return the values of the properties of ``_SAID``, fit to stand on a line."""
    pattern = f"?s a <{KG}Record> ; ?p ?o"
    if graph is not None:
        pattern = f"GRAPH <{graph}> {{ {{ {pattern} }} UNION {{ <{graph}> ?p ?o }} }}"
    # FILTER and not VALUES, from which the engine would begin: they stand on much else.
    properties = ", ".join(f"<{iri}>" for iri in _SAID)
    text = f"SELECT DISTINCT ?p ?o {{ {pattern} FILTER(?p IN ({properties})) }}"
    found: dict[str, set[str]] = {}
    for solution in cast("ox.QuerySolutions", store.query(text)):
        found.setdefault(solution["p"].value, set()).add(visible(solution["o"].value))
    return found
