"""Names for blank nodes that depend on what is said of them, not on the labels a file gives them.

Reading a file again gives its blank nodes other labels, so whoever wants to find them again needs
names from somewhere else: from the quads around them. RDF Dataset Canonicalization (RDFC-1.0)
makes such names by hashing quads and trying every order of the nodes that hash alike, which takes
forever where many do (a list of the same number a thousand times). Here the nodes are told apart
step by step, the way it is done for graph isomorphism (colour refinement): a node is named as soon
as the quads around it, with the names their other nodes have by then, are like no other node's.
Where nodes are left that all look alike, the first of them as the file has them is named; they are
exchangeable but for odd constructions, for which another order of the statements may give other
names. The time is almost in proportion to the number of quads.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypeAlias

import pyoxigraph as ox

Term: TypeAlias = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple | ox.DefaultGraph

_Said: TypeAlias = tuple[str | ox.BlankNode, ...]  # a quad: terms as text, but blank nodes

_OWN: Final = "_:own"
_OTHER: Final = "_:other"


def terms(quad: ox.Quad) -> tuple[Term, Term, Term, Term]:
    """Return the four terms of a quad."""
    return quad.subject, quad.predicate, quad.object, quad.graph_name


def names(quads: Iterable[ox.Quad]) -> dict[ox.BlankNode, str]:
    """Return the blank nodes of *quads*, which all differ, each with a name that is only its own.

    The names are the same for the same quads with other labels.
    """
    return _Naming(quads).names


class _Naming:
    """The state of naming: who is named, and the others in classes of those that look alike."""

    def __init__(self, quads: Iterable[ox.Quad]) -> None:
        self.names: dict[ox.BlankNode, str] = {}
        self._around: defaultdict[ox.BlankNode, list[_Said]] = defaultdict(list)
        for quad in quads:
            said = tuple(t if isinstance(t, ox.BlankNode) else str(t) for t in terms(quad))
            for node in dict.fromkeys(term for term in said if isinstance(term, ox.BlankNode)):
                self._around[node].append(said)
        self._order = {node: n for n, node in enumerate(self._around)}
        self._given: Counter[str] = Counter()
        self._look: dict[ox.BlankNode, str] = {}
        self._classes: defaultdict[str, set[ox.BlankNode]] = defaultdict(set)
        touched = set(self._around)
        while len(self.names) < len(self._around):
            named = self._name_the_distinct(touched) or self._name_by_colours()
            touched = {other for node in named for other in self._open_neighbours(node)}

    def _name_the_distinct(self, touched: Iterable[ox.BlankNode]) -> list[ox.BlankNode]:
        """Look again at the nodes *touched*, name those unlike any other, and return them."""
        changed: set[str] = set()
        for node in touched:
            if node in self._look:
                changed.add(self._look[node])
                self._classes[self._look[node]].discard(node)
            self._look[node] = self._hash(node, {})
            self._classes[self._look[node]].add(node)
            changed.add(self._look[node])
        ready = [
            (look, sorted(alike, key=self._order.__getitem__))
            for look in changed
            # Nodes alike between named ones only are exchangeable: all of them can be numbered.
            if len(alike := self._classes[look]) == 1
            or (alike and not any(True for _ in self._open_neighbours(next(iter(alike)))))
        ]
        return [node for look, alike in ready for node in self._give(look, alike)]

    def _name_by_colours(self) -> list[ox.BlankNode]:
        """Tell the nodes apart by what is further away, else choose one; return those named."""
        unnamed = [node for node in self._around if node not in self.names]
        colours = {node: self._look[node] for node in unnamed}
        kinds = len(set(colours.values()))
        while True:
            colours = {node: self._hash(node, colours) for node in unnamed}
            before, kinds = kinds, len(set(colours.values()))
            if kinds == before:
                break
        alike: defaultdict[str, list[ox.BlankNode]] = defaultdict(list)
        for node, colour in colours.items():
            alike[colour].append(node)
        distinct = [(colour, nodes) for colour, nodes in alike.items() if len(nodes) == 1]
        smallest = min(alike)
        chosen = distinct or [(smallest, alike[smallest][:1])]
        for _, nodes in chosen:
            for node in nodes:
                self._classes[self._look[node]].discard(node)
        return [node for colour, nodes in chosen for node in self._give(colour, nodes)]

    def _give(self, look: str, nodes: Iterable[ox.BlankNode]) -> Iterator[ox.BlankNode]:
        for node in nodes:
            self.names[node] = f"{look}.{self._given[look]}"
            self._given[look] += 1
            yield node
        self._classes.pop(look, None)

    def _open_neighbours(self, node: ox.BlankNode) -> Iterator[ox.BlankNode]:
        """Yield the other unnamed nodes of the quads around *node*."""
        for said in self._around[node]:
            for term in said:
                if isinstance(term, ox.BlankNode) and term != node and term not in self.names:
                    yield term

    def _hash(self, node: ox.BlankNode, colours: Mapping[ox.BlankNode, str]) -> str:
        """Return a hash of the quads around *node*, its unnamed neighbours by their colours."""

        def text(term: str | ox.BlankNode) -> str:
            if isinstance(term, str):
                return term
            if term == node:
                return _OWN
            name = self.names.get(term)
            return f"_:{name}" if name else _OTHER + colours.get(term, "")

        lines = sorted("\n".join(map(text, said)) for said in self._around[node])
        return hashlib.sha256("\n\n".join(lines).encode()).hexdigest()
