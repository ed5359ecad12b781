"""The canned queries as pages: a form each, and the answer below it; every state is an address."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from kg import namespaces
from kg.catalogue import CannedQuery, Catalogue, Parameter
from kg.catalogue.canned import LIMIT
from kg.catalogue.header import FORMAT
from kg.catalogue.iri_values import KINDS
from kg.curies import Curies
from kg.errors import ParameterError
from kg.iris import Minter
from kg.search import KINDS as SEARCHED
from kg.search import Index
from kg.site import snippets
from kg.site.fields import fields
from kg.site.highlighting import highlighted
from kg.site.page import Page
from kg.site.solutions import ROWS, Beginning, told
from kg.site.view import Link, View

_NEAR: Final = 5
_GROUPS: Final = (
    ("Leaderboards", ("leaderboard", "state-of-the-art", "no-additional-data", "best-result")),
    ("Papers", ("author-papers", "venue-papers", "task-papers", "paper-results", "paper-methods")),
    (
        "Code and samples",
        (
            "paper-code",
            "paper-samples",
            "papers-that-ran",
            "permissive-code",
            "frameworks",
            "same-code",
        ),
    ),
    ("Datasets, tasks, methods", ("datasets", "dataset-card", "subtasks", "methods-together")),
    ("The graph itself", ("class-counts", "identifiers", "provenance", "oddities")),
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A canned query as an address asks it: what was *given*, and what is wrong with it.

    *text* is the query that is to be evaluated, or None where there is none yet; of what it may
    find at most as many rows are asked for as a page shows.
    """

    query: CannedQuery
    given: Mapping[str, str]
    errors: Mapping[str, str]
    text: str | None
    full_text: str | None


def asked(query: CannedQuery, parameters: Sequence[tuple[str, str]], base: str) -> Asked:
    """Read the parameters of an address; those that a form sent empty are not given."""
    given = {name: value for name, value in parameters if value and name != FORMAT}
    twice = [name for name, n in Counter(name for name, _ in parameters).items() if n > 1]
    if twice:
        return Asked(query, given, dict.fromkeys(twice, "this is given twice"), None, None)
    missing = [one.name for one in query.parameters if one.required and one.name not in given]
    if missing:
        # An address with nothing is that of the empty form.
        wrong = dict.fromkeys(missing, "this is needed") if given else {}
        return Asked(query, given, wrong, None, None)
    try:
        text = query.bind(given, base)
        return Asked(query, given, {}, _bounded(query, given, base) or text, text)
    except ParameterError as error:
        return Asked(query, given, {error.parameter: str(error)}, None, None)


def listing_page(catalogue: Catalogue, view: View) -> Page:
    """Return the list of the canned queries, by what they are about."""
    left = dict(catalogue.queries)
    groups = []
    for title, names in _GROUPS:
        found = [left.pop(name) for name in names if name in left]
        groups.append(
            (title, [(one, view.addresses.here(f"/queries/{one.name}")) for one in found])
        )
    rest = [(one, view.addresses.here(f"/queries/{one.name}")) for one in left.values()]
    return Page(
        "Queries",
        "queries.html",
        {"groups": [(title, found) for title, found in (*groups, ("Further", rest)) if found]},
        summary="Questions that are ready to ask.",
    )


def page(
    question: Asked,
    beginning: Beginning | None,
    fault: str | None,
    view: View,
    *,
    curies: Curies,
    counts: Mapping[str, int],
    names: Index | None,
    root: str,
    status: int,
) -> Page:
    """Return the page of a canned query: its form, and the *beginning* of its answer below.

    *fault* is what went wrong with the evaluation, in words.
    """
    query, given = question.query, question.given
    answer = told(beginning, view, curies) if beginning is not None else None
    here = view.addresses.here(f"/queries/{query.name}")
    parameters = {one.name for one in query.parameters}
    # Nothing was found, or nothing can be: the name that was meant may be another.
    is_odd = bool(question.errors) or (answer is not None and not answer.rows)
    return Page(
        query.title,
        "query.html",
        {
            "query": query,
            "here": here,
            "errors": [text for name, text in question.errors.items() if name not in parameters],
            "fields": fields(query, given, question.errors, view, counts),
            "given": given,
            "example": f"{here}?{urlencode(_example(query))}",
            "near": _near(question, names, view) if is_odd and names is not None else [],
            "answer": answer,
            "fault": fault,
            "sparql": highlighted(_bare(question.full_text or query.text)),
            "sparql_text": _bare(question.full_text) if question.full_text else None,
            "downloads": _downloads(here, given) if answer is not None else [],
            "snippets": snippets.of_canned(query, given, root) if answer is not None else [],
            "shown": ROWS,
        },
        summary=query.description,
        status=status,
    )


def _bare(text: str) -> str:
    """Return a canned query without its header, which the form tells."""
    return "\n".join(line for line in text.splitlines() if not line.startswith("#+"))


def _bounded(query: CannedQuery, given: Mapping[str, str], base: str) -> str | None:
    """Return the query with no larger LIMIT than a page shows, or None where it has none."""
    limit = query.terms(given, base).get(LIMIT)
    if limit is None or int(limit.value) <= ROWS:
        return None
    return query.bind({**given, LIMIT: str(ROWS + 1)}, base)


def _example(query: CannedQuery) -> dict[str, str]:
    return {one.name: one.example for one in query.parameters if one.required}


def _downloads(here: str, given: Mapping[str, str]) -> list[Link]:
    return [
        Link(name, f"{here}?{urlencode({**given, FORMAT: format_})}")
        for name, format_ in (("CSV", "csv"), ("JSON", "json"), ("TSV", "tsv"), ("XML", "xml"))
    ]


def _near(question: Asked, names: Index, view: View) -> list[tuple[str, list[Link]]]:
    """Return for each value that names nothing of the graph the things that it may mean."""
    found = []
    for one in question.query.parameters:
        value, space = question.given.get(one.name), one.space
        if value is None or space is None or space.is_scheme:
            continue
        kind = KINDS[space.name]
        if kind not in SEARCHED or _is_known(one, value, view):
            continue
        hits = names.search(value, [kind], _NEAR)
        beginning = space.namespace(view.addresses.base)
        links = [
            Link(
                hit.name,
                f"?{urlencode({**question.given, one.name: hit.iri.removeprefix(beginning)})}",
                note=hit.detail,
            )
            for hit in hits
        ]
        found.append((one.name, links))
    return found


def _is_known(parameter: Parameter, value: str, view: View) -> bool:
    base = view.addresses.base
    try:
        term = parameter.term(value, Minter(base), namespaces.prefixes(base))
    except ParameterError:
        return False
    return view.has(term.value)
