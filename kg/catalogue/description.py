"""Canned queries in words: as JSON for programs that list them, as the command that asks them."""

from __future__ import annotations

import shlex

from kg.catalogue.canned import CannedQuery
from kg.catalogue.parameters import Parameter


def described(query: CannedQuery) -> dict[str, object]:
    """Return what a canned query answers and takes, in values that JSON has."""
    return {
        "name": query.name,
        "title": query.title,
        "description": query.description,
        "form": query.form,
        "columns": query.columns,
        "parameters": [
            {
                "name": parameter.name,
                "type": parameter.type,
                "takes": parameter.expects,
                "required": parameter.required,
                "default": parameter.default,
                "example": parameter.example,
                "description": parameter.description,
            }
            for parameter in query.parameters
        ],
        "text": query.text,
    }


def command_line(query: CannedQuery) -> str:
    """Return the command that asks *query* with the examples of its required parameters."""
    given = "".join(f" -p {assignment(p)}" for p in query.parameters if p.required)
    return f"kg query {query.name}{given} --store DIR"


def assignment(parameter: Parameter) -> str:
    """Return ``name=example`` of a parameter as a shell takes it."""
    return shlex.quote(f"{parameter.name}={parameter.example}")
