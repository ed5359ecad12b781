"""``kg coverage``: what becomes of every key path of the input."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable

import click

from kg.cli.output import complain, data, note
from kg.coverage import Coverage, Fate, PathFate
from kg.curies import Curies
from kg.errors import RecordError, SourceError
from kg.namespaces import prefixes
from kg.sources import RawRecord, RdfFile, Sources
from kg.tables import table


@click.command("coverage")
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT…")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["table", "json"]),
    default="table",
    show_default=True,
    help="How to list the key paths.",
)
def command(inputs: tuple[str, ...], format_: str) -> int:
    """List every key path of the input and what becomes of its values.

    The fates are found out by changing a value and mapping the record again: mapped (to which
    property), vocabulary (kept in a code list), derived (recomputable, and checked), left out
    (with the reason), no value (empty in every record seen), unmapped.

    INPUT is a file, a folder, a glob or - for standard input. The exit code is 1 if a record was
    refused or a key path is unmapped, 3 if an input could not be read.

    \b
    Example:
      kg coverage records/
      kg coverage - --format json < paper.json
    """  # noqa: D301 - click wants the character that \b is
    coverage = Coverage()
    code = 0
    with Sources(inputs) as sources:
        for raw in sources:
            if isinstance(raw, RawRecord):
                try:
                    coverage.add(raw.value)
                except RecordError as error:
                    error.file, error.position = raw.file, raw.position
                    complain(f"refused: {error}")
                    code = max(code, 1)
            elif not isinstance(raw, RdfFile):
                complain(f"{'unreadable' if isinstance(raw, SourceError) else 'refused'}: {raw}")
                code = max(code, raw.exit_code)
        for left_out in sources.left_out:
            note(f"left out: {left_out.place}: {left_out.reason}")
    fates = list(coverage.fates())
    data(_as_json(fates) if format_ == "json" else _as_table(fates))
    counts = Counter(fate.fate for fate in fates)
    note(", ".join(f"{counts[fate]} {fate}" for fate in Fate if counts[fate]) or "no key paths")
    return max(code, 1 if counts[Fate.UNMAPPED] else 0)


def _as_json(fates: Iterable[PathFate]) -> str:
    rows = (
        {
            "kind": fate.kind,
            "path": fate.path,
            "fate": fate.fate,
            "properties": fate.properties,
            "reason": fate.reason,
            "values": fate.values,
        }
        for fate in fates
    )
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _as_table(fates: Iterable[PathFate]) -> str:
    curies = Curies(prefixes())
    rows = [
        (
            fate.kind,
            fate.path,
            str(fate.fate),
            " ".join(curies.compress(iri) or iri for iri in fate.properties) or fate.reason,
        )
        for fate in fates
    ]
    return table(("kind", "path", "fate", "properties or reason"), rows)
