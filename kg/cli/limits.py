"""The options that set the limits of queries (:mod:`kg.limits`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar, get_type_hints

import click

from kg.cli.sizes import Size, shown
from kg.limits import Limits

F = TypeVar("F", bound=Callable[..., Any])

_HELP: Final = {
    "seconds": "Seconds that a query may take, to the last byte of its answer.",
    "queue_seconds": "Seconds that a query may wait for a worker.",
    "queue": "Queries that may wait for a worker; one more is turned away at once.",
    "workers": "Queries that are evaluated at once, each in a process of its own.",
    "memory": "Memory that a worker may take, beside what the store needs.",
    "rows": "Rows that an answer may have, or triples.",
    "answer_bytes": "Length that an answer may have.",
    "query_bytes": "Length that a query may have.",
    "nesting": "Levels to which the brackets of a query may nest.",
    "patterns": "Triple patterns that a query may join.",
}


def limit_options(command: F) -> F:
    """Add an option for every limit; they come as keywords that are the names of its fields."""
    types = get_type_hints(Limits)
    for name, limit in reversed(Limits().shown().items()):
        is_size = limit.unit == "bytes"
        value = limit.value
        default = "none" if value is None else shown(int(value)) if is_size else f"{value:g}"
        command = click.option(
            limit.option,
            name,
            metavar="SIZE" if is_size else "SECONDS" if limit.unit == "s" else "N",
            type=Size() if is_size else float if types[name] is float else int,
            help=f"{_HELP[name]}  [default: {default}]",
        )(command)
    return command


def limits(given: dict[str, float | None]) -> Limits:
    """Return the limits that the options say, those that were not *given* by default.

    Raises :class:`~kg.errors.UsageError` where they contradict each other.
    """
    values: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    return Limits(**values)
