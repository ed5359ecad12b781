"""What a query answers: solutions in the order in which they came, with every term as it is."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Self, overload

import pyoxigraph as ox

from kg.curies import Curies
from kg.errors import UsageError
from kg.graph.hypertext import html_table
from kg.graph.native import Value, value_of
from kg.tables import Term, solutions_table

if TYPE_CHECKING:
    import pandas as pd

SHOWN: Final = 50
"""Rows that are shown at a prompt (cut to the terminal's width) and by Jupyter."""


class Results(Sequence[Mapping[str, Value]]):
    """Solutions: a sequence of rows, each a mapping from column to value.

    *columns* are the variables of a SELECT in its order, also where there is no row; *terms* has
    the RDF terms themselves, None for what is unbound. A row has Python values by the rules of
    :mod:`kg.graph.native`. A slice is a ``Results`` again. ``print`` shows all of it as a table,
    Jupyter the first rows as HTML, :meth:`to_dataframe` makes a pandas DataFrame.
    """

    def __init__(
        self,
        columns: Sequence[str],
        terms: Sequence[tuple[Term, ...]],
        prefixes: Mapping[str, str],
    ) -> None:
        self.columns = tuple(columns)
        self.terms = terms
        self.prefixes = prefixes

    def rows(self, *, exact: bool = False) -> Iterator[dict[str, Value]]:
        """Yield each row; with *exact*, decimals are Decimal and not float."""
        for solution in self.terms:
            values = (value_of(term, exact=exact) for term in solution)
            yield dict(zip(self.columns, values, strict=True))

    def to_dataframe(self, *, exact: bool = False) -> pd.DataFrame:
        """Return a pandas DataFrame with the columns in their order and types by the datatypes.

        Integers are Int64, decimals and doubles Float64 (with *exact*, columns of decimals hold
        Decimal objects), booleans boolean, dates datetime64; all else is string: IRIs, texts,
        years and months. What is unbound is missing, an empty text is not. A column of several
        kinds is string and so is one without any value; integers and decimals together are Float64.
        A literal that is none of its datatype makes its column string, with a
        :class:`~kg.graph.GraphWarning`.

        Raises :class:`~kg.errors.UsageError` where pandas is not installed.
        """
        try:
            from kg.graph.frames import dataframe  # noqa: PLC0415 - pandas is optional, and slow
        except ModuleNotFoundError as error:
            if error.name not in ("numpy", "pandas"):
                raise
            raise UsageError(
                "a DataFrame needs pandas, which is not installed: pip install 'paperkg[pandas]'"
            ) from None
        return dataframe(self.columns, self.terms, exact=exact)

    def table(self, width: int | None = None) -> str:
        """Return all rows as a table of text, IRIs as CURIEs, cut to *width* where it is given."""
        return solutions_table(self.columns, self.terms, Curies(self.prefixes), width=width)[0]

    def __len__(self) -> int:
        return len(self.terms)

    def __iter__(self) -> Iterator[Mapping[str, Value]]:
        return self.rows()

    @overload
    def __getitem__(self, index: int) -> Mapping[str, Value]: ...

    @overload
    def __getitem__(self, index: slice) -> Self: ...

    def __getitem__(self, index: int | slice) -> Mapping[str, Value] | Self:
        if isinstance(index, slice):
            return type(self)(self.columns, self.terms[index], self.prefixes)
        values = map(value_of, self.terms[index])
        return dict(zip(self.columns, values, strict=True))

    def __str__(self) -> str:
        return self.table().removesuffix("\n")

    def __repr__(self) -> str:
        return f"{self[:SHOWN].table(shutil.get_terminal_size().columns)}({self._note()})"

    def _repr_html_(self) -> str:
        shown = self.terms[:SHOWN]
        return html_table(self.columns, shown, Curies(self.prefixes), self._note())

    def _note(self) -> str:
        count = f"{len(self):,} row{'' if len(self) == 1 else 's'}"
        return f"the first {SHOWN} of {count}" if len(self) > SHOWN else count


class Truth(Results):
    """The answer to an ASK query: one row of one column, and true or false as a whole.

    >>> bool(Truth.of(False)), Truth.of(False)[0]
    (False, {'answer': False})
    """

    @classmethod
    def of(cls, answer: bool) -> Self:
        """Return the answer *answer*."""
        return cls(("answer",), [(ox.Literal(answer),)], {})

    def __bool__(self) -> bool:
        return any(row["answer"] for row in self)
