"""``kg info``: what a store's current snapshot is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from kg import namespaces
from kg.cli.output import data
from kg.cli.stores import store_option
from kg.curies import Curies
from kg.snapshot import SnapshotFolder
from kg.tables import table
from kg.values import visible


@click.command("info")
@store_option
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How to show it.",
)
def command(store_dir: Path, *, format_: str) -> None:
    """Say what a store's snapshot is, what it was built from and what it counts.

    \b
    Example:
      kg info --store mystore
      kg info --store mystore --format json
    """  # noqa: D301 - click wants the character that \b is
    snapshot = SnapshotFolder(store_dir).built()
    manifest = snapshot.manifest
    if format_ == "json":
        data(json.dumps(manifest, ensure_ascii=False, indent=2) + "\n")
    else:
        data(_text(snapshot.path, manifest))


def _text(path: Path, manifest: Mapping[str, Any]) -> str:
    """Return the manifest for people."""
    base = str(manifest["base"])
    curies = Curies(namespaces.prefixes(base))
    facts = [
        ["snapshot", str(manifest["snapshot"])],
        ["folder", str(path)],
        ["built", f"{manifest['created']} by paperkg {manifest['paperkg']}"],
        ["base", base],
        ["triples", f"{manifest['triples']:,}"],
    ]
    facts += [
        [f"graph <{iri}>", f"{count:,} quads"] for iri, count in manifest.get("graphs", {}).items()
    ]
    inputs = [
        [
            visible(str(file["name"])),
            f"{file['records']:,}",
            "" if file["size"] is None else f"{file['size']:,}",
            str(file["sha256"] or "not read"),
        ]
        for file in manifest["inputs"]
    ]
    records = [
        [kind, *(f"{count[part]:,}" for part in ("read", "mapped", "refused"))]
        for kind, count in manifest["records"].items()
    ]
    classes = [
        [curies.compress(iri) or iri, f"{count:,}"] for iri, count in manifest["classes"].items()
    ]
    noticed = [[kind, f"{count:,}"] for kind, count in manifest["report"].items()]
    parts = [
        "".join(f"{name:<8}  {value}\n" for name, value in facts),
        table(["input", "records", "bytes", "sha256"], inputs, right=[False, True, True]),
        table(["records", "read", "mapped", "refused"], records, right=[False, True, True, True]),
        table(["class", "nodes"], classes, right=[False, True]),
    ]
    if noticed:
        parts.append(table(["reported", "times"], noticed, right=[False, True]))
    return "\n".join(parts)
