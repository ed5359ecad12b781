"""``/openapi.json``, and ``/api``: a page on which each of its operations can be tried."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final

from kg.catalogue import CannedQuery
from kg.namespaces import KG
from kg.protocol import Response, entity_tag
from kg.site import fields, openapi
from kg.site.page import Page
from kg.site.view import View
from kg.site.visit import Visit

_EXAMPLES: Final = ("Paper", "Dataset", "Task", "Method", "Leaderboard", "Metric", "Sample")


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation: its *action* is where its form leads."""

    name: str
    path: str
    title: str
    description: str
    action: str
    fields: tuple[fields.Field, ...]
    formats: tuple[str, ...]


async def document(visit: Visit) -> Response:
    """Return the description of the interface."""

    def make(view: View) -> Response:
        told = openapi.document(visit.service.catalogue, visit.root, _examples(view))
        content = f"{json.dumps(told, ensure_ascii=False, indent=2)}\n".encode()
        headers = {"Cache-Control": "no-cache", "ETag": entity_tag(content)}
        return Response.of(content, "application/json", headers=headers)

    return await visit.read(make)


async def page(visit: Visit) -> Response:
    """Return the page that tells of the interface."""
    return await visit.page(lambda view: _page(visit, view))


def _page(visit: Visit, view: View) -> Page:
    here = view.addresses.here
    operations = [
        Operation(
            query.name,
            f"/queries/{query.name}",
            query.title,
            query.description,
            here(f"/queries/{query.name}"),
            tuple(fields.fields(query, _examples_of(query), {}, view, {})),
            ("json", "csv", "tsv", "xml") if not query.form.is_graph else ("ttl", "jsonld", "nt"),
        )
        for query in visit.service.catalogue
    ]
    return Page(
        "Interface for programs",
        "api.html",
        {
            "root": visit.root,
            "document": here("/openapi.json"),
            "operations": operations,
            "things": [
                (kind, f"{visit.root}/{kind}/{key}", here(f"/{kind}/{key}"))
                for kind, key in _examples(view)
            ],
        },
        summary="Canned queries, search and linked data for programs.",
    )


def _examples_of(query: CannedQuery) -> dict[str, str]:
    return {one.name: one.example for one in query.parameters if one.required}


def _examples(view: View) -> list[tuple[str, str]]:
    """Return a thing of each kind that the graph has: the kind and its key."""
    found = []
    for name in _EXAMPLES:
        kind = name.lower()
        beginning = f"{view.addresses.base}{kind}/"
        for row in view.rows(f"SELECT ?s {{ ?s a <{KG}{name}> }} LIMIT 20"):
            key = row["s"].value.removeprefix(beginning)
            if "/" not in key:
                found.append((kind, key))
                break
    return found
