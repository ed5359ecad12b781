"""What XML cannot carry, found in XML that the engine writes.

XML 1.0, section 2.2: a document holds no control character but tab, line feed and carriage return,
and neither U+FFFE nor U+FFFF; there is no way to write them. A bare carriage return would be read
as a line feed (section 2.11), so it is written as a reference. RDF/XML moreover needs an element
name for every predicate (RDF 1.1 XML Syntax, section 2.2).
"""

from __future__ import annotations

import re
from typing import Final

from kg.errors import AnswerError

_NO_CHARACTER: Final = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]|\xef\xbf[\xbe\xbf]")
# What Oxigraph 0.5 writes for a predicate of which no end is a name.
_NO_NAME: Final = re.compile(rb'<oxprefix: (?:xmlns:oxprefix="([^"]*)")?')
_KEPT: Final = 16
"""Longer than what is looked for, which may stand across two pieces."""


class XmlGuard:
    """Looks through the pieces of one XML document, in order; *others* are formats to offer."""

    def __init__(self, others: str) -> None:
        self._others = others
        self._before = b""

    def __call__(self, piece: bytes) -> bytes:
        """Return *piece* as it may stand in XML.

        Raises :class:`~kg.errors.AnswerError` if it may not.
        """
        seen = self._before + piece
        wrong = _NO_CHARACTER.search(seen)
        if wrong:
            code = ord(wrong[0].decode("utf-8"))
            raise AnswerError(
                f"the answer holds the character U+{code:04X}, which XML cannot carry;"
                f" ask for {self._others}"
            )
        unnamed = _NO_NAME.search(seen)
        if unnamed:
            iri = (unnamed[1] or b"").decode("utf-8", "replace")  # where it stands in this piece
            predicate = f"the predicate <{iri}>" if iri else "a predicate"
            raise AnswerError(
                f"{predicate} of the answer has no name that XML can carry; ask for {self._others}"
            )
        self._before = seen[-_KEPT:]
        return piece.replace(b"\r", b"&#13;")
