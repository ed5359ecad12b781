"""``kg query``: ask a store, by a canned query or in SPARQL."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Mapping
from pathlib import Path

import click
import pyoxigraph as ox

from kg import namespaces
from kg.catalogue import CannedQuery, Catalogue
from kg.cli.answers import FORMATS, Destination, format_for, write_answer
from kg.cli.output import note
from kg.errors import QueryError, SourceError, StoreError, UsageError
from kg.iris import DEFAULT_BASE
from kg.snapshot import SnapshotFolder
from kg.sparql import check
from kg.store import Store


@click.command("query")
@click.argument("name", required=False)
@click.option("--file", "file", metavar="FILE", help="Ask the query in FILE (- is standard input).")
@click.option("--text", metavar="SPARQL", help="Ask this query.")
@click.option(
    "-p",
    "--parameter",
    "given",
    metavar="NAME=VALUE",
    multiple=True,
    help="Give a canned query a parameter; may be repeated.",
)
@click.option(
    "--store",
    "store_dir",
    metavar="DIR",
    required=True,
    type=click.Path(path_type=Path),
    help="The folder of the store.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(FORMATS),
    help="The format of the answer; by default as -o's FILE ends, or table (ttl for a graph).",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the answer to FILE, which is replaced when the answer is complete.",
)
def command(
    name: str | None,
    *,
    file: str | None,
    text: str | None,
    given: tuple[str, ...],
    store_dir: Path,
    format_: str | None,
    output: Path | None,
) -> None:
    """Ask a store one query: the canned query NAME, a FILE, or a text.

    Canned queries and their parameters are listed by kg queries. A parameter's value is a text,
    a number, a date, true or false, or for a thing its IRI, its CURIE or its slug. In a FILE or a
    text the prefixes of kg queries --prefixes need no declaration; a FILE that has a header like a
    canned query's takes parameters too.

    A table is cut to the width of a terminal (columns that have no room are named below it) and
    written whole anywhere else, with our IRIs as CURIEs. csv, tsv and json are the SPARQL 1.1
    results formats; a graph (CONSTRUCT, DESCRIBE) is ttl or nt. Everything is UTF-8.

    \b
    Example:
      kg query paper-code -p paper=cblue-a-chinese-biomedical-language --store mystore
      kg query leaderboard -p leaderboard=squad11 -p metric=F1 --store mystore -o squad.csv
      kg query --text 'SELECT ?s { ?s a kg:Dataset }' --store mystore --format json
    """  # noqa: D301 - click wants the character that \b is
    if sum(source is not None for source in (name, file, text)) != 1:
        raise UsageError("give one query: its NAME, or --file FILE, or --text SPARQL")
    values = _values(given)
    canned = _canned(name, file, values)
    if text is None:
        text = "" if canned or file is None else _read(file)
    elif values:
        raise UsageError("-p is for canned queries; write the values into the query's text")

    snapshot = SnapshotFolder(store_dir).current()
    if snapshot is None:
        raise StoreError(f"{store_dir}: there is no store here; kg build INPUT… --store makes one")
    base = str(snapshot.manifest.get("base", DEFAULT_BASE))
    prefixes = namespaces.prefixes(base)
    if canned:
        text = canned.bind(values, base)
    form = check(text, prefixes)
    format_ = format_for(form, format_, output)
    store = Store.open(snapshot.store)
    answer = store.query(text, prefixes=prefixes)
    if not write_answer(answer, format_, Destination(output), prefixes):
        note("no rows" if form == "SELECT" else "no triples")
        if canned:
            _explain_absence(canned, values, base, store)


def _values(given: tuple[str, ...]) -> dict[str, str]:
    values: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise UsageError(f"-p {text}: it takes NAME=VALUE")
        if name in values:
            raise UsageError(f"-p {name}: the parameter is given twice")
        values[name] = value
    return values


def _canned(name: str | None, file: str | None, values: Mapping[str, str]) -> CannedQuery | None:
    """Return the canned query that is meant, if one is."""
    if name is not None:
        return Catalogue.load().get(name)
    if file is not None and values:
        try:
            return CannedQuery.parse(Path(file).stem, _read(file))
        except QueryError as error:
            raise QueryError(f"{file}: {error}", line=error.line, column=error.column) from None
    return None


def _read(file: str) -> str:
    """Read a query's text: UTF-8, with a byte order mark or without."""
    try:
        content = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceError(file, f"it is no UTF-8 at byte {error.start}") from None
    except OSError as error:
        raise SourceError(file, error.strerror or str(error)) from None


def _explain_absence(
    canned: CannedQuery, values: Mapping[str, str], base: str, store: Store
) -> None:
    """Say which IRI among the parameters the store does not know, and which are like it."""
    for parameter, term in zip(canned.parameters, canned.terms(values, base).values(), strict=True):
        if not isinstance(term, ox.NamedNode) or store.query(f"ASK {{ {term} ?p ?o }}"):
            continue
        note(f"{term} (the parameter {parameter.name}) is not in this store")
        if parameter.space is None:
            continue
        namespace = parameter.space.namespace(base)
        key = term.value.removeprefix(namespace)
        # Not all of a large store is compared: a name mistyped is mostly so after its beginning.
        beginning = ox.Literal(namespace + key[:2])
        candidates = store.query(
            f"SELECT ?s {{ ?s a <{parameter.space.class_iri}>"
            f" FILTER(STRSTARTS(STR(?s), {beginning})) }} LIMIT 10000"
        )
        keys = (
            [solution["s"].value.removeprefix(namespace) for solution in candidates]
            if isinstance(candidates, ox.QuerySolutions)
            else []
        )
        near = difflib.get_close_matches(key, keys, 3)
        if near:
            note(f"did you mean {' or '.join(near)}?")
