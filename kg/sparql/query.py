"""Is a text a SPARQL query, of which form, and if not: why not, in words of our own.

The engine parses; it says where it gave up in terms of its grammar (``expected one of …``), which
tells nobody that a prefix is missing. So when it refuses a text, the text's tokens are looked at
for the faults that people make, and only what is none of them is reported by its place alone.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import Final

import pyoxigraph as ox

from kg.errors import QueryError
from kg.limits import Limits
from kg.services import NO_SERVICES, Services
from kg.sparql.faults import fault
from kg.sparql.federation import refuse_services
from kg.sparql.parsing import parse
from kg.sparql.refusing import CLOSES, OPENS, refuse_excess, refuse_length
from kg.sparql.tokens import Kind, Token, scan
from kg.sparql.words import FORMS, KEYWORDS, UPDATES


class QueryForm(StrEnum):
    """The four forms of a query (SPARQL 1.1, section 16)."""

    SELECT = "SELECT"
    ASK = "ASK"
    CONSTRUCT = "CONSTRUCT"
    DESCRIBE = "DESCRIBE"

    @property
    def is_graph(self) -> bool:
        """Whether the answer is a graph (and not solutions, or a yes or no)."""
        return self in (QueryForm.CONSTRUCT, QueryForm.DESCRIBE)


_TRIED: Final = 16
"""IRIs before a bracket that are looked at at most; each costs a reading of the whole text."""

# What the engine says about a text that is well-formed and still no query → our words for it.
_MEANINGS: Final = {
    "The SELECT contains a variable that is unbound": (
        "SELECT names a variable that is neither in GROUP BY nor inside an aggregate"
    ),
    "The SELECT overrides an existing variable using an expression": (
        "SELECT gives an expression the name of a variable that the pattern already has"
    ),
    "SELECT * is not authorized with GROUP BY": "SELECT * cannot be used with GROUP BY",
    "The VALUES clause rows should have exactly": (
        "a row of VALUES has more or fewer values than there are variables"
    ),
    "IRI parsing failed": "an IRI is not legal",
}
_UNKNOWN_FUNCTION: Final = re.compile(r"custom function (<[^>]*>)")
_ADDRESS: Final = re.compile(r"<[A-Za-z][A-Za-z0-9+.-]*:[^<>\r\n]*>")
_NOT_IRI: Final = re.compile(r'[\x00-\x20<>"{}|\\^`]')
_POSITION: Final = re.compile(r"error at (\d+):(\d+)")
_TIGHT: Final = re.compile(r" (?=[)}\]])")
# Longer than any keyword: see _place.
_PAD: Final = " " * 40


def check(
    text: str,
    prefixes: Mapping[str, str],
    base: str | None = None,
    limits: Limits | None = None,
    services: Services = NO_SERVICES,
) -> QueryForm:
    """Return the form of the query *text*, in which *prefixes* count as declared.

    A query's own ``PREFIX`` wins over *prefixes*, and its ``BASE`` over *base*, the IRI against
    which relative IRIs are resolved (without either they are refused). What goes over *limits* is
    refused, and ``SERVICE`` but for *services*: the engine would call any server. Raises
    :class:`~kg.errors.QueryError` with line, column and the line itself.

    >>> check("ASK { ?s rdfs:label ?o }", {"rdfs": "http://www.w3.org/2000/01/rdf-schema#"})
    <QueryForm.ASK: 'ASK'>
    """
    if limits is not None:
        refuse_length(text, limits)
    for match in re.finditer("[\ud800-\udfff]", text):
        raise fault(
            text, match.start(), f"U+{ord(match[0]):04X} is half a character, which no text holds"
        )
    tokens = list(scan(text))
    refuse_services(text, tokens, services)
    refuse_excess(text, tokens, limits)
    try:
        parse(text, prefixes, base)
    except SyntaxError:
        raise _explain(text, tokens, prefixes, base) from None
    _refuse_unknown_functions(text, tokens, prefixes, base)
    return QueryForm(next(t.text.upper() for t in tokens if t.is_word(*FORMS)))


def _refuse_unknown_functions(
    text: str, tokens: Sequence[Token], prefixes: Mapping[str, str], base: str | None
) -> None:
    """Refuse a call of a function that the engine does not have, in a *text* that it has parsed.

    An IRI before a bracket is a call, or a predicate before a list; where a function of SPARQL's
    own can stand in its place, it is a call.
    """
    body = next(_body(tokens))
    known: set[str] = set()
    tried = 0
    for token, following in pairwise(tokens):
        if following.text != "(" or token.kind not in (Kind.IRI, Kind.PREFIXED_NAME):
            continue
        if token.text in known or token.start < body.start:
            continue
        try:
            # The engine alone says which IRI it is and whether it has it: of a call of its own.
            call = f"{text[: body.start]} ASK {{ FILTER({token.text}(1)) }}"
            ox.Store().query(call, prefixes=dict(prefixes), base_iri=base)
        except RuntimeError as error:
            unknown = _UNKNOWN_FUNCTION.search(str(error))
            name = unknown[1] if unknown else token.text
        else:
            known.add(token.text)
            continue
        if tried == _TRIED:
            return
        tried += 1
        try:
            parse(f"{text[: token.start]} COALESCE{text[following.start :]}", prefixes, base)
        except SyntaxError:
            continue
        raise fault(text, token.start, f"the function {name} is not known")


def _explain(
    text: str, tokens: Sequence[Token], prefixes: Mapping[str, str], base: str | None
) -> QueryError:
    """Return the error for a *text* that the engine refused."""
    for found in (
        _wrong_beginning(text, tokens),
        _wrong_iri(text, tokens),
        _wrong_bracket(text, tokens),
        _wrong_name(text, tokens, prefixes, base),
    ):
        if found is not None:
            return found
    # What it says about the meaning shows only if it read nothing after it, not even a space.
    said, _ = _gives_up(_TIGHT.sub("", " ".join(_in_one_line(tokens))), prefixes, base)
    sentence = next((ours for theirs, ours in _MEANINGS.items() if theirs in said), None)
    token = _place(tokens, prefixes, base)
    if token is None:
        return fault(text, tokens[-1].end, sentence or "the query ends too early")
    return fault(text, token.start, sentence or f"{_shown(token)} is not expected here")


def _shown(token: Token) -> str:
    return token.text if len(token.text) <= 40 else f"{token.text[:39]}…"


def _body(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield the tokens after the prologue (BASE, PREFIX and VERSION declarations)."""
    index = 0
    while index < len(tokens) and tokens[index].is_word("BASE", "PREFIX", "VERSION"):
        index += 3 if tokens[index].is_word("PREFIX") else 2
    yield from tokens[index:]


