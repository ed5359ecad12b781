"""``kg validate``: SHACL validation of a store."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import click
import pyoxigraph as ox

from kg import namespaces
from kg.answers.turtle_names import serialize
from kg.cli.answers import TABLE, Destination
from kg.cli.output import complain, note
from kg.cli.stores import store_option
from kg.curies import Curies
from kg.rdflib_terms import Term
from kg.snapshot import Snapshot, SnapshotFolder
from kg.tables import cell, table
from kg.validator import (
    INFO,
    VIOLATION,
    WARNING,
    Result,
    ShapeCount,
    ValidationReport,
    validate,
)
from kg.values import visible

FORMATS: Final = (TABLE, "ttl", "json")
INVALID: Final = 1
"""The exit code where the data is invalid; that it could not be validated has other codes."""

_COUNTED: Final = {"violation": VIOLATION, "warning": WARNING, "info": INFO}
_TARGET_WORDS: Final = {
    "targetNode": "the node ",
    "targetSubjectsOf": "subjects of ",
    "targetObjectsOf": "objects of ",
}


@click.command("validate")
@store_option
@click.option(
    "--shapes",
    "shapes_file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Validate against the shapes in FILE (Turtle, or as its name ends) instead of ours.",
)
@click.option(
    "--strict", is_flag=True, help="Fail for warnings and shapes without focus nodes too."
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(FORMATS),
    help="The format of the report; by default as -o's FILE ends, or table.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the report to FILE, which is replaced when the report is complete.",
)
@click.pass_context
def command(
    ctx: click.Context,
    *,
    store_dir: Path,
    shapes_file: Path | None,
    strict: bool,
    format_: str | None,
    output: Path | None,
) -> None:
    """Validate a store's default graph against SHACL shapes.

    The report counts the focus nodes of each shape: one that has none checks nothing, which is
    said as a warning. ttl is a SHACL validation report, whose sh:conforms is false for a result of
    any severity. Constraints are those of SHACL Core and SHACL-SPARQL; no other file is read
    (owl:imports), no other place asked (SERVICE, FROM).

    The exit code is 0 if there is no violation (with --strict: nothing but infos), 1 if the data
    is invalid, 2 for wrong usage, 3 if the shapes are missing or wrong, 4 if the store is.

    \b
    Example:
      kg validate --store mystore
      kg validate --store mystore --shapes my-shapes.ttl --strict -o report.ttl
    """  # noqa: D301 - click wants the character that \b is
    snapshot = SnapshotFolder(store_dir).built()
    report = validate(snapshot, shapes_file)
    prefixes = report.prefixes | namespaces.prefixes(snapshot.base)
    ending = output.suffix.removeprefix(".").lower() if output else ""
    format_ = format_ or (ending if ending in FORMATS else TABLE)
    destination = Destination(output)
    if format_ == "ttl":
        document = _turtle(report, prefixes)
    elif format_ == "json":
        document = _json(report, snapshot, shapes_file)
    else:
        document = _table(report, Curies(prefixes), destination.table_width)
    destination.write(lambda stream: stream.write(document))
    _summarise(report, Curies(prefixes), strict=strict)
    ctx.exit(INVALID if report.failed(strict=strict) else 0)


def _turtle(report: ValidationReport, prefixes: Mapping[str, str]) -> bytes:
    triples = list(report.rdf())
    iris = {term.value for t in triples for term in t if isinstance(term, ox.NamedNode)}
    curies = Curies(prefixes)
    used = {curies.namespace(iri) for iri in iris}
    declared = {prefix: iri for prefix, iri in prefixes.items() if iri in used}
    stream = io.BytesIO()
    serialize(triples, stream, ox.RdfFormat.TURTLE, declared)
    return stream.getvalue()


def _json(report: ValidationReport, snapshot: Snapshot, shapes_file: Path | None) -> bytes:
    described = _described(report, snapshot, shapes_file)
    return json.dumps(described, ensure_ascii=False, indent=2).encode("utf-8") + b"\n"


def _table(report: ValidationReport, curies: Curies, width: int | None) -> bytes:
    rows = [
        [_shape(shape.shape, curies), _targets(shape, curies), _focus_nodes(shape)]
        for shape in report.shapes
    ]
    head = ["shape", "looks at", "focus nodes"]
    text = table(head, rows, right=[False, False, True], width=width)
    if report.results:
        found = [_row(result, curies) for result in report.results]
        columns = ["severity", "focus node", "path", "value", "shape", "message"]
        text += "\n" + table(columns, found, width=width)
    return text.encode("utf-8")


def _focus_nodes(shape: ShapeCount) -> str:
    return "deactivated" if shape.deactivated else f"{shape.focus_nodes:,}"


def _row(result: Result, curies: Curies) -> list[str]:
    return [
        _severity(result.severity) or _iri(result.severity, curies),
        cell(result.focus, curies),
        result.path.text(lambda iri: _iri(iri, curies)) if result.path else "",
        cell(result.value, curies),
        _shape(result.shape, curies),
        visible(result.message),
    ]


def _shape(shape: Term, curies: Curies) -> str:
    return "(no name)" if isinstance(shape, ox.BlankNode) else cell(shape, curies)


def _targets(shape: ShapeCount, curies: Curies) -> str:
    return ", ".join(
        _TARGET_WORDS.get(kind, "") + cell(value, curies) for kind, value in shape.targets
    )


def _iri(iri: str, curies: Curies) -> str:
    return curies.compress(iri) or f"<{iri}>"


def _severity(iri: str) -> str | None:
    return next((word for word, severity in _COUNTED.items() if severity == iri), None)


def _summarise(report: ValidationReport, curies: Curies, *, strict: bool) -> None:
    """Write what was found to standard error."""
    say = complain if strict else note
    for remark in report.remarks:
        say(f"warning: {remark}")
    for shape in report.idle:
        name = _shape(shape.shape, curies)
        targets = _targets(shape, curies) or "it has no target and no shape uses it"
        why = "it is deactivated" if shape.deactivated else f"no focus node ({targets})"
        say(f"warning: the shape {name} checks nothing: {why}")
    counts = [_plural(report.number(iri), word) for word, iri in _COUNTED.items()]
    checked = sum(shape.focus_nodes for shape in report.shapes if not shape.deactivated)
    note(
        f"{', '.join(counts)} in {_plural(report.triples, 'triple')};"
        f" {_plural(len(report.shapes), 'shape')} looked at {_plural(checked, 'node')}"
    )


def _plural(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def _described(
    report: ValidationReport, snapshot: Snapshot, shapes_file: Path | None
) -> dict[str, object]:
    return {
        "conforms": report.conforms,
        "snapshot": snapshot.id,
        "shapesFile": str(shapes_file) if shapes_file else None,
        "triples": report.triples,
        **{f"{word}s": report.number(iri) for word, iri in _COUNTED.items()},
        "shapes": [
            {
                "shape": _name(shape.shape),
                "targets": [{kind: _name(value)} for kind, value in shape.targets],
                "focusNodes": shape.focus_nodes,
                "deactivated": shape.deactivated,
            }
            for shape in report.shapes
        ],
        "remarks": report.remarks,
        "results": [
            {
                "severity": result.severity,
                "focusNode": _term(result.focus),
                "path": result.path.text(lambda iri: f"<{iri}>") if result.path else None,
                "value": _term(result.value) if result.value is not None else None,
                "shape": _name(result.shape),
                "component": result.component,
                "message": result.message,
            }
            for result in report.results
        ],
    }


def _name(term: Term) -> str | None:
    return None if isinstance(term, ox.BlankNode) else term.value


def _term(term: Term) -> dict[str, str]:
    """Return a term as the SPARQL 1.1 results format for JSON has it (section 3.2.2)."""
    if isinstance(term, ox.NamedNode):
        return {"type": "uri", "value": term.value}
    if isinstance(term, ox.BlankNode):
        return {"type": "bnode", "value": term.value}
    found = {"type": "literal", "value": term.value}
    if term.language is not None:
        found["xml:lang"] = term.language
    elif term.datatype.value != namespaces.XSD + "string":
        found["datatype"] = term.datatype.value
    return found
