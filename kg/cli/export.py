"""``kg export``: the graph as a file for other tools."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from kg import namespaces
from kg.cli.answers import Destination
from kg.cli.output import note
from kg.cli.stores import store_option
from kg.describing import thing_iri
from kg.errors import UsageError
from kg.exporter import FORMATS, Export, format_by_name
from kg.snapshot import SnapshotFolder


@click.command("export")
@store_option
@click.option(
    "--format",
    "format_",
    type=click.Choice(FORMATS),
    help="The format; by default as -o's FILE ends.",
)
@click.option(
    "--gzip", "compress", is_flag=True, help="Compress; also where -o's FILE ends in .gz."
)
@click.option("--graph", metavar="IRI", help="Write this named graph alone.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    default="-",
    type=click.Path(path_type=Path),
    help="Write to FILE, which is replaced when the dump is complete; - is standard output.",
    show_default=True,
)
def command(
    *, store_dir: Path, format_: str | None, compress: bool, graph: str | None, output: Path
) -> None:
    """Write the graph of a store as a file for other tools.

    nt (N-Triples), ttl (Turtle), rdfxml and jsonl write the default graph; nq (N-Quads), trig and
    jsonld the named graphs too. jsonl is JSON-LD with one thing a line, its parts inside: a paper
    with its authorships, code links, results and samples. The same records give the same bytes,
    whenever and wherever they are built. Licence and attribution stand at the head of the file
    where its format has comments, and in the data.

    \b
    Example:
      kg export --store mystore -o graph.ttl.gz
      kg export --store mystore --format jsonl -o - | head -n 1
    """  # noqa: D301 - click wants the character that \b is
    path = None if output == Path("-") else output
    by_name, gz = format_by_name(output)
    format_ = format_ or by_name
    if format_ is None:
        raise UsageError(f"give --format, or -o a FILE that ends in one of {', '.join(FORMATS)}")
    compress = compress or gz
    if path is None and compress and sys.stdout.isatty():
        raise UsageError("a terminal shows no gzip; give -o FILE, or leave out --gzip")
    if path and path.is_dir():
        raise UsageError(f"{path}: it is a folder; give -o a FILE")
    snapshot = SnapshotFolder(store_dir).built()
    if graph is not None:
        prefixes = namespaces.prefixes(snapshot.base)
        graph = thing_iri(graph, snapshot.base, prefixes).value
    export = Export(snapshot, format_, graph)
    for iri in export.left_out:
        note(
            f"left out: the named graph <{iri}>; nq, trig and jsonld hold it too,"
            " --graph writes it alone"
        )
    Destination(path).write(lambda stream: export.write(stream, compress=compress))
