"""A query read by the engine and not evaluated.

The engine has no call that only parses: a query that it is asked it evaluates, and sorting,
counting and ASK do so at once, however long it takes. But it parses before it looks at the graphs
that it is to be asked of, and refuses what is no graph.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, cast

import pyoxigraph as ox

from kg.sparql.tokens import Kind, Token

_NO_GRAPH: Final[Any] = [None]


def parse(text: str, prefixes: Mapping[str, str], base: str | None = None) -> None:
    """Raise SyntaxError, in the engine's words, where *text* is no query."""
    try:
        ox.Store().query(text, prefixes=dict(prefixes), base_iri=base, default_graph=_NO_GRAPH)
    except TypeError:
        return
    raise AssertionError("the engine evaluates a query that is asked of no graph")


def columns(
    text: str, tokens: Sequence[Token], prefixes: Mapping[str, str], base: str | None = None
) -> tuple[str, ...]:
    """Return the variables of the SELECT query *text*, in order; *tokens* are those of *text*.

    They are as SELECT names them. Those of ``SELECT *`` the engine tells, asked about the same
    pattern with a filter before it that lets nothing pass, so that it is not evaluated either.
    """
    start = next(n for n, token in enumerate(tokens) if token.is_word("SELECT")) + 1
    names: list[str] = []
    depth, opening, is_all = 0, tokens[-1], False
    for before, token in pairwise(tokens[start - 1 :]):
        if not depth and token.is_mark("{"):
            opening = token
            break
        depth += token.is_mark("(", "{") - token.is_mark(")", "}")
        is_all |= not depth and token.is_mark("*")
        is_named = not depth or (depth == 1 and before.is_word("AS"))
        if token.kind is Kind.VARIABLE and is_named:
            names.append(token.text[1:])
    if not is_all:
        return tuple(names)
    closing = _closing(tokens, opening)
    pattern = f"{{ FILTER(false) {text[opening.start : closing.end]}\n}}"
    answer = ox.Store().query(
        f"{text[: opening.start]}{pattern}{text[closing.end :]}",
        prefixes=dict(prefixes),
        base_iri=base,
    )
    return tuple(variable.value for variable in cast("ox.QuerySolutions", answer).variables)


def _closing(tokens: Sequence[Token], opening: Token) -> Token:
    """Return the bracket that closes *opening*, which opens a group."""
    depth = 0
    for token in tokens:
        if token.start >= opening.start:
            depth += token.is_mark("{") - token.is_mark("}")
            if not depth:
                return token
    raise ValueError("the group is never closed")
