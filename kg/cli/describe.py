"""``kg describe``: one thing with its parts."""

from __future__ import annotations

import json
from pathlib import Path

import click

from kg import namespaces
from kg.cli.answers import Destination
from kg.describing import Describer, in_store, thing_iri
from kg.errors import StoreError, UsageError
from kg.exporter import output_context
from kg.exporter.frames import Framer
from kg.exporter.product import by_subject
from kg.exporter.turtle import short_turtle
from kg.iris import DEFAULT_BASE
from kg.snapshot import SnapshotFolder
from kg.store import Store


@click.command("describe")
@click.argument("thing")
@click.option(
    "--store",
    "store_dir",
    metavar="DIR",
    required=True,
    type=click.Path(path_type=Path),
    help="The folder of the store.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["ttl", "jsonld"]),
    default="ttl",
    show_default=True,
    help="Turtle, or JSON-LD with the parts inside.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write to FILE, which is replaced when the description is complete.",
)
def command(thing: str, *, store_dir: Path, format_: str, output: Path | None) -> None:
    """Print what the store says of THING and of its parts.

    THING is an IRI or a CURIE: paper:SLUG is a paper by its slug, dataset:, task:, method: and the
    other prefixes of kg queries --prefixes likewise. Parts are what lives and dies with the thing:
    the authorships, code links, results and samples of a paper, the loaders of a dataset, the
    measurements of a result.

    \b
    Example:
      kg describe paper:attention-is-all-you-need --store mystore
      kg describe dataset:squad --store mystore --format jsonld
    """  # noqa: D301 - click wants the character that \b is
    snapshot = SnapshotFolder(store_dir).current()
    if snapshot is None:
        raise StoreError(f"{store_dir}: there is no store here; kg build INPUT… --store makes one")
    base = str(snapshot.manifest.get("base", DEFAULT_BASE))
    prefixes = namespaces.prefixes(base)
    iri = thing_iri(thing, base, prefixes)
    description = Describer(in_store(Store.open(snapshot.store))).description(iri)
    if not description:
        raise UsageError(f"{iri} is not in this store")
    if format_ == "ttl":
        text = short_turtle(by_subject(description), prefixes)
    else:
        document = Framer(output_context()).frame(description)
        text = json.dumps(document, ensure_ascii=False, indent=2) + "\n"
    Destination(output).write(lambda stream: stream.write(text.encode("utf-8")))
