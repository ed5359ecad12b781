"""SERVICE: which servers a query asks, and the query that asks them through another address."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from kg.services import Route, Services
from kg.sparql.faults import fault
from kg.sparql.tokens import Kind, Token, scan


def refuse_services(text: str, tokens: Sequence[Token], services: Services) -> None:
    """Raise :class:`~kg.errors.QueryError` where a query asks what is none of *services*.

    A server has to be named by its whole IRI: what a variable, a prefix or a relative IRI stands
    for is known to the engine alone. So has one that stands in what another server is asked.
    """
    if "SERVICE" not in text.upper() or not any(token.is_word("SERVICE") for token in tokens):
        return
    if not services.hosts:
        (service, *_) = [token for token in tokens if token.is_word("SERVICE")]
        sentence = "SERVICE is refused: a query is answered from this store alone"
        raise fault(text, service.start, sentence)
    for token, is_nested in _asked(tokens):
        names = ", ".join(sorted(host for host, _ in services.hosts))
        if is_nested:
            sentence = "SERVICE is refused in what another server is asked"
            raise fault(text, token.start, sentence)
        if token.kind is not Kind.IRI or services.target(token.text[1:-1]) is None:
            sentence = "SERVICE is refused but for the whole address of a server that may be asked"
            raise fault(text, token.start, sentence, hint=f"that is {names} (--allow-service)")


def rerouted(text: str, route: Route) -> str:
    """Return the query *text*, which was not refused, so that all servers are asked by *route*."""
    parts: list[str] = []
    end = 0
    for token, _ in _asked(list(scan(text))):
        parts += [text[end : token.start], f"<{route.through(token.text[1:-1])}>"]
        end = token.end
    return "".join([*parts, text[end:]])


def _asked(tokens: Sequence[Token]) -> Iterator[tuple[Token, bool]]:
    """Yield what names a server, and whether it stands in what another server is asked."""
    depth = 0
    outer: int | None = None  # the depth at which the group of a SERVICE has begun
    for token, following in pairwise(tokens):
        depth += token.is_mark("{") - token.is_mark("}")
        if outer is not None and token.is_mark("}") and depth <= outer:
            outer = None
        if token.is_word("SERVICE", "SILENT") and not following.is_word("SILENT"):
            yield following, outer is not None
            outer = depth if outer is None else outer
