"""``kg build``: records → a snapshot of a store."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from kg import builder, namespaces
from kg.builder import BuildReport
from kg.cli.output import complain, note, quiet
from kg.curies import Curies
from kg.errors import KgError, StoreError, UsageError
from kg.iris import DEFAULT_BASE
from kg.product import Progress as Told
from kg.report import Severity, errors
from kg.snapshot import SnapshotFolder

_SECONDS_BETWEEN_LINES: Final = 5.0


@click.command("build")
@click.argument("inputs", metavar="INPUT...", nargs=-1, required=True)
@click.option(
    "--store",
    "store_dir",
    metavar="DIR",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder of the store; made if it is missing.",
)
@click.option(
    "--base",
    metavar="IRI",
    default=DEFAULT_BASE,
    show_default=True,
    help="The IRI below which the things of the graph get theirs.",
)
@click.option("--strict", is_flag=True, help="Stop at the first problem, with nothing changed.")
@click.option(
    "--exclude",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Leave out the things that FILE names, one IRI or CURIE a line.",
)
@click.option(
    "--report",
    "report_file",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the report (JSON Lines) to FILE too.",
)
@click.pass_context
def command(
    ctx: click.Context,
    inputs: tuple[str, ...],
    *,
    store_dir: Path,
    base: str,
    strict: bool,
    exclude: Path | None,
    report_file: Path | None,
) -> None:
    """Build a graph from records and make it the store's current snapshot.

    An INPUT is a file of records (JSON, JSON Lines, Parquet), an RDF file with statements of your
    own, a folder of them, a glob pattern, or - for standard input; gzip, bzip2, xz and Zstandard
    are read too. A record that cannot be taken in is reported and the rest goes on (exit 1; 3 where
    a file could not be read). Until the build is complete, the store stays as it was; the new
    snapshot holds what the INPUTs hold and takes the place of the one before.

    \b
    Example:
      kg build records/ more/*.jsonl --store mystore
      kg build papers-with-abstracts.json.gz my-notes.ttl --store mystore --strict
    """  # noqa: D301 - click wants the character that \b is
    if report_file and not report_file.absolute().parent.is_dir():
        raise UsageError(f"{report_file}: the folder of the report does not exist")
    try:
        with _progress() as progress:
            report = builder.build(
                inputs, store_dir, base=base, strict=strict, exclude=exclude, progress=progress
            )
    except UsageError:
        raise
    except (KgError, KeyboardInterrupt):
        note(_standing(SnapshotFolder(store_dir)))
        raise
    _summarise(report, report_file)
    if report_file:
        try:
            report_file.write_bytes(report.snapshot.report.read_bytes())
        except OSError as error:
            raise StoreError(
                f"{report_file}: {error.strerror or error};"
                f" the report is in {report.snapshot.report}"
            ) from error
    ctx.exit(report.exit_code)


def _standing(folder: SnapshotFolder) -> str:
    try:
        current = folder.current()
    except KgError:
        return "Nothing was built."
    if current is None:
        return f"Nothing was built; there is no snapshot in {folder.path}."
    return f"Nothing was changed; the snapshot {current.id} in {folder.path} stands."


@contextmanager
def _progress() -> Iterator[Told | None]:
    """Yield what a build tells its progress: a bar on a terminal, else a line now and then."""
    if quiet():
        yield None
    elif sys.stderr.isatty():
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
        )
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("starting", total=None)

            def show(stage: str, done: int, total: int | None) -> None:
                # The bar is redrawn ten times a second; the end of a stage is never missed.
                at_end = done == total
                bar.update(task, description=stage, completed=done, total=total, refresh=at_end)

            yield show
    else:
        said = time.monotonic()

        def say(stage: str, done: int, total: int | None) -> None:
            nonlocal said
            if time.monotonic() - said >= _SECONDS_BETWEEN_LINES:
                said = time.monotonic()
                note(f"{stage}: {done:,} of {total:,}" if total else f"{stage}: {done:,}")

        yield say


def _summarise(report: BuildReport, report_file: Path | None) -> None:
    """Write what a build did to standard error."""
    if quiet():
        for entry in errors(report.first):
            complain(str(entry))
        return
    table = Table("records", box=None, pad_edge=False)
    for column in ("read", "mapped", "refused"):
        table.add_column(column, justify="right")
    for kind, count in sorted(report.records.items()):
        table.add_row(kind, f"{count.read:,}", f"{count.mapped:,}", f"{count.refused:,}")
    _print(table)
    note("")
    classes = Table("class", box=None, pad_edge=False)
    classes.add_column("nodes", justify="right")
    curies = Curies(namespaces.prefixes())
    for iri, nodes in report.classes.items():
        classes.add_row(curies.compress(iri) or iri, f"{nodes:,}")
    _print(classes)
    note(f"\n{report.triples:,} triples in {report.snapshot.path}")
    for file, statements in report.statements.items():
        note(f"statements of your own from {file}: {statements:,}")
    for how, papers in sorted(report.joins.items(), key=lambda found: -found[1]):
        note(f"papers that rows and links point to, {how}: {papers:,}")
    for name, stage in report.stages.items():
        memory = f", {stage.peak_memory / 2**20:,.0f} MiB at most" if stage.peak_memory else ""
        note(f"{name}: {stage.seconds:,.1f} s{memory}")
    most_serious_first = sorted(
        report.first.items(), key=lambda found: list(Severity).index(found[1][0].severity)
    )
    for kind, entries in most_serious_first:
        total = report.kinds[kind]
        note(f"\n{entries[0].severity}: {kind}, {total:,}")
        for entry in entries:
            note(f"  {entry}")
        if total > len(entries):
            note("  …")
    if report.kinds:
        note(f"\nAll of them: {report_file or report.snapshot.report}")


def _print(table: Table) -> None:
    console = Console(stderr=True, color_system=None, width=80)
    with console.capture() as captured:
        console.print(table)
    note(captured.get().rstrip())
