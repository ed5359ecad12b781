"""A graph, open or connected, and the questions that it takes."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Final, Self, TypeAlias, TypeVar, cast

import pyoxigraph as ox
import rdflib

from kg import builder, namespaces
from kg.builder import BuildReport
from kg.catalogue import Catalogue, Value
from kg.catalogue.canned import LIMIT
from kg.describing import Describer, thing_iri
from kg.endpoint import Endpoint
from kg.errors import EndpointError, StoreError, UsageError
from kg.graph.interruptible import interruptible
from kg.graph.notices import warn
from kg.graph.results import Results, Truth
from kg.graph.triples import Triples, rdflib_graph
from kg.iris import DEFAULT_BASE
from kg.opened import Answer, Opened
from kg.report import REFUSED, UNREADABLE, errors
from kg.search import FILE, Hit, Index, hits_of
from kg.search import LIMIT as SEARCH_LIMIT
from kg.sparql import check
from kg.store import reason

Query: TypeAlias = Callable[[str], Answer]
"""Evaluates a query that has been checked, in which the project's prefixes are known."""

Search: TypeAlias = Callable[[str, tuple[str, ...], int], list[Hit]]
"""Searches for a text among things of some kinds (none: all), with a limit."""

T = TypeVar("T")

_ALL: Final = "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }"


