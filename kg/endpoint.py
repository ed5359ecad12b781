"""A running ``kg serve``, asked over HTTP what a store is asked."""

from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from functools import cached_property
from typing import Final, TypeAlias
from urllib.parse import urlsplit, urlunsplit

import pyoxigraph as ox

from kg import __version__
from kg.errors import EndpointError, QueryError, UsageError
from kg.media_types import MediaType
from kg.sparql import Kind, scan
from kg.sparql.faults import fault

Result: TypeAlias = ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples

_SPARQL: Final = "/sparql"
_SOLUTIONS: Final = "application/sparql-results+json"
_GRAPH: Final = "application/n-triples"

TIMEOUT: Final = 300.0
"""Seconds that an endpoint may be silent."""


class Endpoint:
    """The endpoint at *url*: the address of a ``kg serve``, or that of its ``/sparql``.

    *timeout* is how many seconds it may be silent. Raises :class:`~kg.errors.UsageError` for an
    address that is none of HTTP.
    """

    def __init__(self, url: str, *, timeout: float = TIMEOUT) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise UsageError(f"{url!r} is no address of an endpoint; it begins with http://")
        path = parts.path.rstrip("/").removesuffix(_SPARQL)
        self.root = urlunsplit((parts.scheme, parts.netloc, path, "", ""))
        self._timeout = timeout

    def query(self, text: str, *, prefixes: Mapping[str, str] | None = None) -> Result:
        """Evaluate a SPARQL query, as :meth:`kg.store.Store.query` does.

        *prefixes* that the text uses and does not declare are declared in it; without them those
        that the server knows count. Raises :class:`~kg.errors.QueryError` where it refuses the
        query, and :class:`~kg.errors.EndpointError` where there is no answer, or no whole one.
        """
        declarations = _declarations(text, prefixes or {})
        try:
            content = f"{declarations}{text}".encode()
        except UnicodeEncodeError:
            raise QueryError("the query holds half a character, which no text holds") from None
        headers = {
            "Content-Type": "application/sparql-query",
            "Accept": f"{_SOLUTIONS}, {_GRAPH}",
        }
        address = f"{self.root}{_SPARQL}"
        return self._read(*self._fetch(address, content, headers, text, len(declarations)))

    @cached_property
    def base(self) -> str:
        """The IRI below which the things of the served store have theirs.

        Raises :class:`~kg.errors.EndpointError` where no ``kg serve`` answers.
        """
        _, content = self._fetch(f"{self.root}/", None, {})
        try:
            return str(json.loads(content)["base"])
        except (ValueError, KeyError, TypeError):
            raise EndpointError(f"{self.root}: what answers is no kg serve") from None

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
        headers = {"User-Agent": f"paperkg/{__version__}", **headers}
        request = urllib.request.Request(address, content, headers)  # noqa: S310 - HTTP: see __init__
        try:
            with urllib.request.urlopen(request, timeout=self._timeout) as response:  # noqa: S310 - as above
                return response.headers.get("Content-Type", ""), response.read()
        except urllib.error.HTTPError as error:
            with error:
                raise self._refusal(error, text, added) from None
        except (OSError, http.client.HTTPException) as error:
            raise EndpointError(f"{self.root}: {_reason(error)}") from error

    def _read(self, media_type: str, body: bytes) -> Result:
        try:
            essence = MediaType.parse(media_type).essence
        except ValueError:
            essence = ""
        try:
            if essence == _SOLUTIONS:
                return _solutions(body)
            if essence == _GRAPH:
                return _graph(body)
        except (ValueError, SyntaxError) as error:
            raise EndpointError(
                f"{self.root}: its answer is broken or cut ({essence}: {error})"
            ) from error
        raise EndpointError(
            f"{self.root}: it answers with {media_type or 'no Content-Type'}"
            " and not as a SPARQL endpoint does"
        )

    def _refusal(self, error: urllib.error.HTTPError, text: str, added: int) -> Exception:
        """Return the error for an answer that is none: that of the same fault in a store."""
        try:
            problem = json.loads(error.read())
            detail = str(problem["detail"])
        except (ValueError, KeyError, TypeError, OSError, http.client.HTTPException):
            return EndpointError(f"{self.root}: it answers {error.code} {error.reason}")
        if error.code not in (400, 404):
            return EndpointError(f"{self.root}: {detail}")
        if "line" in problem:
            excerpt = problem.get("excerpt")
            line, column = problem["line"], problem.get("column")
            if line == 1 and column is not None and added:
                # The declarations stand before the text, in its first line, and in its excerpt.
                sentence, _, rest = detail.partition(f" (line 1, column {column})")
                return fault(text, column - 1 - added, sentence, hint=rest.removeprefix("; "))
            shown = f"{detail}\n{excerpt}" if excerpt else detail
            return QueryError(shown, line=line, column=column)
        return UsageError(detail)


def _declarations(text: str, prefixes: Mapping[str, str]) -> str:
    """Return declarations of the prefixes that *text* uses, in one line."""
    if not prefixes:
        return ""
    try:
        tokens = list(scan(text))
    except QueryError:
        return ""  # the server says what is wrong
    used = {t.text.partition(":")[0] for t in tokens if t.kind is Kind.PREFIXED_NAME}
    # One that the text declares as well is declared after these, and that is what counts.
    return "".join(f"PREFIX {p}: <{iri}> " for p, iri in prefixes.items() if p in used)


def _solutions(body: bytes) -> Result:
    # The engine reads rows only when they are asked for, and a yes or no not to its end: what is
    # broken or cut would come to light in the middle of what is made of the answer, or never.
    json_results = ox.QueryResultsFormat.JSON
    result = ox.parse_query_results(body, format=json_results)
    if isinstance(result, ox.QueryBoolean):
        json.loads(body)
        return result
    for _ in result:
        pass
    return ox.parse_query_results(body, format=json_results)


def _graph(body: bytes) -> Result:
    store = ox.Store()
    store.load(body, format=ox.RdfFormat.N_TRIPLES)
    return store.query("CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }")


def _reason(error: Exception) -> str:
    if isinstance(error, http.client.IncompleteRead):
        return "the answer broke off"
    if isinstance(error, urllib.error.URLError) and isinstance(error.reason, OSError):
        error = error.reason
    if isinstance(error, TimeoutError):
        return "it does not answer in time"
    if isinstance(error, OSError) and error.strerror:
        return f"it cannot be reached: {error.strerror}"
    return f"it cannot be reached: {error}"
