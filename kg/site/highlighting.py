"""SPARQL set for the eye: its words, names and comments told apart."""

from __future__ import annotations

import re
from typing import Final

from markupsafe import Markup, escape

# By what they look like (SPARQL 1.1, sections 19.3 to 19.8); a text that is no SPARQL is shown too.
_PART: Final = re.compile(
    r"""(?P<comment>\#[^\n]*)
    |(?P<iri><[^<>"{}|^`\\\s]*>)
    |(?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    |(?P<variable>[?$]\w+)
    |(?P<name>[A-Za-z][\w-]*:[\w./~%-]*)
    |(?P<word>\b[A-Z]{2,}\b)""",
    re.VERBOSE,
)


def highlighted(text: str) -> Markup:
    """Return *text*, a query, with its parts in spans of classes that the stylesheet knows."""
    found, end = Markup(""), 0
    for match in _PART.finditer(text):
        found += escape(text[end : match.start()])
        found += Markup('<span class="q-{}">{}</span>').format(match.lastgroup, match[0])
        end = match.end()
    return found + escape(text[end:])