class Graph:
    """A graph of papers that answers questions.

    It is had by :meth:`open`, :meth:`connect` or :meth:`build` (``kg.open`` and so on) and answers
    in the same way however that was. *query* evaluates, *base* is the IRI below which the graph's
    things have theirs, *place* says to people where the graph is. *queries* is a folder with canned
    queries of one's own (:meth:`kg.catalogue.Catalogue.with_own`), to be asked beside ours.
    *search* searches by name. With *in_thread*, queries are evaluated beside the main thread, so
    that Ctrl-C gives the prompt back while the engine works, which goes on unheard.

    A graph that was opened stays the snapshot that was current then; open it again after a build.
    """

    def __init__(
        self,
        query: Query,
        *,
        base: str,
        place: str,
        queries: str | Path | None = None,
        search: Search | None = None,
        in_thread: bool = False,
    ) -> None:
        self._query = query
        self._in_thread = in_thread
        self._search = search
        self._catalogue = Catalogue.load()
        if queries is not None:
            self._catalogue = self._catalogue.with_own(Path(queries))
            for note in self._catalogue.notes:
                warn(note)
        self.base = base
        self.place = place
        self.prefixes = namespaces.prefixes(base)
        self.report: BuildReport | None = None
        """What :meth:`build` did; None where the graph was built before."""

    @classmethod
    def open(cls, store_dir: str | Path, *, queries: str | Path | None = None) -> Self:
        """Open the current snapshot of the store in the folder *store_dir*.

        Raises :class:`~kg.errors.StoreError` where there is none.
        """
        opened = Opened.at(store_dir)
        file = opened.snapshot.path / FILE
        # Now, because a later build may clear the file away.
        index = Index.open(file) if file.is_file() else None
        graph = cls(
            opened.query,
            base=opened.base,
            place=f"{store_dir}, snapshot {opened.snapshot.id}",
            queries=queries,
            search=index.search if index else None,
            in_thread=True,
        )
        if index:
            weakref.finalize(graph, index.close)
        return graph

    @classmethod
    def connect(cls, url: str, *, queries: str | Path | None = None) -> Self:
        """Connect to the endpoint of a running ``kg serve`` at *url*, or to that of another server.

        Where the answer of another server may be cut short, a :class:`~kg.graph.GraphWarning` says
        so. Raises :class:`~kg.errors.EndpointError` where none answers.
        """
        endpoint = Endpoint(url, doubt=warn)
        prefixes = namespaces.prefixes(endpoint.base)
        return cls(
            lambda text: endpoint.query(text, prefixes=prefixes),
            base=endpoint.base,
            place=endpoint.root,
            queries=queries,
            search=partial(_searched, endpoint),
        )

    @classmethod
    def build(
        cls,
        *inputs: str | Path,
        store_dir: str | Path | None = None,
        base: str = DEFAULT_BASE,
        strict: bool = False,
        queries: str | Path | None = None,
    ) -> Self:
        """Build a graph of the records of *inputs* (files, folders, glob patterns) and open it.

        The store is written to *store_dir*; without it the graph lives as long as this object.
        *base* and *strict* are those of ``kg build``, and what is raised is what
        :func:`kg.builder.build` raises. What was refused or could not be read is warned of
        (:class:`~kg.graph.GraphWarning`) and is in :attr:`report`.
        """
        if not inputs:
            raise UsageError("there is nothing to build from; give files, folders or patterns")
        folder = Path(store_dir or tempfile.mkdtemp(prefix="paperkg-"))
        drop = partial(shutil.rmtree, folder, ignore_errors=True)
        try:
            report = builder.build(inputs, folder, base=base, strict=strict)
            graph = cls.open(folder, queries=queries)
        except BaseException:
            if store_dir is None:
                drop()
            raise
        if store_dir is None:
            graph.place = f"records, snapshot {report.snapshot.id}"
            weakref.finalize(graph, drop)
        graph.report = report
        if report.exit_code:
            warn(f"not all of the input is in the graph: {_refusals(report)}")
        return graph

    def ask(self, name: str, /, **parameters: Value) -> Results:
        """Ask the canned query *name* with *parameters*; :meth:`queries` lists them all.

        A thing is given by its slug, its CURIE or its IRI. Where there are as many rows as the
        query's own limit allows, a :class:`~kg.graph.GraphWarning` says that there may be more.

        Raises :class:`~kg.errors.UsageError` for a name that is none, and
        :class:`~kg.errors.ParameterError` for a parameter that is unknown, missing or wrong.
        """
        query = self._catalogue.get(name)
        results = self._answer(query.bind(parameters, self.base))
        if LIMIT not in parameters and query.fills_limit(parameters, len(results), self.base):
            warn(f"{name} gives {len(results)} rows at most, and there may be more: give a limit=")
        return results

    def sparql(self, text: str) -> Results:
        """Ask a SPARQL 1.1 query, in which the project's prefixes need no declaration.

        The answer to CONSTRUCT and DESCRIBE is :class:`~kg.graph.Triples`, to ASK a
        :class:`~kg.graph.Truth`. Raises :class:`~kg.errors.QueryError` for what is no query.
        """
        check(text, self.prefixes, self.base)
        return self._answer(text)

    def search(
        self, text: str, kinds: str | Iterable[str] = (), *, limit: int = SEARCH_LIMIT
    ) -> Results:
        """Find papers, datasets, methods and tasks by name, the nearest first.

        All words of *text* must stand in the names of a thing; *kinds* is a kind or some of them.
        Each row has the kind of a thing, its name, what tells it from others of that name, its slug
        and its IRI. Raises :class:`~kg.errors.UsageError` for a kind that is none,
        :class:`~kg.errors.StoreError` where the snapshot has no index of names, and
        :class:`~kg.errors.EndpointError` where the endpoint has no search.
        """
        if self._search is None:
            raise StoreError(f"{self.place}: it has no index of names; kg build makes one")
        chosen = (kinds,) if isinstance(kinds, str) else tuple(kinds)
        rows = [
            (
                ox.Literal(hit.kind),
                ox.Literal(hit.name),
                ox.Literal(hit.detail) if hit.detail else None,
                ox.Literal(hit.slug) if hit.slug is not None else None,
                ox.NamedNode(hit.iri),
            )
            for hit in self._search(text, chosen, limit)
        ]
        return Results(("kind", "name", "detail", "slug", "iri"), rows, self.prefixes)

    def describe(self, thing: str) -> Triples:
        """Return what the graph says of *thing*, an IRI or a CURIE, and of its parts.

        Raises :class:`~kg.errors.UsageError` where *thing* is neither, or not in the graph.
        """
        iri = thing_iri(thing, self.base, self.prefixes)
        description = Describer(self._construct).description(iri)
        if not description:
            raise UsageError(f"{iri} is not in this graph ({self.place})")
        return Triples.of(description, self.prefixes)

    def to_rdflib(self) -> rdflib.Graph:
        """Return an rdflib graph with a copy of all triples of the default graph.

        It lives in memory, in which rdflib needs about a kilobyte for a triple.
        """
        return rdflib_graph(self._construct(_ALL), self.prefixes)

    def queries(self) -> Results:
        """Return the canned queries: their names, what they answer and which parameters they take.

        A parameter in brackets may be left out.
        """
        rows = [
            (
                ox.Literal(query.name),
                ox.Literal(query.title),
                ox.Literal(
                    ", ".join(p.name if p.required else f"[{p.name}]" for p in query.parameters)
                ),
            )
            for query in self._catalogue
        ]
        return Results(("name", "title", "parameters"), rows, self.prefixes)

    def __len__(self) -> int:
        """Return how many triples the default graph has."""
        return int(str(self.sparql("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }")[0]["n"]))

    def __bool__(self) -> bool:
        return True  # a graph without triples is one

    def __repr__(self) -> str:
        return f"<kg.Graph of {self.place}>"

    def _construct(self, text: str) -> Iterator[ox.Triple]:
        return self._read(cast("ox.QueryTriples", self._query(text)))

    def _answer(self, text: str) -> Results:
        answered = partial(self._answered, text)
        return interruptible(answered) if self._in_thread else answered()

    def _answered(self, text: str) -> Results:
        # Read to the end here: a result of the engine belongs to the thread that asked for it.
        answer = self._query(text)
        if isinstance(answer, ox.QueryBoolean):
            return Truth.of(bool(answer))
        if isinstance(answer, ox.QueryTriples):
            return Triples.of(sorted(set(self._read(answer)), key=str), self.prefixes)
        columns = [variable.value for variable in answer.variables]
        return Results(columns, [tuple(s) for s in self._read(answer)], self.prefixes)

    def _read(self, answer: Iterable[T]) -> Iterator[T]:
        try:
            yield from answer
        except OSError as error:
            raise StoreError(f"{self.place}: {reason(error)}") from error


def _searched(endpoint: Endpoint, text: str, kinds: tuple[str, ...], limit: int) -> list[Hit]:
    try:
        return hits_of(endpoint.search(text, kinds, limit))
    except ValueError:
        raise EndpointError(f"{endpoint.root}: what answers has no search by name") from None


def _refusals(report: BuildReport) -> str:
    """Return what a build left out, in a line, and where its report is."""
    counts = ", ".join(
        f"{kind}: {report.kinds[kind]}" for kind in (REFUSED, UNREADABLE) if report.kinds.get(kind)
    )
    first = errors(report.first)[0]
    return f"{counts} (the first: {first}); graph.report has more"
