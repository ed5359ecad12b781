"""How to ask the same from a shell and from a notebook."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from kg.catalogue import CannedQuery


@dataclass(frozen=True, slots=True)
class Snippet:
    """Some *code* to copy, under a *title*."""

    title: str
    code: str


def of_endpoint(root: str) -> list[Snippet]:
    """Return how the server at *root* is asked a query of one's own."""
    query = "SELECT ?title {\n    ?paper a kg:Paper ; dct:title ?title\n  } LIMIT 5"
    return [
        Snippet(
            "From a notebook",
            f'import kg\n\ngraph = kg.connect("{root}")\n'
            f'graph.query("""\n  {query}\n""").to_dataframe()',
        ),
        Snippet(
            "With curl",
            f"curl {root}/sparql -H 'Accept: text/csv' \\\n  --data-urlencode 'query={query}'",
        ),
    ]


def of_canned(query: CannedQuery, given: Mapping[str, str], root: str) -> list[Snippet]:
    """Return how the server at *root* is asked a canned query with the values that are *given*."""
    address = f"{root}/queries/{query.name}?{urlencode({**given, 'format': 'csv'})}"
    arguments = "".join(
        f", {name}={json.dumps(text, ensure_ascii=False)}" for name, text in given.items()
    )
    values = "".join(f" -p {shlex.quote(f'{name}={text}')}" for name, text in given.items())
    return [
        Snippet(
            "From a notebook",
            f'import kg\n\ngraph = kg.connect("{root}")\n'
            f'graph.ask("{query.name}"{arguments}).to_dataframe()',
        ),
        Snippet("With pandas alone", f'import pandas\n\npandas.read_csv("{address}")'),
        Snippet("With curl", f"curl {shlex.quote(address)}"),
        Snippet("With kg", f"kg query {query.name}{values} --endpoint {root}"),
    ]


def of_query(text: str, root: str) -> list[Snippet]:
    """Return how the server at *root* is asked the query *text*."""
    address = f"{root}/sparql"
    return [
        Snippet(
            "From a notebook",
            f'import kg\n\ngraph = kg.connect("{root}")\n'
            f"graph.query({json.dumps(text, ensure_ascii=False)}).to_dataframe()",
        ),
        Snippet(
            "With curl",
            f"curl {address} -H 'Accept: text/csv' \\\n"
            f"  --data-urlencode {shlex.quote(f'query={text}')}",
        ),
    ]