def _wrong_beginning(text: str, tokens: Sequence[Token]) -> QueryError | None:
    if not tokens:
        return QueryError("the query is empty", line=1, column=1)
    first = next(_body(tokens), None)
    forms = ", ".join(FORMS[:-1]) + f" or {FORMS[-1]}"
    if first is None:
        return fault(text, tokens[-1].end, f"the query ends before any {forms}")
    if first.is_word(*FORMS):
        return None
    if first.is_word(*UPDATES):
        sentence = f"{first.text.upper()} begins an update, and a store of paperkg is only read"
        return fault(text, first.start, sentence, hint=f"a query begins with {forms}")
    near = difflib.get_close_matches(first.text.upper(), FORMS, 1)
    hint = f"did you mean {near[0]}?" if near else f"a query begins with {forms}"
    return fault(text, first.start, f"{_shown(first)} begins no query", hint=hint)


def _wrong_iri(text: str, tokens: Sequence[Token]) -> QueryError | None:
    """Look for an address in angle brackets that is no IRI token for what stands in it."""
    for token in tokens:
        match = token.is_mark("<") and _ADDRESS.match(text, token.start)
        illegal = match and _NOT_IRI.search(text, token.start + 1, match.end() - 1)
        if illegal:
            return fault(
                text,
                illegal.start(),
                "this character cannot stand in an IRI",
                hint=f"write it as %{ord(illegal[0]):02X}",
            )
    return None


