"""The parts of a thing: what is told together with it, because it lives and dies with it.

A part of a thing is

- a fragment of its IRI that it, or another part, points to (an authorship, a code link, a
  measurement, a licence of its own),
- of a paper: the results that it reports (``kg:paper`` leads back from them), with their parts,
- of a paper: the samples that its links point to, with theirs, where no other paper's do. A sample
  that serves several papers is a part of none: it says from which records it comes, and would
  otherwise be told with each of them.

Everything else is told by its IRI, so that each triple is told once, however things are linked.
Parts are found by looking up, one level at a time, in whatever can answer a CONSTRUCT query: a
store here or an endpoint elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache
from typing import Final, Protocol, TypeAlias, cast

import pyoxigraph as ox

from kg.catalogue.iri_values import read_iri
from kg.errors import UsageError
from kg.iris import Minter
from kg.namespaces import KG, RDF_TYPE

Construct: TypeAlias = Callable[[str], Iterable[ox.Triple]]
"""Answers a CONSTRUCT query without prefixes."""

PAPER: Final = KG + "Paper"
RESULT: Final = KG + "Result"
SAMPLE: Final = KG + "Sample"
_RESULT_OF: Final = KG + "paper"
_SAMPLE_OF: Final = KG + "sample"
Told: TypeAlias = dict[ox.NamedNode, set[ox.Triple]]
"""Nodes and the triples of which they are the subject."""

_AT_ONCE: Final = 500
"""Things looked up in one query: an endpoint may refuse a longer text."""
_REMEMBERED: Final = 16
_DIGITS: Final = re.compile(r"[0-9]+")
_WIDTH: Final = 8


class Queried(Protocol):
    """What answers a query: a store, or an endpoint."""

    def query(self, text: str, /) -> ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples:
        """Evaluate a query without prefixes."""
        ...


def in_store(store: Queried) -> Construct:
    """Return what answers CONSTRUCT queries from *store*, or from an endpoint."""

    def construct(text: str) -> Iterable[ox.Triple]:
        return cast("ox.QueryTriples", store.query(text))

    return construct


def origins(
    store: Queried, triples: Iterable[ox.Triple], leave_out: Collection[str] = ()
) -> dict[ox.NamedNode, list[ox.Triple]]:
    """Return the named graphs of *store* in which some of *triples* stand too, with those.

    That is where a user's own statements come from (:mod:`kg.statements`). The graphs of which
    the IRIs are in *leave_out* are not looked at; the order of *triples* is kept.
    """
    triples = list(triples)
    subjects = list(dict.fromkeys(str(triple.subject) for triple in triples))
    stated: dict[ox.NamedNode, set[ox.Triple]] = {}
    for start in range(0, len(subjects), _AT_ONCE):
        some = f"VALUES ?s {{ {' '.join(subjects[start : start + _AT_ONCE])} }}"
        rows = store.query(f"SELECT DISTINCT ?g {{ {some} GRAPH ?g {{ ?s ?p ?o }} }}")
        for row in cast("ox.QuerySolutions", rows):
            graph = cast("ox.NamedNode", row["g"])  # no build writes another
            if graph.value not in leave_out:
                pattern = f"{some} GRAPH {graph} {{ ?s ?p ?o }}"
                found = in_store(store)(f"CONSTRUCT {{ ?s ?p ?o }} {{ {pattern} }}")
                stated.setdefault(graph, set()).update(found)
    return {
        graph: said
        for graph in sorted(stated, key=str)
        if (said := [triple for triple in triples if triple in stated[graph]])
    }


def thing_iri(text: str, base: str, prefixes: Mapping[str, str]) -> ox.NamedNode:
    """Return the IRI that *text* means: an IRI, ``<IRI>``, or a CURIE with one of *prefixes*.

    Raises :class:`~kg.errors.UsageError` where it means none.
    """
    try:
        return ox.NamedNode(read_iri(text, None, Minter(base), prefixes))
    except ValueError:
        raise UsageError(
            f"{text!r} is neither an IRI nor a CURIE with a known prefix (kg queries --prefixes);"
            " a paper is paper:SLUG"
        ) from None


class Describer:
    """Describes things of the named *graph*, or of the default graph where it is None.

    *construct* answers the look-ups. The things described last are remembered, for whoever asks
    about one part of a thing after another.
    """

    def __init__(self, construct: Construct, *, graph: ox.NamedNode | None = None) -> None:
        self._construct = construct
        self._graph = graph
        self._recent = lru_cache(maxsize=_REMEMBERED)(self._describe)

    def description(self, thing: ox.NamedNode) -> list[ox.Triple]:
        """Return the triples of *thing* and of its parts, the thing's own first, each once.

        There are none where the graph does not know it.
        """
        told = self._recent(thing)
        parts = sorted(told.keys() - {thing}, key=str)
        return [t for node in (thing, *parts) for t in sorted(told[node], key=in_order)]

    def is_part(self, subject: ox.NamedNode, classes: Collection[str]) -> bool:
        """Say whether *subject*, a node of these *classes*, is in another thing's description."""
        document, hash_, _ = subject.value.partition("#")
        if hash_:
            return subject in self._recent(ox.NamedNode(document))
        if PAPER in classes:
            return False
        if RESULT in classes:
            owner = f"{subject} <{_RESULT_OF}> ?o . ?o a <{PAPER}>"
        elif SAMPLE in classes:
            # What points to it must be a fragment of the paper, else the paper does not tell it.
            owner = (
                f"?link <{_SAMPLE_OF}> {subject} . ?o ?p ?link . ?o a <{PAPER}>"
                ' BIND(CONCAT(STR(?o), "#") AS ?own) FILTER(STRSTARTS(STR(?link), ?own))'
                f" FILTER NOT EXISTS {{ ?other <{_SAMPLE_OF}> {subject}"
                " FILTER(!STRSTARTS(STR(?other), ?own)) }"
            )
        else:
            return False
        return bool(self._found(f"CONSTRUCT {{ ?o a <{PAPER}> }}", owner))

    def _describe(self, thing: ox.NamedNode) -> Told:
        """Return what is said of *thing* and its parts."""
        told: Told = {thing: set()}
        own = f"{thing.value.partition('#')[0]}#"
        further = self._take(_of_thing(thing), told, own)
        while wanted := sorted(further - told.keys(), key=str):
            told.update((node, set()) for node in wanted)
            further = set()
            for start in range(0, len(wanted), _AT_ONCE):
                nodes = " ".join(map(str, wanted[start : start + _AT_ONCE]))
                further |= self._take(f"VALUES ?s {{ {nodes} }} ?s ?p ?o", told, own)
        return told

    def _take(self, pattern: str, told: Told, own: str) -> set[ox.NamedNode]:
        """Put what *pattern* finds under its subjects in *told*; return which parts it names.

        *own* is what the fragments of the thing that is described begin with.
        """
        further: set[ox.NamedNode] = set()
        samples: set[ox.NamedNode] = set()
        for triple in self._found("CONSTRUCT { ?s ?p ?o }", pattern):
            subject, target = triple.subject, triple.object
            if not isinstance(subject, ox.NamedNode):
                continue  # a node without an IRI, which no build writes, is nobody's part
            if subject not in told:  # a result that says which paper it is of
                further.add(subject)
                continue
            told[subject].add(triple)
            if isinstance(target, ox.NamedNode):
                if target.value.startswith(f"{subject.value.partition('#')[0]}#"):
                    further.add(target)
                elif triple.predicate.value == _SAMPLE_OF and subject.value.startswith(own):
                    samples.add(target)
        return further | self._unshared(samples, own)

    def _unshared(self, samples: Collection[ox.NamedNode], own: str) -> set[ox.NamedNode]:
        """Return those of *samples* to which nothing points that does not begin with *own*."""
        if not samples:
            return set()
        pattern = (
            f"VALUES ?s {{ {' '.join(sorted(map(str, samples)))} }}"
            f" FILTER NOT EXISTS {{ ?other <{_SAMPLE_OF}> ?s"
            f" FILTER(!STRSTARTS(STR(?other), {ox.Literal(own)})) }}"
        )
        found = self._found(f"CONSTRUCT {{ ?s a <{SAMPLE}> }}", pattern)
        return {triple.subject for triple in found if isinstance(triple.subject, ox.NamedNode)}

    def _found(self, head: str, pattern: str) -> list[ox.Triple]:
        if self._graph is not None:
            pattern = f"GRAPH {self._graph} {{ {pattern} }}"
        return list(self._construct(f"{head} {{ {pattern} }}"))


def _of_thing(thing: ox.NamedNode) -> str:
    """Return the pattern of what is said of *thing*, and of the results that say they are of it."""
    said = f"{{ {thing} ?p ?o BIND({thing} AS ?s) }}"
    results = f"?s <{_RESULT_OF}> {thing} ; a <{RESULT}>"
    results = f"{{ {results} BIND(<{_RESULT_OF}> AS ?p) BIND({thing} AS ?o) }}"
    return f"{said} UNION {results}"


def in_order(triple: ox.Triple) -> tuple[bool, str, str, str]:
    """Return the key that sorts the triples of a node as a description has them."""
    # Numbers as numbers, so that the second author stands before the tenth.
    target = str(triple.object)
    by_number = _DIGITS.sub(lambda match: match[0].zfill(_WIDTH), target)
    return triple.predicate.value != RDF_TYPE, str(triple.predicate), by_number, target
