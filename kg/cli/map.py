"""``kg map``: records → files of triples for other engines."""

from __future__ import annotations

from pathlib import Path

import click

from kg.cli.answers import Destination
from kg.cli.inputs import input_parameters
from kg.cli.output import note, quiet
from kg.cli.telling import progress, say_errors, say_outcome, say_records
from kg.mapped_files import map_to_files, shards
from kg.mapping import Task


@click.command("map")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write to FILE (.nt, .nt.gz; with --graphs .nq, .nq.gz), replaced when all is complete.",
)
@click.option(
    "--shards",
    "number",
    metavar="N",
    type=click.IntRange(1, 999),
    default=1,
    show_default=True,
    help="Deal the lines out to N files: FILE-1-of-N.nt.gz and so on.",
)
@click.option(
    "--graphs",
    is_flag=True,
    help="Write N-Quads: each triple in the graph of the record that it comes from.",
)
@input_parameters
@click.pass_context
def command(
    ctx: click.Context,
    inputs: tuple[str, ...],
    *,
    output: Path,
    number: int,
    graphs: bool,
    base: str,
    strict: bool,
    exclude: Path | None,
    report_file: Path | None,
) -> None:
    """Map records to a file of triples for another engine, without a store.

    INPUTs are those of kg build, and so are the triples: sorted, each once. With --graphs a triple
    stands in the graph of each record that says it, so it may stand in several; the graph's IRI is
    that of the source record.

    \b
    Example:
      kg map records/ -o graph.nt.gz
      kg map papers-with-abstracts.json.gz -o quads.nq.gz --graphs --shards 8
    """  # noqa: D301 - click wants the character that \b is
    files = shards(output, number, graphs=graphs)
    for path in (*files, report_file):
        Destination(path).check()
    with progress() as tell:
        task = Task(inputs, base, strict, exclude, tell)
        outcome, lines = map_to_files(task, files, graphs=graphs, report=report_file)
    if quiet():
        say_errors(outcome)
    else:
        say_records(outcome)
        what = "quads" if graphs else "triples"
        note(f"\n{lines:,} {what} in {', '.join(map(str, files))}")
        say_outcome(outcome, report_file)
    ctx.exit(outcome.exit_code)
