"""Wrong twins of a query, made from its tokens: what a test of the query must notice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kg.sparql import Kind, Token, scan

_CLOSES = {"(": ")", "{": "}"}


def mutants(text: str) -> Iterator[tuple[str, str]]:
    """Yield ``(what was done, text)``.

    Each FILTER is dropped, each OPTIONAL is made required, each DISTINCT is dropped, and the first
    key of ORDER BY is reversed.
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
            yield "in reverse", _reversed(text, tokens, index + 2)


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


def _reversed(text: str, tokens: Sequence[Token], index: int) -> str:
    key = tokens[index]
    if key.is_word("DESC"):
        return f"{text[: key.start]}ASC{text[key.end :]}"
    end = key.end if key.kind is Kind.VARIABLE else _end(tokens, index)
    return f"{text[: key.start]}DESC({text[key.start : end]}){text[end:]}"
