"""What must not come before the engine at all, as the text of a query shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kg.errors import LimitError
from kg.limits import Limits
from kg.sparql.chains import LONGEST, too_long
from kg.sparql.faults import fault
from kg.sparql.patterns import too_many
from kg.sparql.tokens import Kind, Token

DEEPEST: Final = 200
"""How deep brackets may nest where no limits say it: a usual stack overflows from 300 on."""

CLOSES: Final = {"{": "}", "(": ")", "[": "]", "<<": ">>", "<<(": ")>>", "{|": "|}"}
OPENS: Final = {close: opening for opening, close in CLOSES.items()}


def refuse_length(text: str, limits: Limits) -> None:
    """Raise :class:`~kg.errors.LimitError` where *text* is longer than a query may be."""
    most = limits.query_bytes
    # Where so many characters are as many bytes at most, they need not be counted.
    if len(text) * 4 > most and len(text.encode("utf-8", "surrogatepass")) > most:
        raise LimitError(
            f"the query is longer than {most:,} bytes (--query-length)", limit="--query-length"
        )


def refuse_excess(text: str, tokens: Sequence[Token], limits: Limits | None) -> None:
    """Refuse what crashes the engine, or keeps it busy with planning alone.

    *tokens* are those of *text*; without *limits* only what crashes it counts. Raises
    :class:`~kg.errors.LimitError`.
    """
    deepest = limits.nesting if limits else DEEPEST
    depth = 0
    for token in tokens:
        if token.kind is Kind.MARK:
            depth += (token.text in CLOSES) - (token.text in OPENS)
            if depth > deepest:
                option = "--nesting" if limits else None
                raise _limit(text, token, f"brackets nest deeper than {deepest:,}", option)
    if (last := too_long(tokens)) is not None:
        raise _limit(text, last, f"a query may have {LONGEST:,} operators and clauses, not more")
    if limits and (last := too_many(tokens, limits.patterns)) is not None:
        sentence = f"a query may join {limits.patterns:,} patterns, not more"
        raise _limit(text, last, sentence, "--patterns")


def _limit(text: str, token: Token, sentence: str, option: str | None = None) -> LimitError:
    found = fault(text, token.start, f"{sentence} ({option})" if option else sentence)
    return LimitError(str(found), limit=option, line=found.line, column=found.column)
