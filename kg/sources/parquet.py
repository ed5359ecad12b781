"""Parquet → records as the JSON readers yield them: dicts, with numbers as their text.

What Parquet has and JSON has not becomes what the Papers with Code dumps have in its place: a map
is a list of ``[key, value]`` pairs (keys of a map may repeat), a date or a time at midnight is
``YYYY-MM-DD``, another time ISO 8601, bytes are text.

A column has a value in every row and a field of a struct one in every struct, and where a record
had none, it is null. So a null inside a struct says that the key was missing, and the key is left
out: the metrics of a leaderboard's rows, as a struct, have a field for every metric of all tables.
Null in a column, a list or a map stays null.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time
from decimal import Decimal
from importlib import import_module
from itertools import islice, pairwise
from typing import IO, Any, Final

from kg.sources.compression import UnreadableError
from kg.values import Number

ROWS: Final = 256
"""How many rows are decoded at once; fewer of a table that is wide."""

_CELLS: Final = 500_000
_LISTS: Final = ("list", "large_list", "fixed_size_list", "list_view", "large_list_view")
_JSON_NUMBERS: Final = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}


class ParquetError(Exception):
    """A file cannot be read, or not to its end; ``str()`` is the reason."""


def reason(error: Exception) -> str:
    """Return what is wrong with a row, for people."""
    if isinstance(error, UnicodeDecodeError):
        return "it holds text that is no UTF-8"
    return f"it holds a value that cannot be read: {error}"


def rows(file: IO[bytes]) -> Iterator[dict[str, object] | Exception]:
    """Yield the rows of a Parquet *file*; an error in the place of one that cannot be read.

    Raises :class:`ParquetError` after the rows before the fault, and
    :class:`~kg.sources.compression.UnreadableError` without the library it takes.
    """
    try:
        arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
        reader = _Reader(arrow, import_module("pyarrow.compute"))
    except ImportError:
        raise UnreadableError(
            "it is a Parquet file, for which Python needs a library: pip install 'paperkg[parquet]'"
        ) from None
    file.seek(-4, 2)
    if file.read(4) != b"PAR1":
        raise ParquetError("truncated: the end of the Parquet file is missing")
    try:
        # Buffered ahead, all row groups would be in memory at the end.
        opened = parquet.ParquetFile(file, buffer_size=1024 * 1024, pre_buffer=False)
        reader.check(opened.schema_arrow)
        size = max(1, min(ROWS, _CELLS // max(1, opened.metadata.num_columns)))
        for batch in opened.iter_batches(batch_size=size, use_threads=False):
            yield from reader.rows(batch)
    except (OSError, ValueError, arrow.ArrowException) as error:
        raise ParquetError(f"damaged: {' '.join(str(error).split())}") from error


class _Reader:
    """Makes Python values of Arrow's, column by column: a struct may have thousands of fields."""

    def __init__(self, arrow: Any, compute: Any) -> None:
        self._arrow = arrow
        self._compute = compute

    def check(self, fields: Any) -> None:
        """Raise :class:`ParquetError` where two of *fields* have one name."""
        names = [field.name for field in fields]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise ParquetError(f"it has two columns, or fields of a struct, called {twice!r}")
        for field in fields:
            if self._arrow.types.is_nested(field.type):
                self.check([field.type.field(n) for n in range(field.type.num_fields)])

    def rows(self, batch: Any) -> Iterator[dict[str, object] | Exception]:
        """Yield the rows of a batch; an error in the place of one that cannot be read."""
        names = batch.schema.names
        try:
            columns = [self._values(column) for column in batch.columns]
        except (ValueError, OverflowError) as error:
            if batch.num_rows == 1:
                yield error
                return
            for n in range(batch.num_rows):  # one row has it: the others are taken by themselves
                yield from self.rows(batch.slice(n, 1))
            return
        yield from (dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True))

    def _values(self, array: Any) -> list[Any]:
        if not len(array):  # as most fields of a wide table are in most batches
            return []
        types, type_ = self._arrow.types, array.type
        if types.is_struct(type_):
            return self._structs(array)
        if types.is_map(type_):
            return self._maps(array)
        if any(getattr(types, f"is_{kind}")(type_) for kind in _LISTS):
            return self._lists(array)
        if types.is_timestamp(type_):  # Python knows no nanoseconds
            array = array.cast(self._arrow.timestamp("us", type_.tz), safe=False)
        values: list[Any] = array.to_pylist()
        if types.is_string(type_) or types.is_large_string(type_) or types.is_boolean(type_):
            return values
        is_narrow = types.is_float16(type_) or types.is_float32(type_)
        convert = _narrow if is_narrow else _scalar
        return [None if value is None else convert(value) for value in values]

    def _structs(self, array: Any) -> list[Any]:
        found: list[Any] = [{} if here else None for here in array.is_valid().to_pylist()]
        for n, column in enumerate(array.flatten()):
            name = array.type.field(n).name
            where: Iterable[int] = range(len(column))
            if column.null_count:
                where = self._compute.indices_nonzero(column.is_valid()).to_pylist()
                column = column.drop_null()  # noqa: PLW2901  those that are there
            for at, value in zip(where, self._values(column), strict=True):
                found[at][name] = value
        return found

    def _lists(self, array: Any) -> list[Any]:
        elements = iter(self._values(array.flatten()))
        lengths = self._compute.list_value_length(array).to_pylist()
        return [None if n is None else list(islice(elements, n)) for n in lengths]

    def _maps(self, array: Any) -> list[Any]:
        offsets = array.offsets.to_pylist()
        first, last = offsets[0], offsets[-1]
        keys = self._values(array.keys[first:last])
        items = self._values(array.items[first:last])
        pairs = [list(pair) for pair in zip(keys, items, strict=True)]
        places = zip(pairwise(offsets), array.is_valid().to_pylist(), strict=True)
        return [pairs[a - first : b - first] if here else None for (a, b), here in places]


def _narrow(value: float) -> object:
    # 0.1 in 32 bits is 0.10000000149011612 in 64: as many digits are said as tell it from others.
    shorter = (float(f"{value:.{digits}g}") for digits in range(6, 10))
    return _scalar(next((one for one in shorter if _in_32_bits(one) == value), value))


def _in_32_bits(value: float) -> float:
    found: float = struct.unpack("f", struct.pack("f", value))[0]
    return found


def _scalar(value: object) -> object:  # noqa: PLR0911  one line a type
    match value:
        case str() | bool():
            return value
        case int():
            return Number(value)
        case float():
            return Number(_JSON_NUMBERS.get(repr(value), repr(value)))
        case Decimal():
            return Number(f"{value:f}")
        case datetime() if value.tzinfo is None and value.time() == time():
            return value.date().isoformat()
        case datetime() | date() | time():
            return value.isoformat()
        case bytes():
            return value.decode("utf-8")
        case _:
            return str(value)
