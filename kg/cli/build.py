"""``kg build``: records → a snapshot of a store."""

from __future__ import annotations

from pathlib import Path

import click

from kg import builder
from kg.builder import BuildReport
from kg.cli.answers import Destination
from kg.cli.inputs import input_parameters
from kg.cli.output import note, quiet
from kg.cli.telling import progress, say_classes, say_errors, say_outcome, say_records
from kg.errors import KgError, UsageError
from kg.snapshot import SnapshotFolder


@click.command("build")
@click.option(
    "--store",
    "store_dir",
    metavar="DIR",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder of the store; made if it is missing.",
)
@click.option(
    "--update",
    is_flag=True,
    help="Change what differs from the current snapshot, instead of loading everything.",
)
@input_parameters
@click.pass_context
def command(
    ctx: click.Context,
    inputs: tuple[str, ...],
    *,
    store_dir: Path,
    base: str,
    update: bool,
    strict: bool,
    exclude: Path | None,
    report_file: Path | None,
) -> None:
    """Build a graph from records and make it the store's current snapshot.

    An INPUT is a file of records (JSON, JSON Lines, Parquet), an RDF file with statements of your
    own, a folder of them, a glob pattern, or - for standard input; gzip, bzip2, xz and Zstandard
    are read too. A record that cannot be taken in is reported and the rest goes on (exit 1; 3 where
    a file could not be read). Until the build is complete, the store stays as it was; the new
    snapshot holds what the INPUTs hold and takes the place of the one before. With --update it is
    made of the one before by what differs, which is quicker where little does; give all INPUTs
    again, for what none of them holds any more is removed.

    \b
    Example:
      kg build records/ more/*.jsonl --store mystore
      kg build papers-with-abstracts.json.gz my-notes.ttl --store mystore --strict
      kg build records/ more/*.jsonl --store mystore --update
    """  # noqa: D301 - click wants the character that \b is
    Destination(report_file).check()
    try:
        with progress() as tell:
            report = builder.build(
                inputs,
                store_dir,
                base=base,
                strict=strict,
                exclude=exclude,
                update=update,
                progress=tell,
            )
    except UsageError:
        raise
    except (KgError, KeyboardInterrupt):
        note(_standing(SnapshotFolder(store_dir)))
        raise
    _summarise(report, report_file)
    if report_file:
        said = report.snapshot.report
        try:
            Destination(report_file).write(lambda stream: stream.write(said.read_bytes()))
        except UsageError as error:
            raise UsageError(f"{error}; the store is built, and the report is in {said}") from error
    ctx.exit(report.exit_code)


def _standing(folder: SnapshotFolder) -> str:
    try:
        current = folder.current()
    except KgError:
        return "Nothing was built."
    if current is None:
        return f"Nothing was built; there is no snapshot in {folder.path}."
    return f"Nothing was changed; the snapshot {current.id} in {folder.path} stands."


def _summarise(report: BuildReport, report_file: Path | None) -> None:
    """Write what a build did to standard error."""
    if quiet():
        say_errors(report)
        return
    say_records(report)
    say_classes(report.classes)
    note(f"\n{report.triples:,} triples in {report.snapshot.path}")
    if report.changes is not None:
        note(f"{report.changes.added:,} triples added, {report.changes.removed:,} removed")
    say_outcome(report, report_file or report.snapshot.report)
