r"""Names in Turtle that every reader takes.

Oxigraph writes a prefixed name that ends in a full stop as ``m:model\.``. That is Turtle (1.1,
section 6.5, PN_LOCAL_ESC), and rdflib 7 takes the full stop for the end of the statement. Such a
name is written as its IRI in full.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import BinaryIO, Final, Protocol, cast

import pyoxigraph as ox

# A literal that holds such a text has its backslash doubled, so none is taken for a name. A name
# begins after white space or the quote of a literal and goes over neither, so that no byte is
# looked at for two names: the time grows with the length.
_NAME: Final = re.compile(
    rb"(?:(?<!\S)|(?<=\"\^\^))([\w.-]*):((?:[^\s\"<>\\]|\\[^\s\"\\])*\\\.)(?=\s)"
)
_ESCAPE: Final = re.compile(rb"\\(.)")
_ENDED: Final = b"\\."


class Output(Protocol):
    """What is written to."""

    def write(self, piece: bytes, /) -> object:
        """Take a piece."""


class TurtleNames:
    """A stream, as far as the engine needs one, of Turtle or TriG on its way to *stream*.

    *prefixes* are those that its names have. What may be the beginning of a name is held back until
    more comes, or :meth:`finish`.
    """

    def __init__(self, stream: Output, prefixes: Mapping[str, str]) -> None:
        self._stream = stream
        self._prefixes = {name.encode(): iri.encode() for name, iri in prefixes.items()}
        self._rest: list[bytes] = []

    def write(self, piece: bytes) -> int:
        """Take a piece of the document; return how long it was."""
        text = bytes(piece)
        # The space behind a token is what tells that it has ended.
        ended = max(text.rfind(b" "), text.rfind(b"\n")) + 1
        if not ended:
            self._rest.append(text)
            return len(text)
        whole = b"".join((*self._rest, text[:ended]))
        self._rest = [text[ended:]]
        if _ENDED in whole:
            whole = _NAME.sub(self._in_full, whole)
        self._stream.write(whole)
        return len(text)

    def flush(self) -> None:
        """Keep what is held back: the engine flushes at its own end only."""

    def finish(self) -> None:
        """Pass on the rest."""
        if rest := b"".join(self._rest):
            self._stream.write(rest)
        self._rest.clear()

    def _in_full(self, name: re.Match[bytes]) -> bytes:
        if (namespace := self._prefixes.get(name[1])) is None:
            return name[0]
        return b"<" + namespace + _ESCAPE.sub(rb"\1", name[2]) + b">"


def serialize(
    triples: Iterable[ox.Triple],
    stream: Output,
    format_: ox.RdfFormat,
    prefixes: dict[str, str] | None,
) -> None:
    """Write *triples* to *stream* as the engine does; in Turtle and TriG, names as above."""
    if prefixes is None or format_ not in (ox.RdfFormat.TURTLE, ox.RdfFormat.TRIG):
        ox.serialize(triples, cast("BinaryIO", stream), format=format_, prefixes=prefixes)
        return
    names = TurtleNames(stream, prefixes)
    ox.serialize(triples, cast("BinaryIO", names), format=format_, prefixes=prefixes)
    names.finish()
