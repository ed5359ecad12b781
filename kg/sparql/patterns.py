"""How many triple patterns a query joins: the engine orders those of one group all at once.

That takes about a second for a hundred patterns, and grows with their fourth power. Groups that
stand in a group, GRAPH and VALUES are joined with what is around them; OPTIONAL, UNION, MINUS,
EXISTS and a subquery are planned by themselves. A list and a path are the patterns that they are
short for (SPARQL 1.1, sections 4.2.3 and 9.3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from kg.sparql.tokens import Kind, Token

_APART: Final = ("OPTIONAL", "UNION", "MINUS", "EXISTS")
"""Words after which a group is joined with nothing around it."""

_PATH: Final = ("/", "|", "^", "!", "*", "+", "?")


class _Place(Enum):
    """What stands between two brackets, and so what is counted there."""

    GROUP = auto()
    LIST = auto()
    """A list, for all that is known until an operator shows that it is a path."""
    OTHER = auto()
    """Expressions, data, a template, and what is around the groups of a query."""


@dataclass(slots=True)
class _Open:
    """Brackets that are open, the patterns in them, and whether those are joined further out."""

    place: _Place
    patterns: int = 0
    is_joined: bool = True
    begins: bool = True
    """Whether the next term begins a pattern."""


def too_many(tokens: Sequence[Token], most: int) -> Token | None:
    """Return the token with which a group joins more than *most* patterns, if one does."""
    stack = [_Open(_Place.OTHER)]
    word: Token | None = None  # the last one that says what the next brackets are
    before = tokens[0] if tokens else None
    for index, token in enumerate(tokens):
        inside = stack[-1]
        mark = token.text if token.kind is Kind.MARK else ""
        if mark in ("{", "("):
            if token.text == "(" and word is None:
                _count(token, before, inside)  # a list is a term, too
            stack.append(_opened(token, before, word, inside))
            if token.text == "{" or not (word and word.is_word("VALUES")):
                word = None
        elif mark in ("}", ")"):
            if len(stack) > 1:
                closed, around = stack.pop(), stack[-1]
                is_first = index + 1 < len(tokens) and tokens[index + 1].is_word("UNION")
                if closed.is_joined and not is_first and around.place is not _Place.OTHER:
                    around.patterns += closed.patterns
                around.begins |= token.text == "}"
            if not (word and word.is_word("VALUES")):
                word = None
        elif not mark and token.kind is Kind.WORD and _is_keyword(token):
            word, inside.begins = token, True
            if token.is_word("SELECT"):  # this group is a subquery
                inside.place, inside.is_joined = _Place.OTHER, False
        elif word is None and inside.place is not _Place.OTHER:
            _count(token, before, inside)
        if stack[-1].place is _Place.GROUP and stack[-1].patterns > most:
            return token
        before = token
    return None


def _is_keyword(token: Token) -> bool:
    """Say whether a word is none of those that are terms."""
    return token.text != "a" and not token.is_word("TRUE", "FALSE")


def _opened(token: Token, before: Token | None, word: Token | None, inside: _Open) -> _Open:
    if token.text == "(":
        is_list = word is None and inside.place is not _Place.OTHER
        return _Open(_Place.LIST if is_list else _Place.OTHER)
    if word is not None and word.is_word("VALUES"):
        return _Open(_Place.OTHER, patterns=1)
    if before is not None and before.is_word("CONSTRUCT"):
        return _Open(_Place.OTHER)
    return _Open(_Place.GROUP, is_joined=before is None or not before.is_word(*_APART))


def _count(token: Token, before: Token | None, inside: _Open) -> None:
    """Count what *token*, which follows *before*, adds to the patterns of *inside*."""
    if inside.place is _Place.LIST:
        if token.is_mark(*_PATH):
            inside.place, inside.patterns = _Place.OTHER, 0
        elif token.kind in (Kind.MARK, Kind.LANGUAGE) or (before and before.is_mark("^^")):
            inside.patterns += 2 * token.is_mark("[", "(")
        else:
            inside.patterns += 2  # rdf:first and rdf:rest
    elif inside.place is _Place.GROUP:
        if token.is_mark(".", ";", ","):
            inside.begins = True
            return
        is_more = token.is_mark("/", "{|") or (before and before.is_mark("[") and token.text != "]")
        inside.patterns += bool(is_more) + inside.begins
        inside.begins = False