def _wrong_bracket(text: str, tokens: Sequence[Token]) -> QueryError | None:
    open_brackets: list[Token] = []
    for token in tokens:
        if token.kind is not Kind.MARK:
            continue
        if token.text in CLOSES:
            open_brackets.append(token)
        elif token.text in OPENS:
            if not open_brackets:
                return fault(text, token.start, f"this {token.text} closes nothing")
            opening = open_brackets.pop()
            if CLOSES[opening.text] != token.text:
                return fault(
                    text,
                    token.start,
                    f"{token.text} stands where {CLOSES[opening.text]} should close"
                    f" the {opening.text} of line {text.count(chr(10), 0, opening.start) + 1}",
                )
    if open_brackets:
        opening = open_brackets[-1]
        return fault(text, opening.start, f"this {opening.text} is never closed")
    return None


def _wrong_name(
    text: str, tokens: Sequence[Token], prefixes: Mapping[str, str], base: str | None
) -> QueryError | None:
    """Look for a prefix that nobody declared, a relative IRI without a base, an unknown word."""
    declared, has_base = set(prefixes), base is not None
    before: Token | None = None
    for token in tokens:
        declares = before is not None and before.is_word("PREFIX")
        if token.kind is Kind.IRI:
            if before is not None and before.is_word("BASE"):
                has_base = True
            if not has_base and not re.match(r"<[A-Za-z][A-Za-z0-9+.-]*:", token.text):
                return fault(
                    text,
                    token.start,
                    f"{_shown(token)} is a relative IRI, and the query has no BASE",
                    hint="write the whole IRI, or a name with a prefix",
                )
        elif token.kind is Kind.PREFIXED_NAME:
            prefix = token.text.partition(":")[0]
            if declares:
                declared.add(prefix)
            elif prefix not in declared:
                return fault(
                    text,
                    token.start,
                    f"prefix {prefix}: is not declared",
                    hint=f"begin with PREFIX {prefix}: <…>"
                    " (kg queries --prefixes lists those that need no declaration)",
                )
        elif token.kind is Kind.WORD and not _is_known(token):
            near = difflib.get_close_matches(token.text.upper(), sorted(KEYWORDS), 1, 0.8)
            return fault(
                text,
                token.start,
                f"{_shown(token)} is no word of SPARQL",
                hint=f"did you mean {near[0]}?"
                if near
                else "a name needs a prefix, a variable a ?, a text quotes",
            )
        before = token
    return None


def _is_known(token: Token) -> bool:
    # The keyword a (rdf:type) is the only one that has a case.
    return token.text == "a" or (token.text != "A" and token.text.upper() in KEYWORDS)


def _place(tokens: Sequence[Token], prefixes: Mapping[str, str], base: str | None) -> Token | None:
    """Return the token at which the engine gives up, or None where it wants more.

    The engine reports the farthest character that it looked at, and it looks ahead by the length
    of the keyword it tries. With more space between the tokens than a keyword is long, that
    character always stands in the right token or in the space after it.
    """
    texts = _in_one_line(tokens)
    padded = _PAD.join(texts) + _PAD
    _, offset = _gives_up(padded, prefixes, base)
    if offset >= len(padded):
        return None
    start = 0
    found = tokens[0]
    for token, part in zip(tokens, texts, strict=True):
        if start > offset:
            break
        found, start = token, start + len(part) + len(_PAD)
    return found


def _in_one_line(tokens: Sequence[Token]) -> list[str]:
    """Return the tokens' texts without line ends, so that a column is an offset."""
    return [re.sub(r"[\r\n]", " ", token.text) for token in tokens]


def _gives_up(text: str, prefixes: Mapping[str, str], base: str | None) -> tuple[str, int]:
    """Return what the engine says about *text* in one line, and the offset that it names."""
    try:
        parse(text, prefixes, base)
    except SyntaxError as error:
        position = _POSITION.search(str(error))
        return str(error), int(position[2]) - 1 if position else 0
    return "", 0  # tokens that mean something else when they stand apart
