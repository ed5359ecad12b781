"""``kg describe``: one thing with its parts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import click
import pyoxigraph as ox

from kg import namespaces
from kg.catalogue import rdf
from kg.cli.answers import Destination
from kg.cli.endpoints import endpoint_of, place_options
from kg.describing import Describer, Queried, in_store, origins, thing_iri
from kg.errors import UsageError
from kg.exporter import output_context
from kg.exporter.frames import Framer
from kg.exporter.product import by_subject
from kg.exporter.turtle import short_turtle
from kg.opened import Opened


@click.command("describe")
@click.argument("thing")
@place_options
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
def command(
    thing: str,
    *,
    store_dir: Path | None,
    url: str | None,
    token_file: Path | None,
    timeout: float | None,
    format_: str,
    output: Path | None,
) -> None:
    """Print what a store, or an endpoint, says of THING and of its parts.

    THING is an IRI or a CURIE: paper:SLUG is a paper by its slug, dataset:, task:, method: and the
    other prefixes of kg queries --prefixes likewise. Parts are what lives and dies with the thing:
    the authorships, code links, results and samples of a paper, the loaders of a dataset, the
    measurements of a result. Turtle says in comments which of the statements are your own, and the
    graph of the file that they come from.

    \b
    Example:
      kg describe paper:attention-is-all-you-need --store mystore
      kg describe dataset:squad --store mystore --format jsonld
      kg describe dataset:squad --endpoint http://127.0.0.1:7878
    """  # noqa: D301 - click wants the character that \b is
    endpoint = endpoint_of(store_dir, url, token_file, timeout)
    asked: Queried
    if endpoint is not None:
        asked, base, place = endpoint, endpoint.base, f"the graph at {endpoint.root}"
    else:
        opened = Opened.at(store_dir or "")
        asked, base, place = opened.store, opened.base, "this store"
    prefixes = namespaces.prefixes(base)
    iri = thing_iri(thing, base, prefixes)
    description = Describer(in_store(asked)).description(iri)
    if not description:
        raise UsageError(f"{iri} is not in {place}")
    if format_ == "ttl":
        text = short_turtle(by_subject(description), prefixes)
        own = origins(asked, description, {rdf.graph_iri(base)})
        for graph, stated in own.items():
            text += f"\n# from {graph}\n" + _comment(stated, prefixes)
    else:
        document = Framer(output_context()).frame(description)
        text = json.dumps(document, ensure_ascii=False, indent=2) + "\n"
    Destination(output).write(lambda stream: stream.write(text.encode("utf-8")))


def _comment(triples: list[ox.Triple], prefixes: Mapping[str, str]) -> str:
    """Return *triples* as comment lines of Turtle."""
    lines = short_turtle(by_subject(triples), prefixes).splitlines()
    return "".join(f"#   {line}\n" for line in lines if line and not line.startswith("@prefix "))
