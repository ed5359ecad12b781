"""The argument and the options of a command that maps records."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from kg.iris import DEFAULT_BASE

F = TypeVar("F", bound=Callable[..., Any])

_PARAMETERS = (
    click.argument("inputs", metavar="INPUT...", nargs=-1, required=True),
    click.option(
        "--base",
        metavar="IRI",
        default=DEFAULT_BASE,
        show_default=True,
        help="The IRI below which the things of the graph get theirs.",
    ),
    click.option("--strict", is_flag=True, help="Stop at the first problem, with nothing changed."),
    click.option(
        "--exclude",
        metavar="FILE",
        type=click.Path(dir_okay=False, path_type=Path),
        help="Leave out the things that FILE names, one IRI or CURIE a line.",
    ),
    click.option(
        "--report",
        "report_file",
        metavar="FILE",
        type=click.Path(dir_okay=False, path_type=Path),
        help="Write the report (JSON Lines) to FILE.",
    ),
)


def input_parameters(command: F) -> F:
    """Add what says which input is mapped, and how."""
    for parameter in reversed(_PARAMETERS):
        command = parameter(command)
    return command
