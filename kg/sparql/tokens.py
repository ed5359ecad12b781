"""The tokens of SPARQL 1.1 (section 19.8 of its specification), each with its exact place.

Comments and white space are left out. The few marks that SPARQL 1.2 adds (``<<(``, ``{|``, ``~``)
are known, because the engine knows them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Final, NamedTuple

from kg.sparql.faults import fault


class Kind(StrEnum):
    """What a token is."""

    IRI = "iri"
    STRING = "string"
    PREFIXED_NAME = "prefixed name"
    BLANK_NODE = "blank node"
    VARIABLE = "variable"
    LANGUAGE = "language tag"
    NUMBER = "number"
    WORD = "word"
    MARK = "mark"


_WORD: Final = Kind.WORD
_MARK: Final = Kind.MARK


class Token(NamedTuple):
    """One token: *text* is ``query[start:end]``.

    A query has hundreds, and each is looked at by several checks: a tuple is the quickest to make.
    """

    kind: Kind
    text: str
    start: int
    end: int

    def is_word(self, *words: str) -> bool:
        """Say whether this is one of the keywords *words* (upper case), in any case."""
        return self.kind is _WORD and self.text.upper() in words

    def is_mark(self, *marks: str) -> bool:
        """Say whether this is one of the punctuation *marks*."""
        return self.kind is _MARK and self.text in marks


# PN_CHARS_BASE [164], PN_CHARS_U [165], PN_CHARS [167] as the insides of a character class.
_BASE = (
    "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c-\u200d"
    "\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
_BASE_U = _BASE + "_"
_CHARS = _BASE_U + "0-9\u00b7\u0300-\u036f\u203f-\u2040-"
# PN_PREFIX [168]; PLX [170]: %xx and \-escapes of a local name; PN_LOCAL [169].
_PN_PREFIX = rf"[{_BASE}](?:[{_CHARS}.]*[{_CHARS}])?"
_PLX = r"%[0-9A-Fa-f]{2}|\\[_~.\-!$&'()*+,;=/?#@%]"
_PN_LOCAL = rf"(?:[{_BASE_U}0-9:]|{_PLX})(?:(?:[{_CHARS}.:]|{_PLX})*(?:[{_CHARS}:]|{_PLX}))?"
_UCHAR = r"\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}"

_PATTERNS: Final = {
    # Longest match (section 19.8): the long quotes stand before the short ones.
    Kind.IRI: rf'<(?:[^<>"{{}}|^`\\\x00-\x20]|{_UCHAR})*>',
    Kind.STRING: (
        r'"""(?:"{0,2}(?:[^"\\]|\\[\s\S]))*"""'
        r"|'''(?:'{0,2}(?:[^'\\]|\\[\s\S]))*'''"
        r'|"(?!"")(?:[^"\\\r\n]|\\[^\r\n])*"'
        r"|'(?!'')(?:[^'\\\r\n]|\\[^\r\n])*'"
    ),
    Kind.BLANK_NODE: rf"_:[{_BASE_U}0-9](?:[{_CHARS}.]*[{_CHARS}])?",
    Kind.PREFIXED_NAME: rf"(?:{_PN_PREFIX})?:(?:{_PN_LOCAL})?",
    Kind.VARIABLE: rf"[?$][{_BASE_U}0-9][{_BASE_U}0-9\u00b7\u0300-\u036f\u203f-\u2040]*",
    Kind.LANGUAGE: r"@[A-Za-z]+(?:-[A-Za-z0-9]+)*(?:--[A-Za-z]+)?",
    Kind.NUMBER: r"[+-]?(?:[0-9]+\.?[0-9]*[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?"
    r"|[0-9]*\.[0-9]+|[0-9]+)",
    Kind.WORD: r"[^\W\d_]\w*",
    Kind.MARK: r"<<\(|\)>>|<<|>>|\{\||\|\}|\^\^|&&|\|\||!=|<=|>=|[{}()\[\],;.=<>!*/|^?+~-]",
}
# Possessive: what has been skipped is never looked at again, or a comment might be read.
_SKIPPED: Final = r"(?:[ \t\r\n]++|#[^\r\n]*+)*+"
_TOKEN: Final = re.compile(
    f"{_SKIPPED}(?:{'|'.join(f'({pattern})' for pattern in _PATTERNS.values())}|\\Z)"
)
_SKIPPED_ALONE: Final = re.compile(_SKIPPED)
_KINDS: Final = tuple(_PATTERNS)
"""The kind of each group of the pattern, in order; no group stands in another."""


def scan(text: str) -> Iterator[Token]:
    """Yield the tokens of *text*.

    Raises :class:`~kg.errors.QueryError` at a character that begins no token, such as a quote
    that is never closed.

    >>> [token.text for token in scan("ASK { ?s foaf:name 'a # b'@en } # all")]
    ['ASK', '{', '?s', 'foaf:name', "'a # b'", '@en', '}']
    """
    offset = 0
    while True:
        match = _TOKEN.match(text, offset)
        if match is None:
            skipped = _SKIPPED_ALONE.match(text, offset)
            offset = skipped.end() if skipped else offset
            raise fault(text, offset, _no_token(text[offset]))
        group = match.lastindex
        if group is None:  # the end
            return
        start, offset = match.span(group)
        yield Token(_KINDS[group - 1], match[group], start, offset)


def _no_token(character: str) -> str:
    if character in "\"'":
        return "this quote is never closed"
    visible = character.isprintable() and not character.isspace()
    return f"unexpected character {character if visible else f'U+{ord(character):04X}'}"
