"""``kg serve``: a store behind a SPARQL endpoint."""

from __future__ import annotations

from pathlib import Path

import click

from kg.cli.catalogues import load, own_queries
from kg.cli.output import note
from kg.cli.stores import store_option
from kg.server import Application, serve


@click.command("serve")
@store_option
@click.option(
    "--host",
    metavar="HOST",
    default="127.0.0.1",
    show_default=True,
    help="The address to listen at; 0.0.0.0 is every one of this machine.",
)
@click.option(
    "--port",
    metavar="PORT",
    type=click.IntRange(0, 65535),
    default=7878,
    show_default=True,
    help="The port to listen at; 0 is any that is free.",
)
@own_queries
def command(*, store_dir: Path, host: str, port: int, own: Path | None) -> None:
    """Serve a store: SPARQL 1.1 queries at /sparql, canned queries at /queries.

    /sparql takes queries by GET and POST, and answers in JSON, XML, CSV or TSV, a graph in Turtle,
    N-Triples, RDF/XML, JSON-LD, N-Quads or TriG, as the Accept header or format= asks for. The
    prefixes of kg queries --prefixes need no declaration. Nothing can be written. /queries lists
    the canned queries, and /queries/NAME?parameter=value&format=csv asks one; --queries adds your
    own, as they are at the start.

    The snapshot that is current at the start is served to the end. Ctrl-C ends it, with exit code
    130; answers under way have two seconds. A query has no limit of time or memory: serve people
    whom you trust.

    \b
    Example:
      kg serve --store mystore
      curl 'http://127.0.0.1:7878/queries/class-counts?format=csv'
      curl http://127.0.0.1:7878/sparql --data-urlencode 'query=ASK { ?s a kg:Paper }'
    """  # noqa: D301 - click wants the character that \b is
    serve(
        Application.of(store_dir, load(own)),
        host=host,
        port=port,
        started=lambda address: note(
            f"serving {store_dir} at {address} (SPARQL: {address}/sparql); Ctrl-C ends it"
        ),
    )
