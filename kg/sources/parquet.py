"""Parquet → records as the JSON readers yield them: dicts, with numbers as their text.

What Parquet has and JSON has not becomes what the Papers with Code dumps have in its place: a map
is a list of ``[key, value]`` pairs (keys of a map may repeat), a date or a time at midnight is
``YYYY-MM-DD``, another time ISO 8601, bytes are text. Null stays null: Parquet cannot tell it from
a key that is missing.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from datetime import date, datetime, time
from decimal import Decimal
from importlib import import_module
from typing import IO, Any, Final, TypeAlias

from kg.sources.compression import UnreadableError
from kg.values import Number

ROWS: Final = 256
"""How many rows are decoded at once."""

_Converter: TypeAlias = Callable[[Any], object]
_LISTS: Final = ("list", "large_list", "fixed_size_list", "list_view", "large_list_view")
_JSON_NUMBERS: Final = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}


class ParquetError(Exception):
    """A file cannot be read, or not to its end; ``str()`` is the reason."""


def rows(file: IO[bytes]) -> Iterator[dict[str, object] | UnicodeDecodeError]:
    """Yield the rows of a Parquet *file*; an error in the place of one with text that is no UTF-8.

    Raises :class:`ParquetError` after the rows before the fault, and
    :class:`~kg.sources.compression.UnreadableError` without the library it takes.
    """
    try:
        arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
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
        converters = [
            (column.name, _converter(arrow.types, column.type)) for column in opened.schema_arrow
        ]
        for batch in opened.iter_batches(batch_size=ROWS, use_threads=False):
            for row in _plain(batch):
                yield row if isinstance(row, UnicodeDecodeError) else _converted(row, converters)
    except (OSError, arrow.ArrowException) as error:
        raise ParquetError(f"damaged: {' '.join(str(error).split())}") from error


def _plain(batch: Any) -> Iterator[dict[str, object] | UnicodeDecodeError]:
    try:
        yield from batch.to_pylist()
        return
    except UnicodeDecodeError:
        pass  # one row has it: the others are taken by themselves
    for n in range(batch.num_rows):
        try:
            yield from batch.slice(n, 1).to_pylist()
        except UnicodeDecodeError as error:
            yield error


def _converted(
    row: dict[str, object], converters: list[tuple[str, _Converter]]
) -> dict[str, object] | UnicodeDecodeError:
    try:
        return {name: convert(row[name]) for name, convert in converters}
    except UnicodeDecodeError as error:
        return error


def _converter(types: Any, type_: Any) -> _Converter:
    """Return what makes a value of an Arrow type out of what Arrow gives as Python's.

    *types* is ``pyarrow.types``.
    """
    if types.is_struct(type_):
        return _or_null(_of_struct({field.name: _converter(types, field.type) for field in type_}))
    if types.is_map(type_):
        key, item = _converter(types, type_.key_type), _converter(types, type_.item_type)
        return _or_null(_of_map(key, item))
    if any(getattr(types, f"is_{kind}")(type_) for kind in _LISTS):
        return _or_null(_of_list(_converter(types, type_.value_type)))
    if types.is_float16(type_) or types.is_float32(type_):
        return _or_null(_narrow)
    return _scalar


def _or_null(convert: _Converter) -> _Converter:
    return lambda value: None if value is None else convert(value)


def _of_struct(fields: dict[str, _Converter]) -> _Converter:
    return lambda value: {name: convert(value[name]) for name, convert in fields.items()}


def _of_map(key: _Converter, item: _Converter) -> _Converter:
    return lambda value: [[key(k), item(v)] for k, v in value]


def _of_list(element: _Converter) -> _Converter:
    return lambda value: [element(one) for one in value]


def _narrow(value: float) -> object:
    # 0.1 in 32 bits is 0.10000000149011612 in 64: as many digits are said as tell it from others.
    shorter = (float(f"{value:.{digits}g}") for digits in range(6, 10))
    return _scalar(next((one for one in shorter if _in_32_bits(one) == value), value))


def _in_32_bits(value: float) -> float:
    found: float = struct.unpack("f", struct.pack("f", value))[0]
    return found


def _scalar(value: object) -> object:  # noqa: PLR0911  one line a type
    match value:
        case str() | bool() | None:
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
