"""A query as it is sent: its declarations, its form, and the fields of the HTML form it goes in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final
from urllib.parse import urlencode

from kg.errors import QueryError
from kg.sparql import Graphs, Kind, QueryForm, Token, scan
from kg.sparql.words import FORMS

CONTENT_TYPE: Final = "application/x-www-form-urlencoded"

_SCHEME: Final = re.compile(r"<[A-Za-z][A-Za-z0-9+.-]*:")


def declared(text: str, prefixes: Mapping[str, str], base: str | None = None) -> str:
    """Return declarations that *text* lacks, in one line, to stand before it.

    Those of *prefixes* that it uses, and *base* where it has a relative IRI. One that the text
    declares as well is declared after these, and that is what counts.
    """
    if not prefixes and base is None:
        return ""
    try:
        tokens = list(scan(text))
    except QueryError:
        return ""  # the server says what is wrong
    said = f"BASE <{base}> " if base is not None and _is_relative(tokens) else ""
    used = {t.text.partition(":")[0] for t in tokens if t.kind is Kind.PREFIXED_NAME}
    return said + "".join(f"PREFIX {p}: <{iri}> " for p, iri in prefixes.items() if p in used)


def has_relative_iri(text: str) -> bool:
    """Say whether a query has an IRI that is relative to its base."""
    try:
        return _is_relative(scan(text))
    except QueryError:
        return False


def _is_relative(tokens: Iterable[Token]) -> bool:
    return any(t.kind is Kind.IRI and not _SCHEME.match(t.text) for t in tokens)


def form_of(text: str) -> QueryForm | None:
    """Return the form of a query by the word that begins it, or None where there is none."""
    try:
        return next((QueryForm(t.text.upper()) for t in scan(text) if t.is_word(*FORMS)), None)
    except QueryError:
        return None


def form(text: str, graphs: Graphs | None = None) -> bytes:
    """Return the content of a request that asks the query *text* of *graphs*.

    Raises :class:`~kg.errors.QueryError` for a text that no UTF-8 holds.
    """
    fields = [("query", text)]
    if graphs is not None:
        fields += [("default-graph-uri", iri) for iri in graphs.default]
        fields += [("named-graph-uri", iri) for iri in graphs.named]
    try:
        return urlencode(fields).encode("ascii")
    except UnicodeEncodeError:
        raise QueryError("the query holds half a character, which no text holds") from None
