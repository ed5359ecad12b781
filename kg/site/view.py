"""The graph as a page reads it: excerpts, bounded look-ups, and links with names."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

import pyoxigraph as ox

from kg.describing import Describer, in_store
from kg.namespaces import KG, VOCAB
from kg.site import wording
from kg.site.addresses import Addresses
from kg.site.facts import Excerpt, Row
from kg.store import Store

_NAMING: Final = (
    "http://www.w3.org/2000/01/rdf-schema#label",
    "http://purl.org/dc/terms/title",
    "http://www.w3.org/2004/02/skos/core#prefLabel",
    f"{KG}entryPoint",
    f"{KG}modelName",
    f"{KG}sha256Prefix",
    f"{KG}paperTitle",
    "http://xmlns.com/foaf/0.1/page",
    f"{KG}slug",
)
"""Properties that give a name, the best first."""

_AT_ONCE: Final = 500


@dataclass(frozen=True, slots=True)
class Link:
    """A *text* that leads to *href*, or nowhere; *is_outside* where that is another server."""

    text: str
    href: str | None
    is_outside: bool = False
    note: str = ""

    def __bool__(self) -> bool:
        return bool(self.text)


class View:
    """What one page reads of *store*, whose things have the *addresses* that its links lead to.

    It belongs to one thread: names that were looked up are kept for the rest of the page.
    """

    def __init__(self, store: Store, addresses: Addresses, prefixes: Mapping[str, str]) -> None:
        self._store = store
        self._prefixes = prefixes
        self._names: dict[str, str] = {}
        self.addresses = addresses

    def description(self, iri: str) -> list[ox.Triple]:
        """Return the triples of a thing and of its parts; none where the graph has none."""
        try:
            node = ox.NamedNode(iri)
        except ValueError:
            return []
        return Describer(in_store(self._store)).description(node)

    def excerpt(self, triples: Iterable[ox.Triple]) -> Excerpt:
        """Return *triples* as an excerpt, and learn the names of what they mention."""
        excerpt = Excerpt(triples, self._prefixes)
        self.learn(excerpt.mentioned)
        return excerpt

    def rows(self, text: str) -> list[Row]:
        """Return the solutions of a query of ours, in which the project's prefixes are known."""
        answer = cast("ox.QuerySolutions", self._store.query(text, prefixes=self._prefixes))
        names = [variable.value for variable in answer.variables]
        rows = []
        for solution in answer:
            bound = ((name, solution[name]) for name in names)
            rows.append(
                {n: term for n, term in bound if isinstance(term, ox.NamedNode | ox.Literal)}
            )
        return rows

    def iris(self, text: str) -> list[str]:
        """Return the IRIs that the first variable of a query of ours is bound to, of many."""
        answer = cast("ox.QuerySolutions", self._store.query(text, prefixes=self._prefixes))
        found = (solution[0] for solution in answer)
        return [term.value for term in found if isinstance(term, ox.NamedNode)]

    def has(self, iri: str) -> bool:
        """Say whether anything is said of *iri*."""
        try:
            node = ox.NamedNode(iri)
        except ValueError:
            return False
        return bool(cast("ox.QueryBoolean", self._store.query(f"ASK {{ {node} ?p ?o }}")))

    def triples(self, iris: Collection[str]) -> list[ox.Triple]:
        """Return the triples of which some things are the subjects."""
        return [t for some in _pieces(iris) for t in in_store(self._store)(_about(some, ()))]

    def said(self, iris: Collection[str], *properties: str) -> Excerpt:
        """Return what is said of some things themselves, by *properties* (CURIEs) or by any.

        The names of what it mentions are learnt too.
        """
        excerpt = Excerpt((), self._prefixes)
        names = [excerpt.expand(name) for name in properties]
        for some in _pieces(iris):
            excerpt.add(in_store(self._store)(_about(some, names)))
        self.learn(excerpt.mentioned)
        return excerpt

    def learn(self, iris: Iterable[str]) -> None:
        """Look up the names of things of ours, all at once."""
        own = [self.addresses.base, VOCAB]
        wanted = sorted({i for i in iris if i not in self._names and i.startswith(tuple(own))})
        for start in range(0, len(wanted), _AT_ONCE):
            self._learn(wanted[start : start + _AT_ONCE])

    def name(self, iri: str) -> str:
        """Return what a thing is called, or the end of its IRI."""
        if iri not in self._names:
            self.learn([iri])
        return self._names.get(iri) or wording.licence_name(iri) or wording.last_part(iri)

    def link(self, iri: str | None, text: str | None = None, note: str = "") -> Link:
        """Return a link to a thing or a page, by its name if no *text* is given."""
        if iri is None:
            return Link(text or "", None, note=note)
        is_ours = self.addresses.path(iri) is not None
        text = text or (self.name(iri) if is_ours else wording.licence_name(iri) or iri)
        return Link(text, self.addresses.href(iri), not is_ours, note)

    def links(self, iris: Iterable[str]) -> list[Link]:
        """Return links to several things, in the order of their names."""
        iris = list(iris)
        self.learn(iris)
        return sorted((self.link(iri) for iri in iris), key=lambda link: link.text.casefold())

    def _learn(self, iris: list[str]) -> None:
        nodes = " ".join(f"<{iri}>" for iri in iris)
        wanted = ", ".join(f"<{property_}>" for property_ in _NAMING)
        found: dict[str, dict[str, str]] = {iri: {} for iri in iris}
        text = f"SELECT ?s ?p ?o {{ VALUES ?s {{ {nodes} }} ?s ?p ?o FILTER(?p IN ({wanted})) }}"
        for row in self.rows(text):
            found[row["s"].value].setdefault(row["p"].value, row["o"].value)
        boards = [iri for iri in iris if iri.startswith(f"{self.addresses.base}leaderboard/")]
        for iri, names in found.items():
            name = next((names[p] for p in _NAMING if names.get(p, "").strip()), None)
            if name is not None and name == names.get("http://xmlns.com/foaf/0.1/page"):
                name = wording.repository_name(name)
            if name is not None:
                self._names[iri] = name
        if boards:
            self._name_leaderboards(boards)

    def _name_leaderboards(self, iris: list[str]) -> None:
        """Leaderboards have no name of their own: they are a task on a dataset."""
        nodes = " ".join(f"<{iri}>" for iri in iris)
        text = (
            f"SELECT ?s ?task ?dataset {{ VALUES ?s {{ {nodes} }}"
            " OPTIONAL { ?s kg:task/rdfs:label ?task }"
            " OPTIONAL { ?s kg:dataset/rdfs:label ?dataset } }"
        )
        for row in self.rows(text):
            parts = [row[name].value for name in ("task", "dataset") if name in row]
            if parts:
                self._names[row["s"].value] = " on ".join(parts)


def _pieces(iris: Collection[str]) -> Iterator[list[str]]:
    """Yield *iris*, each once, in lists that a query can hold."""
    wanted = [iri for iri in dict.fromkeys(iris) if iri]
    for start in range(0, len(wanted), _AT_ONCE):
        yield wanted[start : start + _AT_ONCE]


def _about(iris: Sequence[str], properties: Sequence[str]) -> str:
    """Return the query for what is said of things, by some properties (IRIs) if there are any."""
    nodes = " ".join(f"<{iri}>" for iri in iris)
    wanted = ", ".join(f"<{iri}>" for iri in properties)
    condition = f" FILTER(?p IN ({wanted}))" if wanted else ""
    return f"CONSTRUCT {{ ?s ?p ?o }} {{ VALUES ?s {{ {nodes} }} ?s ?p ?o{condition} }}"
