"""The description of the interface for programs, in OpenAPI 3.1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from kg import __version__
from kg.catalogue import CannedQuery, Catalogue
from kg.formats import GRAPHS, SOLUTIONS
from kg.search import KINDS as SEARCHED
from kg.search import LIMIT
from kg.search.asked import MOST
from kg.site import linked_data
from kg.site.parameter_schemas import components, parameter

Json = dict[str, object]

_PROBLEM: Final = "application/problem+json"
_THINGS: Final = (
    ("paper", "A paper by its slug."),
    ("dataset", "A dataset by its slug."),
    ("task", "A task by its slug."),
    ("method", "A method by its slug."),
    ("leaderboard", "A leaderboard by its slug."),
    ("metric", "A metric by its key."),
    ("sample", "A code sample by its key."),
)
_SCHEMAS: Final[Json] = {
    "Problem": {
        "description": "What went wrong (RFC 9457).",
        "type": "object",
        "required": ["title", "status", "detail"],
        "properties": {
            "title": {"type": "string"},
            "status": {"type": "integer"},
            "detail": {"type": "string"},
            "parameter": {"type": "string", "description": "The parameter that is wrong."},
            "limit": {"type": "string", "description": "The limit that was reached."},
        },
    },
    "Solutions": {
        "description": "SPARQL 1.1 Query Results JSON Format.",
        "type": "object",
        "required": ["head", "results"],
        "properties": {
            "head": {
                "type": "object",
                "properties": {"vars": {"type": "array", "items": {"type": "string"}}},
            },
            "results": {
                "type": "object",
                "required": ["bindings"],
                "properties": {
                    "bindings": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "additionalProperties": {"$ref": "#/components/schemas/Term"},
                        },
                    }
                },
            },
        },
    },
    "Term": {
        "type": "object",
        "required": ["type", "value"],
        "properties": {
            "type": {"enum": ["uri", "literal", "bnode", "triple"]},
            "value": {"type": "string"},
            "datatype": {"type": "string"},
            "xml:lang": {"type": "string"},
        },
    },
    "Queries": {
        "type": "object",
        "required": ["queries"],
        "properties": {
            "queries": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["name", "title", "description", "parameters", "text", "example"],
                    "properties": {
                        "name": {"type": "string"},
                        "title": {"type": "string"},
                        "description": {"type": "string"},
                        "columns": {"type": "array", "items": {"type": "string"}},
                        "parameters": {"type": "array", "items": {"type": "object"}},
                        "text": {"type": "string"},
                        "example": {"type": "string", "format": "uri"},
                    },
                },
            }
        },
    },
    "Hits": {
        "type": "object",
        "required": ["query", "hits"],
        "properties": {
            "query": {"type": "string"},
            "hits": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["kind", "iri", "name", "slug", "detail"],
                    "properties": {
                        "kind": {"enum": list(SEARCHED)},
                        "iri": {"type": "string"},
                        "name": {"type": "string"},
                        "slug": {"type": ["string", "null"]},
                        "detail": {"type": "string"},
                    },
                },
            },
        },
    },
}


def document(catalogue: Catalogue, root: str, examples: Sequence[tuple[str, str]]) -> Json:
    """Return the description of the interface of the server at *root*.

    *examples* are kinds of things and the keys of some that there are.
    """
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "paperkg",
            "version": __version__,
            "summary": "The knowledge graph of machine-learning papers.",
            "description": "Canned queries with typed parameters, search by name, and the things of"
            " the graph as linked data. Queries of one's own go to /sparql by the SPARQL 1.1"
            " Protocol.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": root}],
        "tags": [
            {"name": "queries", "description": "Questions that are ready to ask."},
            {"name": "search", "description": "Things by their names."},
            {"name": "linked data", "description": "What is said of one thing and its parts."},
        ],
        "paths": {
            "/queries": {"get": _listing()},
            **{f"/queries/{query.name}": {"get": _asking(query)} for query in catalogue},
            "/search": {"get": _search()},
            **{
                f"/{kind}/{{key}}": {"get": _thing(kind, words, dict(examples).get(kind))}
                for kind, words in _THINGS
            },
        },
        "components": {"schemas": {**_SCHEMAS, **components(catalogue)}},
    }


def _listing() -> Json:
    return {
        "operationId": "queries",
        "tags": ["queries"],
        "summary": "The canned queries.",
        "responses": {
            "200": {
                "description": "Names, texts and parameters.",
                "content": {"application/json": _referring("Queries"), "text/html": {}},
            },
            **_problems("429", "503"),
        },
    }


def _asking(query: CannedQuery) -> Json:
    formats = GRAPHS if query.form.is_graph else SOLUTIONS
    content: Json = {one.media_type: {} for one in formats}
    if not query.form.is_graph:
        content[SOLUTIONS[0].media_type] = _referring("Solutions")
    return {
        "operationId": query.name,
        "tags": ["queries"],
        "summary": query.title,
        "description": query.description,
        "parameters": [
            *map(parameter, query.parameters),
            {
                "name": "format",
                "in": "query",
                "required": False,
                "description": "The format of the answer; without it, or where it is empty, the"
                " Accept header decides.",
                "schema": {"type": "string", "enum": [*(one.name for one in formats), ""]},
            },
        ],
        "responses": {
            "200": {"description": "The answer.", "content": {**content, "text/html": {}}},
            **_problems("400", "406", "414", "429", "500", "503", "504"),
        },
    }


def _search() -> Json:
    return {
        "operationId": "search",
        "tags": ["search"],
        "summary": "Search by name.",
        "description": "Papers, datasets, tasks and methods that are called like the text, the"
        " nearest first. Case and accents do not count, and words may be cut short.",
        "parameters": [
            _query("q", "What it is called.", {"type": "string", "examples": ["transformer"]}),
            _query("kind", "Things of one kind only.", {"type": "string", "enum": list(SEARCHED)}),
            _query(
                "limit",
                "How many at most.",
                {"type": "integer", "minimum": 1, "maximum": MOST, "default": LIMIT},
            ),
        ],
        "responses": {
            "200": {
                "description": "What was found.",
                "content": {"application/json": _referring("Hits"), "text/html": {}},
            },
            **_problems("400", "414", "429", "503"),
        },
    }


def _thing(kind: str, words: str, example: str | None) -> Json:
    return {
        "operationId": f"one-{kind}",
        "tags": ["linked data"],
        "summary": words,
        "description": "With .ttl, .jsonld, .nt or .html after it the address is that of one format"
        " alone. Parts of a thing are told with it.",
        "parameters": [
            {
                "name": "key",
                "in": "path",
                "required": True,
                "description": "The last part of its IRI.",
                "schema": {
                    "type": "string",
                    "pattern": "^[a-z0-9][a-z0-9._~-]*$",
                    **({"examples": [example]} if example else {}),
                },
            }
        ],
        "responses": {
            "200": {
                "description": "What is said of it.",
                "content": {form.media_type: {} for form in linked_data.FORMS},
            },
            **_problems("404", "406", "429"),
        },
    }


def _query(name: str, words: str, schema: Mapping[str, object]) -> Json:
    return {"name": name, "in": "query", "required": False, "description": words, "schema": schema}


def _referring(name: str) -> Json:
    return {"schema": {"$ref": f"#/components/schemas/{name}"}}


def _problems(*statuses: str) -> Json:
    words = {
        "400": "A parameter is unknown, missing or not of its type.",
        "404": "There is none.",
        "406": "It comes in none of the formats that are wanted.",
        "414": "The address is too long.",
        "429": "The client asks too often.",
        "500": "The answer became too large, or a fault of the server.",
        "503": "The server is busy; Retry-After says for how long.",
        "504": "It took too long.",
    }
    content = {_PROBLEM: _referring("Problem"), "text/html": {}, "text/plain": {}}
    return {status: {"description": words[status], "content": content} for status in statuses}
