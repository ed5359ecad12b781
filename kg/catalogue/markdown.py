"""The catalogue as Markdown: ``queries/README.md``, which lists every canned query.

Texts of headers are escaped, so that they read as they are written; a query's own text is shown in
a fenced block when one query is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from kg.catalogue.canned import CannedQuery
from kg.catalogue.description import command_line
from kg.catalogue.parameters import Parameter

_MARKS: Final = re.compile(r"([\\`*_{}\[\]<>#|])")

_HEAD: Final = """\
# Canned queries

The questions that are ready to ask, one SPARQL 1.1 file each. A file runs as it stands in any
SPARQL engine; its parameters stand in one `VALUES` block, and the lines that begin with `#+` say
what it answers and takes. A thing is named by its IRI, its CURIE or its slug. In a store the same
catalogue stands as RDF in the named graph `https://w3id.org/paperkg/queries`.

This page is written by `kg queries --format markdown`.
"""


def listed_in_markdown(queries: Iterable[CannedQuery]) -> str:
    """Return a page that lists *queries* and says of each what it answers and takes."""
    queries = list(queries)
    rows = [f"| [{query.name}](#{query.name}) | {_escaped(query.title)} |" for query in queries]
    table = ["| query | answers |", "|---|---|", *rows]
    sections = [_section(query) for query in queries]
    return "\n".join([_HEAD, *table, ""]) + "\n" + "\n".join(sections)


def in_markdown(query: CannedQuery) -> str:
    """Return one query in full, its text included."""
    longest = max(map(len, re.findall("`+", query.text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{_section(query)}\n{fence}sparql\n{query.text.rstrip()}\n{fence}\n"


def _section(query: CannedQuery) -> str:
    parts = [f"## {query.name}", "", f"**{_escaped(query.title)}.** {_escaped(query.description)}"]
    if query.parameters:
        parts += ["", "| parameter | takes | | example |", "|---|---|---|---|"]
        parts += [_row(parameter) for parameter in query.parameters]
    if query.columns:
        parts += ["", "Columns: " + ", ".join(f"`{column}`" for column in query.columns) + "."]
    parts += ["", "```sh", command_line(query), "```", ""]
    return "\n".join(parts)


def _row(parameter: Parameter) -> str:
    status = "required" if parameter.required else "optional"
    if parameter.default is not None:
        status = f"default {parameter.default}"
    cells = [
        f"`{parameter.name}`",
        f"{_escaped(parameter.description)} Takes {_escaped(parameter.expects)}.",
        _escaped(status),
        _escaped(parameter.example),
    ]
    return f"| {' | '.join(cells)} |"


def _escaped(text: str) -> str:
    return _MARKS.sub(r"\\\1", text)
