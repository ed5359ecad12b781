"""The option ``--store``: the folder of a store that is read."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

store_option: Final = click.option(
    "--store",
    "store_dir",
    metavar="DIR",
    required=True,
    type=click.Path(path_type=Path),
    help="The folder of the store.",
)
