"""What commands that map records tell: their progress, and at the end what became of the input."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from kg import namespaces
from kg.cli.output import complain, note, quiet
from kg.curies import Curies
from kg.mapping import Outcome, silent
from kg.report import Severity, errors
from kg.stages import Progress as Told

_SECONDS_BETWEEN_LINES: Final = 5.0


class _Rate(ProgressColumn):
    """How much is done in a second."""

    def render(self, task: Task) -> Text:
        """Return the rate as text, once it is known."""
        return Text(f"{task.speed:,.0f}/s" if task.speed else "")


@contextmanager
def progress() -> Iterator[Told]:
    """Yield what is told the progress: a bar on a terminal, else a line now and then."""
    if quiet():
        yield silent
    elif sys.stderr.isatty():
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            _Rate(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
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


def say_errors(outcome: Outcome) -> None:
    """Write what was refused, ``--quiet`` or not: the first few of each kind."""
    for entry in errors(outcome.first):
        complain(str(entry))


def say_records(outcome: Outcome) -> None:
    """Write how many records of each kind were read, mapped and refused."""
    table = Table("records", box=None, pad_edge=False)
    for column in ("read", "mapped", "refused"):
        table.add_column(column, justify="right")
    for kind, count in sorted(outcome.records.items()):
        table.add_row(kind, f"{count.read:,}", f"{count.mapped:,}", f"{count.refused:,}")
    if len(outcome.records) > 1:
        counts = outcome.records.values()
        table.add_row(
            "all",
            f"{sum(count.read for count in counts):,}",
            f"{sum(count.mapped for count in counts):,}",
            f"{sum(count.refused for count in counts):,}",
        )
    say_table(table)
    for kind, count in sorted(outcome.records.items()):
        if count.expanded:
            note(
                f"{count.expanded:,} {kind} records were mapped by PyLD, which is slow: their"
                " context says what is not compiled"
            )


def say_classes(classes: Mapping[str, int]) -> None:
    """Write how many nodes there are of each class."""
    note("")
    table = Table("class", box=None, pad_edge=False)
    table.add_column("nodes", justify="right")
    curies = Curies(namespaces.prefixes())
    for iri, nodes in classes.items():
        table.add_row(curies.compress(iri) or iri, f"{nodes:,}")
    say_table(table)


def say_outcome(outcome: Outcome, report: Path | None) -> None:
    """Write the rest of how it went; all of it stands in the file *report*, if any."""
    for file, statements in outcome.statements.items():
        note(f"statements of your own from {file}: {statements:,}")
    for how, papers in sorted(outcome.joins.items(), key=lambda found: -found[1]):
        note(f"papers that rows and links point to, {how}: {papers:,}")
    for name, stage in outcome.stages.items():
        memory = f", {stage.peak_memory / 2**20:,.0f} MiB at most" if stage.peak_memory else ""
        note(f"{name}: {stage.seconds:,.1f} s{memory}")
    most_serious_first = sorted(
        outcome.first.items(), key=lambda found: list(Severity).index(found[1][0].severity)
    )
    for kind, entries in most_serious_first:
        total = outcome.kinds[kind]
        note(f"\n{entries[0].severity}: {kind}, {total:,}")
        for entry in entries:
            note(f"  {entry}")
        if total > len(entries):
            note("  …")
    if outcome.kinds:
        note(f"\nAll of them: {report}" if report else "\n--report FILE writes all of them")


def say_table(table: Table) -> None:
    """Write a table, 80 columns wide."""
    console = Console(stderr=True, color_system=None, width=80)
    with console.capture() as captured:
        console.print(table)
    note(captured.get().rstrip())
