"""``kg query``: ask a store, by a canned query or in SPARQL."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import click
import pyoxigraph as ox

from kg import namespaces
from kg.catalogue import CannedQuery
from kg.catalogue.header import has_header
from kg.cli.answers import FORMATS, Destination, format_for, write_answer
from kg.cli.catalogues import load, own_queries
from kg.cli.endpoints import endpoint_of, place_options
from kg.cli.interrupting import interruptible
from kg.cli.output import note
from kg.endpoint import Endpoint
from kg.errors import QueryError, SourceError, UsageError
from kg.opened import Answer, Opened
from kg.sparql import check


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
@own_queries
@place_options
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
    own: Path | None,
    store_dir: Path | None,
    url: str | None,
    token_file: Path | None,
    timeout: float | None,
    format_: str | None,
    output: Path | None,
) -> None:
    """Ask a store, or an endpoint, one query: the canned query NAME, a FILE, or a text.

    Canned queries and their parameters are listed by kg queries. A parameter's value is a text,
    a number, a date, true or false, or for a thing its IRI, its CURIE or its slug. In a FILE or a
    text the prefixes of kg queries --prefixes need no declaration, and a relative IRI is one below
    the store's base; a FILE that has a header like a canned query's takes parameters too. With
    --queries, the canned queries in a folder of your own are known by their names as well.

    A table is cut to the width of a terminal (columns that have no room are named below it) and
    written whole anywhere else, with our IRIs as CURIEs. json, xml, csv and tsv are the
    SPARQL 1.1 results formats; a graph (CONSTRUCT, DESCRIBE) is ttl, nt, rdfxml, jsonld, nq or
    trig. Everything is UTF-8.

    A server that is busy is asked again a few times, as long as it asks for but for a minute at
    most; what it answers must fit into memory. An endpoint's address is that of its queries, or of
    a kg serve.

    \b
    Example:
      kg query paper-code -p paper=cblue-a-chinese-biomedical-language --store mystore
      kg query leaderboard -p leaderboard=question-answering-on-squad11-dev --store s -o a.csv
      kg query --text 'SELECT ?s { ?s a kg:Dataset }' --store mystore --format json
      kg query class-counts --endpoint http://127.0.0.1:7878
      kg query --text 'ASK { ?s a kg:Paper }' --endpoint https://example.org/ds/query
    """  # noqa: D301 - click wants the character that \b is
    if sum(source is not None for source in (name, file, text)) != 1:
        raise UsageError("give one query: its NAME, or --file FILE, or --text SPARQL")
    if own is not None and name is None:
        raise UsageError("--queries is where the query NAME is looked for; --file names a file")
    values = _values(given)
    if text is not None and values:
        raise UsageError("-p is for canned queries; write the values into the query's text")
    question: CannedQuery | str = text or ""
    if file is not None:
        question = _from_file(file, values)
    elif name is not None:
        question = _named(name, own)

    ask, base = _asked(store_dir, endpoint_of(store_dir, url, token_file, timeout))
    prefixes = namespaces.prefixes(base)
    canned = question if isinstance(question, CannedQuery) else None
    sparql = question if isinstance(question, str) else question.bind(values, base)
    with interruptible():
        form = check(sparql, prefixes, base)
        format_ = format_for(form, format_, output)
        count = write_answer(ask(sparql), format_, Destination(output), prefixes)
    if count == 0:
        note("no rows" if form == "SELECT" else "no triples")
        if canned:
            _explain_absence(canned, values, base, ask)
    elif canned and count is not None and canned.fills_limit(values, count, base):
        note(f"these are the first {count} rows; -p limit=N gives more")


def _asked(
    store_dir: Path | None, endpoint: Endpoint | None
) -> tuple[Callable[[str], Answer], str]:
    """Return what answers queries, and the base of its IRIs."""
    if endpoint is not None:
        base = endpoint.base
        prefixes = namespaces.prefixes(base)
        return lambda text: endpoint.query(text, prefixes=prefixes), base
    opened = Opened.at(store_dir or "")
    return opened.query, opened.base


def _named(name: str, own: Path | None) -> CannedQuery:
    try:
        return load(own).get(name)
    except UsageError as error:
        if Path(name).is_file():
            raise UsageError(f"{error}; a file is asked by --file {name}") from None
        raise


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


def _from_file(file: str, values: Mapping[str, str]) -> CannedQuery | str:
    """Return the canned query in a file, or its text where it has no header of one."""
    text = _read(file)
    if not values and not has_header(text):
        return text
    try:
        return CannedQuery.parse(Path(file).stem, text)
    except QueryError as error:
        raise QueryError(f"{file}: {error}", line=error.line, column=error.column) from None


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
    canned: CannedQuery, values: Mapping[str, str], base: str, ask: Callable[[str], Answer]
) -> None:
    """Say which IRI among the parameters the store does not know, and which are like it."""
    for parameter, term in zip(canned.parameters, canned.terms(values, base).values(), strict=True):
        if not isinstance(term, ox.NamedNode) or ask(f"ASK {{ {term} ?p ?o }}"):
            continue
        note(f"{term} (the parameter {parameter.name}) is not in this store")
        if parameter.space is None:
            continue
        namespace = parameter.space.namespace(base)
        key = term.value.removeprefix(namespace)
        # Not all of a large store is compared: a name mistyped is mostly so after its beginning.
        beginning = ox.Literal(namespace + key[:2])
        candidates = ask(
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
