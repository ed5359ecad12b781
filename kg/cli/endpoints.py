"""The options of a command that asks a store here or a server elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from kg.cli.output import complain, note
from kg.cli.stores import store_if_any
from kg.endpoint import Endpoint
from kg.errors import UsageError
from kg.remote import Limits, token_in

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS = (
    store_if_any,
    click.option(
        "--endpoint",
        "url",
        metavar="URL",
        help="Ask a server instead of a store: a kg serve, or any other that speaks SPARQL 1.1.",
    ),
    click.option(
        "--token-file",
        metavar="FILE",
        type=click.Path(dir_okay=False, path_type=Path),
        help="The token by which that server knows you, the first in the file.",
    ),
    click.option(
        "--timeout",
        metavar="SECONDS",
        type=click.FloatRange(0, min_open=True),
        help=f"Seconds that that server may be silent.  [default: {Limits().seconds:g}]",
    ),
)


def place_options(command: F) -> F:
    """Add the options that say what to ask; :func:`endpoint_of` reads them."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def check_place(store_dir: Path | None, url: str | None) -> None:
    """Raise :class:`~kg.errors.UsageError` unless it is a store or a server that is meant."""
    if (store_dir is None) == (url is None):
        raise UsageError("say what to ask: --store DIR or --endpoint URL")


def endpoint_of(
    store_dir: Path | None, url: str | None, token_file: Path | None, timeout: float | None
) -> Endpoint | None:
    """Return the endpoint that is meant, or None where it is a store.

    Raises :class:`~kg.errors.UsageError` where it is neither, or both.
    """
    check_place(store_dir, url)
    if url is None:
        if token_file is not None or timeout is not None:
            raise UsageError("--token-file and --timeout go with --endpoint")
        return None
    return Endpoint(
        url,
        limits=Limits() if timeout is None else Limits(seconds=timeout),
        token=token_in(token_file) if token_file is not None else None,
        tell=note,
        doubt=complain,
    )
