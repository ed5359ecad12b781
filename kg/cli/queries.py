"""``kg queries``: which canned queries there are, and what each takes and says."""

from __future__ import annotations

import json
from pathlib import Path

import click

from kg import namespaces
from kg.catalogue import CannedQuery, Parameter
from kg.catalogue.description import assignment, command_line, described
from kg.catalogue.markdown import in_markdown, listed_in_markdown
from kg.cli.catalogues import load, own_queries
from kg.cli.output import data
from kg.errors import UsageError
from kg.tables import table


@click.command("queries")
@click.argument("name", required=False)
@click.option("--prefixes", is_flag=True, help="List the prefixes that need no declaration.")
@own_queries
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    show_default=True,
    help="How to show them.",
)
def command(name: str | None, *, prefixes: bool, own: Path | None, format_: str) -> None:
    """List the canned queries, or show the one called NAME in full.

    \b
    Example:
      kg queries
      kg queries leaderboard
      kg queries --queries myqueries/
      kg queries --prefixes
    """  # noqa: D301 - click wants the character that \b is
    if prefixes:
        if name is not None or format_ == "markdown":
            raise UsageError("--prefixes goes with neither the NAME of a query nor markdown")
        known = namespaces.prefixes()
        rows = [[f"{prefix}:", iri] for prefix, iri in known.items()]
        data(_json(known) if format_ == "json" else table(["prefix", "namespace"], rows))
        return
    catalogue = load(own)
    if name is not None:
        query = catalogue.get(name)
        if format_ == "json":
            data(_json(_described(query)))
        else:
            data(in_markdown(query) if format_ == "markdown" else _in_full(query))
    elif format_ == "json":
        data(_json([_described(query) for query in catalogue]))
    elif format_ == "markdown":
        data(listed_in_markdown(catalogue))
    else:
        rows = [
            [query.name, query.title, " ".join(_short(p) for p in query.parameters)]
            for query in catalogue
        ]
        data(table(["name", "title", "parameters"], rows))


def _short(parameter: Parameter) -> str:
    return parameter.name if parameter.required else f"[{parameter.name}]"


def _in_full(query: CannedQuery) -> str:
    parts = [f"{query.name}: {query.title}", "", query.description, ""]
    for parameter in query.parameters:
        status = "required" if parameter.required else "optional"
        if parameter.default is not None:
            status = f"default {parameter.default}"
        parts += [
            f"-p {parameter.name}=…  ({parameter.expects}; {status})",
            f"    {parameter.description}",
            f"    Example: -p {assignment(parameter)}",
        ]
    parts += ["", "Columns: " + ", ".join(query.columns)] if query.columns else []
    parts += ["", command_line(query), "", query.text]
    return "\n".join(parts)


def _described(query: CannedQuery) -> dict[str, object]:
    return {**described(query), "command": command_line(query)}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
