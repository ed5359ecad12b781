"""Framed JSON-LD: a thing with its parts inside, as one document that stands alone.

The parts (:mod:`kg.describing`) stand where they are pointed at, each once; the results of a paper,
which point to it, stand under ``results``. Everything else is an IRI. The context of a document is
the part of the shipped one that it uses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import pyoxigraph as ox

from kg.contexts import JsonObject
from kg.describing import PAPER, Describer, in_order
from kg.exporter.jsonld import Names, check, dumps
from kg.exporter.product import Group, Said, by_subject
from kg.namespaces import KG, RDF_TYPE

_RESULTS: Final = "results"
_RESULT_OF: Final = ox.NamedNode(KG + "paper")
_REVERSE: Final[JsonObject] = {
    _RESULTS: {"@reverse": "kg:paper", "@type": "@id", "@container": "@set"}
}


class Framer:
    """Makes documents with the names of *context*, the shipped context for output."""

    def __init__(self, context: JsonObject) -> None:
        self._names = Names(context | _REVERSE)

    def frame(self, description: Sequence[ox.Triple]) -> JsonObject:
        """Return the document of a thing by its description, which begins with its own triples.

        Raises :class:`~kg.errors.UsageError` for what JSON-LD cannot carry.
        """
        check(description, self._names.context)
        said = dict(by_subject(description))
        thing = next(iter(said))
        of_thing: Said = (_RESULT_OF, thing)
        results = [node for node, pairs in said.items() if of_thing in pairs]
        for result in results:
            said[result].remove(of_thing)
        self._names.used.clear()
        node = self._take(thing, said)
        if results:
            self._names.used.add(_RESULTS)
            node[_RESULTS] = [
                self._take(result, said) if result in said else result.value for result in results
            ]
        return {"@context": self._names.excerpt(), **node}

    def _take(self, subject: ox.NamedNode, said: dict[ox.NamedNode, list[Said]]) -> JsonObject:
        """Return the node object of *subject* with its parts inside; all leave *said*."""

        def embed(target: ox.NamedNode) -> JsonObject | None:
            return self._take(target, said) if target in said else None

        return self._names.node(subject, said.pop(subject), embed)


def frames(groups: Iterable[Group], describer: Describer, context: JsonObject) -> Iterator[str]:
    """Yield one document a line for every thing that is no part of another."""
    framer = Framer(context)
    for subject, said in groups:
        classes = {target.value for predicate, target in said if predicate.value == RDF_TYPE}
        if describer.is_part(subject, classes):
            continue
        own = f"{subject.value.partition('#')[0]}#"
        if PAPER in classes or any(target.value.startswith(own) for _, target in said):
            description = describer.description(subject)
        else:  # it can have no parts, so nothing need be looked up
            triples = (ox.Triple(subject, predicate, target) for predicate, target in said)
            description = sorted(triples, key=in_order)
        yield dumps(framer.frame(description)) + "\n"
