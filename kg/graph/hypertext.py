"""Solutions as a table of HTML, for Jupyter. Whatever stands in a graph is text in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Final

import pyoxigraph as ox

from kg.curies import Curies
from kg.graph.native import NUMBERS, declared
from kg.tables import Term, cell

_ADDRESS: Final = re.compile(r"https?://", re.IGNORECASE)


def html_table(
    columns: Sequence[str], solutions: Sequence[Sequence[Term]], curies: Curies, note: str
) -> str:
    """Return the table of *solutions*, IRIs as links and numbers to the right, *note* below it."""
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    rows = "".join(
        f"<tr>{''.join(_cell(term, curies) for term in solution)}</tr>\n" for solution in solutions
    )
    return (
        f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n"
        f"<p>{escape(note)}</p>"
    )


def _cell(term: Term, curies: Curies) -> str:
    text = escape(cell(term, curies))
    if isinstance(term, ox.NamedNode) and _ADDRESS.match(term.value):
        # Other schemes are no links: javascript: would run.
        address = escape(term.value)
        text = f'<a href="{address}" title="{address}" rel="noopener noreferrer">{text}</a>'
    style = "right" if term is not None and declared(term) in NUMBERS else "left"
    return f'<td style="text-align: {style}">{text}</td>'
