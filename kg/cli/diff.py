"""``kg diff``: what differs between two graphs."""

from __future__ import annotations

from pathlib import Path

import click
from rich.table import Table

from kg import namespaces, patches
from kg.cli.answers import Destination
from kg.cli.output import note, quiet
from kg.cli.telling import say_table
from kg.curies import Curies
from kg.patches import Summary


@click.command("diff")
@click.argument("first", metavar="A", type=click.Path(exists=True))
@click.argument("second", metavar="B", type=click.Path(exists=True))
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    default="-",
    type=click.Path(path_type=Path),
    help="Write the patch to FILE, which is replaced when it is complete; - is standard output.",
    show_default=True,
)
def command(*, first: str, second: str, output: Path) -> None:
    """Write what makes graph A graph B, as an RDF Patch, and a summary by class.

    A and B are stores or RDF files (N-Triples, Turtle, N-Quads and others, compressed or not). The
    patch has a line per statement: A added, D deleted. A thing that has several classes is counted
    for each of them. Blank nodes of files are compared by their labels.

    \b
    Example:
      kg diff yesterday today > changes.rdfp
      kg diff old.nt.gz mystore --quiet | grep -c '^A'
    """  # noqa: D301 - click wants the character that \b is
    found: list[Summary] = []
    path = None if output == Path("-") else output
    Destination(path).write(lambda stream: found.append(patches.write_patch(first, second, stream)))
    if found and not quiet():
        _summarise(found[0])


def _summarise(summary: Summary) -> None:
    note(f"{summary.added:,} statements added, {summary.removed:,} removed")
    if not summary.classes:
        return
    table = Table("class", box=None, pad_edge=False)
    for column in ("new", "gone", "changed"):
        table.add_column(column, justify="right")
    curies = Curies(namespaces.prefixes())
    for iri, counts in sorted(summary.classes.items()):
        name = curies.compress(iri) or iri or "(no class)"
        table.add_row(name, f"{counts.new:,}", f"{counts.gone:,}", f"{counts.changed:,}")
    say_table(table)
