"""A SPARQL 1.1 server, asked over HTTP what a store is asked: a ``kg serve``, or any other."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from typing import Final, TypeAlias, cast
from urllib.parse import urlencode, urlsplit

import pyoxigraph as ox

from kg.errors import EndpointError, QueryError, UsageError
from kg.formats import GRAPHS_BY_MEDIA_TYPE, SOLUTIONS_BY_MEDIA_TYPE
from kg.iris import DEFAULT_BASE
from kg.media_types import MediaType
from kg.namespaces import KG
from kg.remote import Address, Limits, Reply, ask, declared, form, form_of, refusal, words
from kg.remote.queries import CONTENT_TYPE, has_relative_iri
from kg.sparql import QueryForm
from kg.sparql.faults import fault

Result: TypeAlias = ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples

_SPARQL: Final = "/sparql"
_JSON: Final = {"Accept": "application/json"}

# What is asked for first is read fastest; the others are what some servers have instead.
_SOLUTIONS: Final = "application/sparql-results+json, application/sparql-results+xml;q=0.8"
_GRAPH: Final = (
    "application/n-triples, text/turtle;q=0.8, application/rdf+xml;q=0.5, application/ld+json;q=0.5"
)
_READ: Final = (ox.QueryResultsFormat.JSON, ox.QueryResultsFormat.XML, ox.QueryResultsFormat.TSV)

_RESULTS: Final = {QueryForm.SELECT: ox.QuerySolutions, QueryForm.ASK: ox.QueryBoolean}

_A_RECORD: Final = f"SELECT ?record {{ ?record a <{KG}Record> }} LIMIT 1"
_OF_A_RECORD: Final = re.compile(r"(https?://.+?/)record/")

_CAPS: Final = 1000
"""A server that cuts answers short and does not say so cuts them at a multiple of this."""


class Endpoint:
    """The endpoint at *url*: the address of a ``kg serve``, or that of any server's queries.

    Of an address without a path, ``/sparql`` is asked. *limits* are what is granted to the server,
    *token* is what it knows its client by (RFC 6750), and *tell* is told when it is waited for.
    *doubt* is told where an answer may be cut short: many servers do so without a word.
    Raises :class:`~kg.errors.UsageError` for an address that is none of HTTP.
    """

    def __init__(
        self,
        url: str,
        *,
        limits: Limits | None = None,
        token: str | None = None,
        tell: Callable[[str], object] = lambda _: None,
        doubt: Callable[[str], object] = lambda _: None,
    ) -> None:
        Address.of(url)
        parts = urlsplit(url)
        path = parts.path.rstrip("/")
        self.root = f"{parts.scheme}://{parts.netloc}{path.removesuffix(_SPARQL)}"
        is_whole = bool(path and not path.endswith(_SPARQL)) or bool(parts.query)
        self._given = url if is_whole else None
        self._limits = limits or Limits()
        self._secret = {} if token is None else {"Authorization": f"Bearer {token}"}
        self._tell = tell
        self._doubt = doubt

    @cached_property
    def sparql(self) -> Address:
        """The address that queries go to.

        One that is given with a path may be that of a ``kg serve`` behind others, which says so.
        """
        if self._given is not None and self._contents is None:
            return Address.of(self._given)
        return Address.of(f"{self.root}{_SPARQL}")

    def query(self, text: str, *, prefixes: Mapping[str, str] | None = None) -> Result:
        """Evaluate a SPARQL query, as :meth:`kg.store.Store.query` does.

        *prefixes* that the text uses and does not declare are declared in it, and so is the base of
        relative IRIs; without them those that the server knows count. Raises
        :class:`~kg.errors.QueryError` where it refuses the query, and
        :class:`~kg.errors.EndpointError` where there is no answer, or no whole one.
        """
        base = self.base if prefixes and has_relative_iri(text) else None
        declarations = declared(text, prefixes or {}, base)
        return self._asked(declarations, text)

    def search(self, text: str, kinds: Collection[str], limit: int) -> bytes:
        """Return the answer to a search by name as JSON; without *kinds* among things of all.

        Raises :class:`~kg.errors.UsageError` where the search is refused, and
        :class:`~kg.errors.EndpointError` where there is no answer.
        """
        asked = [("q", text), *(("kind", kind) for kind in kinds), ("limit", str(limit))]
        address = f"{self.root}/search?{urlencode(asked, errors='replace')}"
        return self._fetch(address, None, _JSON)[1]

    @cached_property
    def base(self) -> str:
        """The IRI below which the things of the served graph have theirs.

        A ``kg serve`` says which it is; of another server, the IRI of a source record does, and
        without one it is the base that builds have by default. Raises
        :class:`~kg.errors.EndpointError` where no endpoint answers.
        """
        if self._contents is not None:
            return self._contents["base"]
        found = next(cast("ox.QuerySolutions", self._asked("", _A_RECORD)), None)
        record = found["record"] if found is not None else None
        match = _OF_A_RECORD.match(record.value) if isinstance(record, ox.NamedNode) else None
        return match[1] if match else DEFAULT_BASE

    @cached_property
    def _contents(self) -> Mapping[str, str] | None:
        """What a ``kg serve`` says of itself, None where what answers is none."""
        reply = self._sent(f"{self.root}/", None, _JSON)
        try:
            found = json.loads(reply.content)
        except (ValueError, RecursionError):
            return None
        is_ours = isinstance(found, dict) and "paperkg" in found
        return found if is_ours and isinstance(found.get("base"), str) else None

    def _asked(self, declarations: str, text: str) -> Result:
        form_ = form_of(text)
        formats = f"{_SOLUTIONS}, {_GRAPH}"
        if form_ is not None:  # servers differ in what they make of both at once
            formats = _GRAPH if form_.is_graph else _SOLUTIONS
        headers = {"Content-Type": CONTENT_TYPE, "Accept": formats}
        content = form(f"{declarations}{text}")
        answer = self._fetch(str(self.sparql), content, headers, text, len(declarations))
        result, size = self._read(*answer, is_graph=form_ is not None and form_.is_graph)
        if form_ is not None and not isinstance(result, _RESULTS.get(form_, ox.QueryTriples)):
            raise EndpointError(
                f"{self.root}: what answers is no SPARQL endpoint;"
                f" its answer to {form_} is one to another query"
            )
        self._look_at_size(text, size)
        return result

    def _look_at_size(self, text: str, size: int) -> None:
        """Say where an answer has as many rows or triples as a server may give at most."""
        if size and size % _CAPS == 0 and not re.search(rf"(?i)\blimit\s+{size}\b", text):
            if self._contents is not None:  # a kg serve gives all that there is, or an error
                return
            self._doubt(
                f"{self.root}: it gives exactly {size:,} rows, which may be as many as it gives to"
                " anybody and not all there are; ask it for COUNT(*), or for parts with ORDER BY,"
                " LIMIT and OFFSET"
            )

    def _fetch(
        self,
        address: str,
        content: bytes | None,
        headers: Mapping[str, str],
        text: str = "",
        added: int = 0,
    ) -> tuple[str, bytes]:
        """Return the media type and the body of an answer that is one.

        *text* is the query that *content* asks, before which *added* characters stand there.
        """
        reply = self._sent(address, content, headers)
        if reply.status != 200:
            raise self._refusal(reply, text, added)
        return reply.content_type, reply.content

    def _sent(self, address: str, content: bytes | None, headers: Mapping[str, str]) -> Reply:
        sent = {**headers, **self._secret}
        return ask(Address.of(address), content, sent, limits=self._limits, tell=self._tell)

    def _read(self, media_type: str, content: bytes, *, is_graph: bool) -> tuple[Result, int]:
        """Return an answer, and how many rows or triples it has."""
        try:
            essence = MediaType.parse(media_type).essence
        except ValueError:
            essence = ""
        solutions = SOLUTIONS_BY_MEDIA_TYPE.get(essence)
        graph = GRAPHS_BY_MEDIA_TYPE.get(essence)
        try:
            # Both kinds have names such as application/json.
            if solutions is not None and solutions.engine in _READ and not (graph and is_graph):
                return _solutions(content, solutions.engine)
            if graph is not None:
                return _graph(content, graph.engine)
        except (ValueError, SyntaxError) as error:
            raise EndpointError(
                f"{self.root}: its answer is broken or cut ({essence}: {error})"
            ) from error
        raise EndpointError(
            f"{self.root}: it answers with {media_type or 'no Content-Type'}"
            " and not as a SPARQL endpoint does"
        )

    def _refusal(self, reply: Reply, text: str, added: int) -> Exception:
        """Return the error for a reply that is no answer: that of the same fault in a store."""
        problem = _problem(reply)
        said = words(reply.content_type, reply.content)
        if reply.status == 400 and "line" in problem:
            return _at_its_place(problem, said, text, added)
        if reply.status == 400 and said:
            return (UsageError if "parameter" in problem else QueryError)(said)
        return EndpointError(f"{self.root}: {refusal(reply.status, said)}")


def _problem(reply: Reply) -> Mapping[str, object]:
    """Return the problem detail (RFC 9457) that a reply is, or nothing."""
    try:
        found = json.loads(reply.content)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _at_its_place(problem: Mapping[str, object], detail: str, text: str, added: int) -> QueryError:
    line, column = (problem.get(name) for name in ("line", "column"))
    line = line if isinstance(line, int) else None
    column = column if isinstance(column, int) else None
    if line == 1 and column is not None and added:
        # The declarations stand before the text, in its first line, and in its excerpt.
        sentence, _, rest = detail.partition(f" (line 1, column {column})")
        return fault(text, column - 1 - added, sentence, hint=rest.removeprefix("; "))
    excerpt = problem.get("excerpt")
    return QueryError(f"{detail}\n{excerpt}" if excerpt else detail, line=line, column=column)


def _solutions(body: bytes, format_: ox.QueryResultsFormat) -> tuple[Result, int]:
    # The engine reads rows only when they are asked for, and a yes or no not to its end: what is
    # broken or cut would come to light in the middle of what is made of the answer, or never.
    result = ox.parse_query_results(body, format=format_)
    if isinstance(result, ox.QueryBoolean):
        if format_ == ox.QueryResultsFormat.JSON:
            json.loads(body)
        return result, 0
    size = sum(1 for _ in result)
    return ox.parse_query_results(body, format=format_), size


def _graph(body: bytes, format_: ox.RdfFormat) -> tuple[Result, int]:
    store = ox.Store()
    store.load(body, format=format_)
    return store.query("CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }"), len(store)
