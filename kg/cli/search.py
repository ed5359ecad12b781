"""``kg search``: find papers, datasets, methods and tasks by name."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import astuple, fields
from pathlib import Path

import click

from kg.cli.answers import TABLE, Destination
from kg.cli.output import note
from kg.cli.stores import store_option
from kg.search import FILE, KINDS, LIMIT, Hit, Index, hits_as_json
from kg.snapshot import SnapshotFolder
from kg.tables import table
from kg.values import visible


@click.command("search")
@click.argument("words", nargs=-1, required=True, metavar="TEXT…")
@store_option
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice(KINDS),
    help="Find things of this kind alone; may be repeated.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=LIMIT,
    show_default=True,
    help="How many to show at most.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice([TABLE, "json", "csv"]),
    default=TABLE,
    show_default=True,
    help="How to show them.",
)
def command(
    words: tuple[str, ...], *, store_dir: Path, kinds: tuple[str, ...], limit: int, format_: str
) -> None:
    """Find papers, datasets, methods and tasks by name, the nearest first.

    All words of TEXT must stand in the names of a thing, in any order; the last one, and others of
    three letters or more, may be cut short. Case and accents do not count. A slug and an arXiv
    identifier are found too. What is called TEXT comes first, then what begins so.

    \b
    Example:
      kg search attention is all --store mystore
      kg search squad --kind dataset --format json --store mystore
    """  # noqa: D301 - click wants the character that \b is
    text = " ".join(words)
    with Index.open(SnapshotFolder(store_dir).built().path / FILE) as index:
        hits = index.search(text, kinds, limit)
    destination = Destination(None)
    if format_ == "json":
        content = json.dumps(hits_as_json(text, hits), ensure_ascii=False, indent=2) + "\n"
    elif format_ == "csv":
        content = _csv(hits)
    else:
        rows = [[visible(v or "") for v in (h.kind, h.name, h.detail, h.slug)] for h in hits]
        width = destination.table_width
        content = table(["kind", "name", "detail", "slug"], rows, width=width)
    destination.write(lambda stream: stream.write(content.encode("utf-8", "replace")))
    if not hits:
        note("nothing of this name")


def _csv(hits: Sequence[Hit]) -> str:
    """Return *hits* as CSV (RFC 4180) with a head."""
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerow([field.name for field in fields(Hit)])
    writer.writerows(map(astuple, hits))
    return file.getvalue()
