"""Wrong twins of a query, made from its tokens: what a test of the query must notice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kg.sparql import Kind, Token, scan

_CLOSES = {"(": ")", "{": "}"}


def mutants(text: str) -> Iterator[tuple[str, str]]:
    """Yield ``(what was done, text)``.

    Each FILTER is dropped, each OPTIONAL is made required, each DISTINCT is dropped, and each key
    of ORDER BY is reversed alone.
    """
    tokens = list(scan(text))
    for index, token in enumerate(tokens):
        if token.is_word("FILTER"):
            end = _end(tokens, index + 1)
            yield f"without {text[token.start : end]}", text[: token.start] + text[end:]
        elif token.is_word("OPTIONAL"):
            end = _end(tokens, index + 1)
            yield f"requiring {text[token.end : end]}", text[: token.start] + text[token.end :]
        elif token.is_word("DISTINCT"):
            start = tokens[index - 2].start if index > 1 else 0
            yield f"{text[start : token.end]} without", text[: token.start] + text[token.end :]
        elif token.is_word("ORDER"):
            for start, end in _keys(tokens, index + 2):
                yield f"in reverse of {text[start:end]}", _reversed(text, start, end)


def _end(tokens: Sequence[Token], index: int) -> int:
    """Return where the brackets that open at *index*, or after it, are closed."""
    while not tokens[index].is_mark("(", "{"):
        index += 1
    opening, depth = tokens[index].text, 0
    while True:
        if tokens[index].is_mark(opening):
            depth += 1
        elif tokens[index].is_mark(_CLOSES[opening]):
            depth -= 1
            if not depth:
                return tokens[index].end
        index += 1


def order_keys(text: str) -> list[str]:
    """Return the keys of the ORDER BY clauses of the query *text*, as they are written."""
    tokens = list(scan(text))
    return [
        text[start:end]
        for index, token in enumerate(tokens)
        if token.is_word("ORDER")
        for start, end in _keys(tokens, index + 2)
    ]


def _keys(tokens: Sequence[Token], index: int) -> Iterator[tuple[int, int]]:
    """Yield where each key begins and ends of the ORDER BY whose first key is at *index*."""
    while index < len(tokens) and not (
        tokens[index].is_word("LIMIT", "OFFSET", "VALUES") or tokens[index].is_mark("}")
    ):
        start = tokens[index].start
        end = tokens[index].end if tokens[index].kind is Kind.VARIABLE else _end(tokens, index)
        yield start, end
        while index < len(tokens) and tokens[index].start < end:
            index += 1


def _reversed(text: str, start: int, end: int) -> str:
    key = text[start:end]
    if key.upper().startswith("DESC"):
        return f"{text[:start]}ASC{text[start + 4 :]}"
    return f"{text[:start]}DESC({key}){text[end:]}"
