"""Where the values of a query's VALUES blocks and its LIMIT stand, found in its tokens.

Grammar (SPARQL 1.1, section 19.8): InlineData [61] to DataBlockValue [65].
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from kg.sparql import Kind, Token


@dataclass(frozen=True, slots=True)
class DataValue:
    """One value of a VALUES block: the tokens that write it."""

    tokens: tuple[Token, ...]

    @property
    def span(self) -> tuple[int, int]:
        """Where it stands in the text."""
        return self.tokens[0].start, self.tokens[-1].end


@dataclass(frozen=True, slots=True)
class ValuesBlock:
    """One VALUES block: its variables (without ``?``) and its rows."""

    start: int
    variables: tuple[str, ...]
    rows: tuple[tuple[DataValue, ...], ...]


def values_blocks(tokens: Sequence[Token]) -> Iterator[ValuesBlock]:
    """Yield the VALUES blocks of a query that the engine has parsed."""
    for index, token in enumerate(tokens):
        if token.is_word("VALUES"):
            yield _block(tokens, index)


def limits(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield the numbers after LIMIT."""
    for word, number in pairwise(tokens):
        if word.is_word("LIMIT") and number.kind is Kind.NUMBER:
            yield number


def _block(tokens: Sequence[Token], index: int) -> ValuesBlock:
    start, index = tokens[index].start, index + 1
    variables: list[str] = []
    bare = tokens[index].kind is Kind.VARIABLE  # VALUES ?x { … } with no brackets
    while not tokens[index].is_mark("{"):
        if tokens[index].kind is Kind.VARIABLE:
            variables.append(tokens[index].text[1:])
        index += 1
    index += 1
    rows: list[tuple[DataValue, ...]] = []
    row: list[DataValue] = []
    while not tokens[index].is_mark("}"):
        if tokens[index].is_mark("("):
            row = []
        elif tokens[index].is_mark(")"):
            rows.append(tuple(row))
        else:
            value = _value(tokens, index)
            index += len(value.tokens) - 1
            if bare:
                rows.append((value,))
            else:
                row.append(value)
        index += 1
    return ValuesBlock(start, tuple(variables), tuple(rows))


def _value(tokens: Sequence[Token], index: int) -> DataValue:
    """Read one term: a text may have a language tag, or ``^^`` and a datatype, after it."""
    length = 1
    if tokens[index].kind is Kind.STRING:
        if tokens[index + 1].kind is Kind.LANGUAGE:
            length = 2
        elif tokens[index + 1].is_mark("^^"):
            length = 3
    return DataValue(tuple(tokens[index : index + length]))
