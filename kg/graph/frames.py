"""Solutions as a pandas DataFrame, typed by the datatypes of the terms and never by a guess.

Each column is made as an array of its type with a mask of what is missing, so that no number goes
through another type on its way and nothing that stands in a column is taken for missing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final, TypeAlias

import numpy as np
import pandas as pd
import pyoxigraph as ox

from kg.graph.native import NUMBERS, Kind, Value, declared, read, text_of
from kg.graph.notices import warn
from kg.tables import Term
from kg.values import visible

Column: TypeAlias = Any  # one of pandas' arrays, which have no type in common

_INT64: Final = range(-(2**63), 2**63)


def dataframe(
    columns: Sequence[str], solutions: Sequence[Sequence[Term]], *, exact: bool
) -> pd.DataFrame:
    """Return the frame of *solutions*; :meth:`kg.graph.Results.to_dataframe` says how."""
    made = {
        name: _column(name, [solution[index] for solution in solutions], exact=exact)
        for index, name in enumerate(columns)
    }
    return pd.DataFrame(made, index=pd.RangeIndex(len(solutions)))


def _column(name: str, terms: Sequence[Term], *, exact: bool) -> Column:
    found = [None if term is None else read(term) for term in terms]
    kinds = frozenset(pair[0] for pair in found if pair is not None)
    values = [None if pair is None else pair[1] for pair in found]
    if kinds in _MAKERS:
        return _MAKERS[kinds](values)
    if kinds and kinds <= NUMBERS:
        if exact and Kind.DOUBLE not in kinds:
            return _objects([Decimal(v) if isinstance(v, int) else v for v in values])
        return _floats(values)
    _warn_of_ill_typed(name, terms)
    texts = [None if term is None else text_of(term) for term in terms]
    return pd.array(texts, dtype="string")


def _integers(values: Sequence[Value]) -> Column:
    numbers = [v if isinstance(v, int) else 0 for v in values]
    if all(number in _INT64 for number in numbers):
        return pd.arrays.IntegerArray(np.array(numbers, dtype="int64"), _missing(values))
    return _objects(values)  # xsd:integer has no bounds, and neither has Python's


def _floats(values: Sequence[Value]) -> Column:
    numbers = [float(v) if isinstance(v, int | float | Decimal) else 0.0 for v in values]
    return pd.arrays.FloatingArray(np.array(numbers, dtype="float64"), _missing(values))


def _booleans(values: Sequence[Value]) -> Column:
    truths = np.array([bool(v) for v in values], dtype=bool)
    return pd.arrays.BooleanArray(truths, _missing(values))


def _days(values: Sequence[Value]) -> Column:
    # Seconds, because nanoseconds end in the year 2262.
    days = np.array([str(v) if v is not None else "NaT" for v in values], dtype="datetime64[s]")
    return pd.array(days, dtype="datetime64[s]")


def _local_times(values: Sequence[Value]) -> Column:
    return pd.Series(_objects(values), dtype="datetime64[us]").array


def _instants(values: Sequence[Value]) -> Column:
    return pd.Series(_objects(values), dtype="datetime64[us, UTC]").array


_MAKERS: Final[Mapping[frozenset[Kind], Callable[[Sequence[Value]], Column]]] = {
    frozenset({Kind.INTEGER}): _integers,
    frozenset({Kind.BOOLEAN}): _booleans,
    frozenset({Kind.DATE}): _days,
    frozenset({Kind.LOCAL_TIME}): _local_times,
    frozenset({Kind.INSTANT}): _instants,
}


def _missing(values: Sequence[Value]) -> Any:
    return np.array([v is None for v in values], dtype=bool)


def _objects(values: Sequence[Value]) -> Column:
    objects = np.empty(len(values), dtype=object)
    objects[:] = values
    return objects


def _warn_of_ill_typed(name: str, terms: Sequence[Term]) -> None:
    """Warn where a literal that is none of its datatype has made the column *name* one of text."""
    for term in terms:
        if (
            isinstance(term, ox.Literal)
            and declared(term) is not Kind.TEXT
            and read(term)[0] is Kind.TEXT
        ):
            datatype = term.datatype.value.rpartition("#")[2]
            warn(
                f"the column {name} is text, because {visible(term.value)!r} in it is no"
                f" xsd:{datatype} that a column can hold"
            )
            return
