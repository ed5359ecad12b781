"""``/editor``: a query of one's own, in a plain form that the query editor enhances."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlencode

from kg.catalogue import Catalogue
from kg.curies import Curies
from kg.site import snippets
from kg.site.page import Page
from kg.site.solutions import ROWS, Beginning, told
from kg.site.view import Link, View

PATH: Final = "/editor"
EXAMPLE: Final = """SELECT ?title (COUNT(?sample) AS ?ran) {
  ?paper dct:title ?title ; kg:sampleLink/kg:sample ?sample .
  ?sample kg:status/skos:notation ?status .
  FILTER (?status != "unverified")
}
GROUP BY ?title
ORDER BY DESC(?ran) ?title
"""

_FORMATS: Final = {
    "SELECT": ("csv", "json", "tsv", "xml"),
    "ASK": ("json", "xml"),
    "CONSTRUCT": ("ttl", "jsonld", "nt"),
    "DESCRIBE": ("ttl", "jsonld", "nt"),
}


def page(
    text: str | None,
    beginning: Beginning | None,
    fault: str | None,
    view: View,
    *,
    curies: Curies,
    catalogue: Catalogue,
    root: str,
    status: int,
) -> Page:
    """Return the page with the query *text*, and the *beginning* of its answer, if it was asked.

    *fault* is what is wrong with it, in words, and perhaps with lines that show the place.
    """
    answer = told(beginning, view, curies) if beginning is not None else None
    here = view.addresses.here
    sparql = here("/sparql")
    return Page(
        "Query editor",
        "editor.html",
        {
            "text": EXAMPLE if text is None else text,
            "answer": answer,
            "fault": fault,
            "shown": ROWS,
            "sparql": sparql,
            "queries": here("/queries"),
            "examples": [
                (one.title, f"{here(PATH)}?{urlencode({'query': one.text})}") for one in catalogue
            ],
            "downloads": [
                Link(name.upper(), f"{sparql}?{urlencode({'query': text, 'format': name})}")
                for name in _FORMATS.get(beginning.form, ())
            ]
            if beginning is not None and text is not None
            else [],
            "snippets": snippets.of_query(text, root) if text is not None else [],
        },
        summary="Ask the graph a query of your own.",
        status=status,
    )
