"""The option ``--port`` of a command that serves."""

from __future__ import annotations

from typing import Final

import click

port_option: Final = click.option(
    "--port",
    metavar="PORT",
    type=click.IntRange(0, 65535),
    default=7878,
    show_default=True,
    help="The port to listen at; 0 is any that is free.",
)
