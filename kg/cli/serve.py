"""``kg serve``: a store behind a SPARQL endpoint."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import cast

import click

from kg.cli.catalogues import load, own_queries
from kg.cli.endpoints import check_place
from kg.cli.limits import limit_options, limits
from kg.cli.output import note
from kg.cli.ports import port_option
from kg.cli.sizes import Size
from kg.cli.stores import store_if_any
from kg.endpoint import Endpoint
from kg.errors import UsageError
from kg.forwarding import Forwarding
from kg.protocol import Service, Tokens
from kg.remote import token_in
from kg.server import AccessLog, Application, Settings, serve
from kg.services import Services


@click.command("serve")
@store_if_any
@click.option(
    "--endpoint",
    "url",
    metavar="URL",
    help="Have another SPARQL 1.1 server evaluate the queries instead of a store.",
)
@click.option(
    "--endpoint-token",
    "endpoint_token",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The token by which that server knows this one, the first in the file.",
)
@click.option(
    "--host",
    metavar="HOST",
    default="127.0.0.1",
    show_default=True,
    help="The address to listen at; 0.0.0.0 is every one of this machine.",
)
@port_option
@own_queries
@click.option(
    "--memory",
    "in_memory",
    is_flag=True,
    help="Hold the store in memory: faster, where there is room for it.",
)
@limit_options
@click.option(
    "--allow-service",
    "allowed",
    metavar="HOST",
    multiple=True,
    help="Let queries ask this server by SERVICE; can be given again.  [default: none]",
)
@click.option(
    "--cache",
    metavar="SIZE",
    type=Size(),
    default="64M",
    show_default=True,
    help="Answers that are kept for whoever asks the same; 0 keeps none.",
)
@click.option(
    "--token-file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Answer only to requests with one of the tokens in this file, one a line.",
)
@click.option(
    "--rate-limit",
    "rate",
    metavar="N",
    type=click.IntRange(1),
    help="Requests that one client may make in a minute.  [default: none]",
)
@click.option(
    "--proxies",
    metavar="N",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Proxies of yours before the server; X-Forwarded-For is believed of so many.",
)
@click.option(
    "--public-url",
    "address",
    metavar="URL",
    help="The address that clients know, behind a proxy.  [default: what they ask]",
)
@click.option(
    "--connections",
    metavar="N",
    type=click.IntRange(1),
    default=4096,
    show_default=True,
    help="Connections that there may be at once.",
)
@click.option(
    "--access-log",
    metavar="FILE",
    help="Write a line for each request to a file, or to standard error with -.",
)
@click.option(
    "--grace",
    metavar="SECONDS",
    type=click.FloatRange(0),
    default=5,
    show_default=True,
    help="Seconds that answers under way have when the server is to end.",
)
def command(
    *,
    store_dir: Path | None,
    url: str | None,
    endpoint_token: Path | None,
    host: str,
    port: int,
    own: Path | None,
    in_memory: bool,
    allowed: tuple[str, ...],
    cache: int,
    token_file: Path | None,
    rate: int | None,
    proxies: int,
    address: str | None,
    connections: int,
    access_log: str | None,
    grace: float,
    **given: float | None,
) -> None:
    """Serve a store: SPARQL 1.1 queries at /sparql, canned queries at /queries.

    /sparql takes queries by GET and POST, and answers in JSON, XML, CSV or TSV, a graph in Turtle,
    N-Triples, RDF/XML, JSON-LD, N-Quads or TriG, as the Accept header or format= asks for: JSON and
    Turtle if they ask for nothing. The prefixes of kg queries --prefixes need no declaration.
    Nothing can be written. /queries lists the canned queries, and
    /queries/NAME?parameter=value&format=csv asks one; --queries adds your own, as they are at the
    start. /.well-known/void says what the graph has, /dumps/triples.nt.gz is all of it; /health and
    /metrics are for whoever runs the server.

    Queries are evaluated in worker processes, which are killed when they take too long or when
    nobody waits for their answer: it can stand on the open internet. A new snapshot is served as
    soon as it is built. Ctrl-C ends the server, with exit code 130, SIGTERM with 0.

    With --endpoint the same canned queries stand in front of another server (QLever, Virtuoso,
    GraphDB, Fuseki, Neptune, …), and so do the limits of time, length and answers.

    \b
    Example:
      kg serve --store mystore
      kg serve --store mystore --host 0.0.0.0 --time-limit 10 --rate-limit 120 --access-log -
      kg serve --endpoint https://qlever.example.org/api/papers
      curl 'http://127.0.0.1:7878/queries/class-counts?format=csv'
      curl http://127.0.0.1:7878/sparql --data-urlencode 'query=ASK { ?s a kg:Paper }'
    """  # noqa: D301 - click wants the character that \b is
    settings = Settings(
        limits=limits(given),
        services=Services.of(allowed),
        in_memory=in_memory,
        cache=cache,
        connections=connections,
        grace=grace,
        tokens=Tokens.read(token_file) if token_file is not None else None,
        rate=rate,
        proxies=proxies,
        address=address.rstrip("/") if address is not None else None,
        access_log=AccessLog.to(access_log) if access_log is not None else None,
    )
    catalogue = load(own)
    check_place(store_dir, url)
    if url is None:
        if endpoint_token is not None:
            raise UsageError("--endpoint-token goes with --endpoint")
        application = Application.of(cast("Path", store_dir), catalogue, settings)
    else:
        if in_memory or allowed:
            raise UsageError("--memory and --allow-service are about a store; leave --endpoint out")
        token = token_in(endpoint_token) if endpoint_token is not None else None
        endpoint = Endpoint(url, token=token, tell=note)
        base = endpoint.base
        service = Service("", base, 0, catalogue=catalogue, limits=settings.limits)
        forwarding = Forwarding(endpoint.sparql, base, settings.limits, token=token)
        # What another server answers may change at any time: nothing is kept.
        settings = replace(settings, cache=0)
        application = Application(forwarding, service, settings)
    serve(
        application,
        host=host,
        port=port,
        settings=settings,
        started=lambda at: note(
            f"serving {store_dir or url} at {at} (SPARQL: {at}/sparql); Ctrl-C ends it"
        ),
    )
