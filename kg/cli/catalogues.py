"""The option ``--queries``: canned queries of a user's own beside those that paperkg ships."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from kg.catalogue import Catalogue
from kg.cli.output import note

own_queries: Final = click.option(
    "--queries",
    "own",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Add the canned queries (*.rq) of a folder; one named as one of ours takes its place.",
)


def load(own: Path | None) -> Catalogue:
    """Return the canned queries, those of the folder *own* among them; say what is odd there."""
    catalogue = Catalogue.load()
    if own is not None:
        catalogue = catalogue.with_own(own)
        for sentence in catalogue.notes:
            note(sentence)
    return catalogue
