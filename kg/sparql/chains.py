"""How much a query strings together: chains that overflow the engine's stack as nesting does.

Operators (``!!!…``, ``1+1+…``, ``a/b/…``) and clauses (``MINUS … MINUS …``, ``BIND``, ``AS``) of
one query become one tree in the engine, as deep as they are many; some thousands crash the process
(from about 2,500 ``BIND`` on). Data in VALUES and the members of a list count for nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kg.sparql.tokens import Kind, Token

LONGEST: Final = 1_000
"""How many operators and clauses a query may have."""

_OPERATORS: Final = frozenset(
    {"!", "+", "-", "*", "/", "|", "^", "=", "<", ">", "?", "&&", "||", "!=", "<=", ">="}
)
_CLAUSES: Final = frozenset(
    {
        "AS",
        "BIND",
        "EXISTS",
        "FILTER",
        "GRAPH",
        "HAVING",
        "IN",
        "LATERAL",
        "MINUS",
        "NOT",
        "OPTIONAL",
        "SELECT",
        "UNION",
    }
)


def too_long(tokens: Sequence[Token]) -> Token | None:
    """Return the token with which a query becomes longer than :data:`LONGEST`, if it does."""
    count = 0
    awaits_data = False
    inside_data = 0
    for token in tokens:
        kind = token.kind
        if inside_data:
            inside_data += token.is_mark("{") - token.is_mark("}")
            continue
        if kind is Kind.MARK:
            if awaits_data and token.text == "{":
                awaits_data, inside_data = False, 1
            counts = token.text in _OPERATORS
        elif kind is Kind.WORD:
            word = token.text.upper()
            awaits_data |= word == "VALUES"
            counts = word in _CLAUSES
        else:
            counts = kind is Kind.NUMBER and token.text[0] in "+-"  # as the signs in 1-1-1
        if counts:
            count += 1
            if count > LONGEST:
                return token
    return None
