"""The option ``--store``: the folder of a store that is read."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final

import click

_option: Final = partial(
    click.option,
    "--store",
    "store_dir",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="The folder of the store.",
)

store_option: Final = _option(required=True)
store_if_any: Final = _option()
"""The same where something else can stand in its place."""
