"""``kg queries``: which canned queries there are, and what each takes and says."""

from __future__ import annotations

import json
import shlex

import click

from kg import namespaces
from kg.catalogue import CannedQuery, Catalogue, Parameter
from kg.cli.output import data
from kg.errors import UsageError
from kg.tables import table


@click.command("queries")
@click.argument("name", required=False)
@click.option("--prefixes", is_flag=True, help="List the prefixes that need no declaration.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How to show them.",
)
def command(name: str | None, *, prefixes: bool, format_: str) -> None:
    """List the canned queries, or show the one called NAME in full.

    \b
    Example:
      kg queries
      kg queries leaderboard
      kg queries --prefixes
    """  # noqa: D301 - click wants the character that \b is
    if prefixes:
        if name is not None:
            raise UsageError("give the NAME of a query or --prefixes, not both")
        known = namespaces.prefixes()
        rows = [[f"{prefix}:", iri] for prefix, iri in known.items()]
        data(_json(known) if format_ == "json" else table(["prefix", "namespace"], rows))
    elif name is not None:
        query = Catalogue.load().get(name)
        data(_json(_described(query)) if format_ == "json" else _in_full(query))
    else:
        catalogue = Catalogue.load()
        if format_ == "json":
            data(_json([_described(query) for query in catalogue]))
        else:
            rows = [
                [query.name, query.title, " ".join(_short(p) for p in query.parameters)]
                for query in catalogue
            ]
            data(table(["name", "title", "parameters"], rows))


def _short(parameter: Parameter) -> str:
    return parameter.name if parameter.required else f"[{parameter.name}]"


def command_line(query: CannedQuery) -> str:
    """Return the command that asks *query* with the examples of its required parameters."""
    given = "".join(f" -p {_quoted(p)}" for p in query.parameters if p.required)
    return f"kg query {query.name}{given} --store DIR"


def _in_full(query: CannedQuery) -> str:
    parts = [f"{query.name}: {query.title}", "", query.description, ""]
    for parameter in query.parameters:
        status = "required" if parameter.required else "optional"
        if parameter.default is not None:
            status = f"default {parameter.default}"
        parts += [
            f"-p {parameter.name}=…  ({parameter.expects}; {status})",
            f"    {parameter.description}",
            f"    Example: -p {_quoted(parameter)}",
        ]
    parts += ["", "Columns: " + ", ".join(query.columns)] if query.columns else []
    parts += ["", command_line(query), "", query.text]
    return "\n".join(parts)


def _quoted(parameter: Parameter) -> str:
    return shlex.quote(f"{parameter.name}={parameter.example}")


def _described(query: CannedQuery) -> dict[str, object]:
    return {
        "name": query.name,
        "title": query.title,
        "description": query.description,
        "form": query.form,
        "columns": query.columns,
        "parameters": [
            {
                "name": parameter.name,
                "type": parameter.type,
                "takes": parameter.expects,
                "required": parameter.required,
                "default": parameter.default,
                "example": parameter.example,
                "description": parameter.description,
            }
            for parameter in query.parameters
        ],
        "command": command_line(query),
        "text": query.text,
    }


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
