"""Solutions as a table for people: aligned columns of plain text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

import pyoxigraph as ox
from rich.cells import cell_len, set_cell_size

from kg.curies import Curies
from kg.namespaces import XSD
from kg.values import visible

Term: TypeAlias = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple | None

GAP: Final = "  "
_NARROWEST: Final = 16
"""A column is not cut below this width: one that has no room for it is left out."""

_NUMERIC: Final = frozenset({XSD + name for name in ("integer", "decimal", "double", "float")})


def cell(term: Term, curies: Curies) -> str:
    """Return a term as a cell: a CURIE or an IRI, a literal's text, nothing for unbound.

    Control characters are shown escaped.
    """
    if term is None:
        return ""
    if isinstance(term, ox.NamedNode):
        text = curies.compress(term.value) or term.value
    elif isinstance(term, ox.Literal):
        text = term.value
    else:
        text = str(term)
    return visible(text)


def solutions_table(
    columns: Sequence[str],
    solutions: Iterable[Sequence[Term]],
    curies: Curies,
    *,
    width: int | None = None,
) -> tuple[str, int]:
    """Return solutions as :func:`table` writes them, numbers to the right, and how many."""
    rows: list[list[str]] = []
    numeric = [True] * len(columns)
    for solution in solutions:
        terms = [solution[index] for index in range(len(columns))]
        rows.append([cell(term, curies) for term in terms])
        for index, term in enumerate(terms):
            if term is not None and not _is_number(term):
                numeric[index] = False
    # A column without any value has no kind; its head stands to the left like that of a text.
    right = [is_number and any(row[i] for row in rows) for i, is_number in enumerate(numeric)]
    return table(columns, rows, right=right, width=width), len(rows)


def _is_number(term: Term) -> bool:
    return isinstance(term, ox.Literal) and term.datatype.value in _NUMERIC


def table(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    right: Sequence[bool] = (),
    width: int | None = None,
) -> str:
    """Return a head, a rule and one line a row, each ended by a line end.

    With *width*, what does not fit is cut: the widest columns, with ``…`` where something is
    missing, and then whole columns from the last on, which a line in brackets names. Without it
    everything is shown. Columns of which *right* is true are set right.
    """
    widths = [
        max([cell_len(column), *(cell_len(row[index]) for row in rows)])
        for index, column in enumerate(columns)
    ]
    if width is not None:
        widths = _shrunk(widths, [max(cell_len(c), _NARROWEST) for c in columns], width)
    shown = len(widths)
    lines = [columns, ["-" * size for size in widths], *rows]
    written = [
        GAP.join(
            _fit(text, size, to_right=index < len(right) and right[index])
            for index, (text, size) in enumerate(zip(line[:shown], widths, strict=True))
        ).rstrip()
        for line in lines
    ]
    if width is not None and shown < len(columns):
        hidden = columns[shown:]
        more = f"({len(hidden)} more column{'s' if len(hidden) > 1 else ''}: {', '.join(hidden)})"
        written.append(_fit(more, min(width, cell_len(more)), to_right=False))
    return "".join(line + "\n" for line in written)


def _shrunk(natural: Sequence[int], floors: Sequence[int], width: int) -> list[int]:
    """Return the widths of as many columns as fit, none below its floor (the first one may be)."""
    least = [min(size, floor) for size, floor in zip(natural, floors, strict=True)]
    shown = len(least)
    while shown > 1 and sum(least[:shown]) + len(GAP) * (shown - 1) > width:
        shown -= 1
    widths, room = list(natural[:shown]), width - len(GAP) * (shown - 1)
    while sum(widths) > room:
        able = [index for index in range(shown) if widths[index] > least[index]] or [0]
        widths[max(able, key=lambda index: widths[index])] -= 1
    return widths


def _fit(text: str, size: int, *, to_right: bool) -> str:
    missing = size - cell_len(text)
    if missing < 0:
        return set_cell_size(text, size - 1) + "…"
    return " " * missing + text if to_right else text + " " * missing
