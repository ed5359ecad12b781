"""The parameters of canned queries in the words of JSON Schema: what the binder takes.

A program that makes requests from the description must not be refused for what it allows, nor be
let through with what it forbids; so the patterns follow :mod:`kg.catalogue.iri_values` closely.
They are regular expressions of ECMA-262, which JSON Schema asks for.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

from kg import namespaces
from kg.catalogue import CannedQuery, Parameter, ParameterType
from kg.catalogue.iri_values import KINDS, Space

Schema: TypeAlias = dict[str, object]

# What may not stand in an IRI, or only escaped (RFC 3987, section 2.2); all but the last planes'
# private characters, whose two last are no characters either.
_NEVER: Final = (
    '\\u0000-\\u0020"%<>\\[\\\\\\]^`{|}\\u007f-\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f'
    "\\u205f\\u3000\\ue000-\\uf8ff\\ufdd0-\\ufdef\\ufff0-\\uffff\U000e0000-\U000e0fff"
    "\U000f0000-\U0010ffff"
)
_ESCAPED: Final = "%[0-9A-Fa-f]{2}"
# A bare slug has no "/", "?" and "#", and what stands in it before a ":" is no scheme.
_PART: Final = f"(?:[^#/?{_NEVER}]|{_ESCAPED})*"
_SLUG: Final = (
    f"[A-Za-z][A-Za-z0-9+.-]*(?:(?:[^A-Za-z0-9+.:#/?{_NEVER}-]|{_ESCAPED}){_PART})?"
    f"|(?:[^A-Za-z#/?{_NEVER}]|{_ESCAPED}){_PART}"
)
_NAMED: Final = "[a-z0-9._~-]+(?:/[a-z0-9._~-]+)+"
_SIMPLE: Final = f"(?:[A-Za-z0-9.+:/!$&'()*,;=@_~-]|{_ESCAPED})*"
_REST: Final = f"(?:[^#{_NEVER}]|{_ESCAPED})*"
_ADDRESS: Final = (
    f"https?://[A-Za-z0-9]+(?:[.-][A-Za-z0-9]+)*(?:/{_SIMPLE})?(?:\\?{_SIMPLE})?(?:#{_SIMPLE})?"
)
_PAGE: Final = (
    "(?:https?://(?:www\\.)?(?:codewithpapers\\.app|paperswithcode\\.com))?/%s/[^/?#\\s]+/?"
)
_DATA: Final = frozenset({*KINDS.values(), "repo", "sample", "result", "code", "record"})
"""Prefixes whose names may have a fragment: the namespace has none."""


def parameter(declared: Parameter) -> Schema:
    """Return a parameter of an address, as OpenAPI has it."""
    return {
        "name": declared.name,
        "in": "query",
        "required": declared.required,
        "description": f"{declared.description} Takes {declared.expects}.",
        "schema": _typed(declared)
        | ({} if declared.default is None else {"default": _native(declared, declared.default)}),
        "example": _native(declared, declared.example),
    }


def components(catalogue: Iterable[CannedQuery]) -> dict[str, Schema]:
    """Return the schemas of what IRI parameters take, to which :func:`parameter` refers."""
    spaces = {one.space for query in catalogue for one in query.parameters if one.type == "iri"}
    return {
        _name(space): {
            "type": "string",
            "description": f"An IRI or a CURIE{f', or {space.bare}' if space else ''}.",
            "pattern": pattern(space),
        }
        for space in sorted(spaces, key=_name)
    }


def pattern(space: Space | None) -> str:
    """Return the regular expression of what an IRI parameter takes, in *space* or in none."""
    others = set(namespaces.prefixes()) - _DATA
    iris = (
        f"(?:{'|'.join(sorted(_DATA))}):{_REST}(?:#{_REST})?|(?:{'|'.join(sorted(others))}):{_REST}"
        f"|{_ADDRESS}|<{_ADDRESS}>"
    )
    if space is None:
        return f"^(?:{iris})$"
    if space.is_scheme or space.name == "Metric":
        return "\\S"
    kind = KINDS[space.name]
    page = _PAGE % ("sota" if kind == "leaderboard" else kind)
    return f"^(?:{_SLUG}|{_NAMED}|{page}|{iris})$"


def _typed(declared: Parameter) -> Schema:
    match declared.type:
        case ParameterType.INTEGER | ParameterType.DECIMAL:
            is_whole = declared.type is ParameterType.INTEGER
            told: Schema = {"type": "integer" if is_whole else "number"}
            for word, bound in (("minimum", declared.minimum), ("maximum", declared.maximum)):
                if bound is not None:
                    told[word] = int(bound) if is_whole else float(bound)
            return told
        case ParameterType.BOOLEAN:
            return {"type": "boolean"}
        case ParameterType.DATE:
            return {"type": "string", "format": "date"}
        case ParameterType.IRI:
            return {"$ref": f"#/components/schemas/{_name(declared.space)}"}
        case _:
            choices = {"enum": list(declared.choices)} if declared.choices else {}
            return {"type": "string", **choices}


def _name(space: Space | None) -> str:
    """Return the name of the schema of an IRI in *space*, or in none."""
    if space is None:
        return "Iri"
    return f"{space.name}-code" if space.is_scheme else f"{space.name}Iri"


def _native(declared: Parameter, text: str) -> object:
    """Return the text of a value as JSON has it."""
    if declared.type is ParameterType.INTEGER:
        return int(text)
    if declared.type is ParameterType.DECIMAL:
        return float(text)
    return text == "true" if declared.type is ParameterType.BOOLEAN else text
