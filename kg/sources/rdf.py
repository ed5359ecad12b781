"""RDF files → quads: Turtle, N-Triples, N-Quads, TriG, JSON-LD 1.1 and RDF/XML, strictly read.

A file is read whole or counts for nothing: a fault is raised, with its line and column. RDF/XML is
read by two parsers side by side, because Oxigraph 0.5 takes a document that breaks off for a whole
one: Expat, which knows what is well-formed, says where a fault is, and refuses entities that swell.
JSON-LD lets a processor pass over what has a malformed IRI, and Oxigraph does, without a word: its
lenient mode hands it over, and it is refused here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from typing import IO, Final, cast
from xml.parsers import expat

import pyoxigraph as ox

_XML_PIECE: Final = re.compile(rb"[^>]*>")
_JSON_PIECE: Final = re.compile(rb"[^,}\]\n]*[,}\]\n]")
_PLACE: Final = re.compile(r"^Parser error (?:at|between) (?:[\w ]*?): ", re.ASCII)
_ENDED: Final = re.compile(r"(?i)unexpected end\b")
_LONGEST_PIECE: Final = 64 * 1024
_REMOTE: Final = "No LoadDocumentCallback"
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)


class RdfError(Exception):
    """What a file holds is not its language; *line* and *column* count from 1, if known."""

    def __init__(self, reason: str, line: int | None, column: int | None) -> None:
        where = f"line {line}, column {column}: " if line else ""
        super().__init__(f"{where}{reason}")


class _Feed:
    """What a parser reads from: bytes in pieces of which the place is known."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces = iter(pieces)
        self._piece = b""
        self._used = 0
        self._lines = 0  # whole lines before the piece
        self._columns = 0  # characters before the piece in its line

    def read(self, size: int = -1) -> bytes:
        """Return at most *size* bytes; none at the end."""
        while self._used >= len(self._piece):
            self._lines, self._columns = self.place(len(self._piece))
            self._piece, self._used = next(self._pieces, b""), 0
            if not self._piece:
                return b""
        start = self._used
        self._used = len(self._piece) if size < 0 else min(start + size, len(self._piece))
        return self._piece[start : self._used]

    def place(self, offset: int) -> tuple[int, int]:
        """Return how many lines, and characters of its line, stand before *offset* of the piece."""
        before = self._piece[:offset]
        lines = before.count(b"\n")
        last = before.rsplit(b"\n", 1)[-1].decode("utf-8", "replace")
        return self._lines + lines, len(last) + (0 if lines else self._columns)

    def start_of(self, mark: bytes) -> tuple[int, int]:
        """Return the line and column, from 1, of the last *mark* in the piece, else of its end."""
        at = self._piece.rfind(mark) if mark else -1
        lines, columns = self.place(at if at >= 0 else len(self._piece))
        return lines + 1, columns + 1


def _cut(blocks: Iterable[bytes], piece: re.Pattern[bytes]) -> Iterator[bytes]:
    rest = b""
    for block in blocks:
        whole = rest + block
        end = 0
        for found in piece.finditer(whole):
            end = found.end()
            yield found[0]
        rest = whole[end:]
        if len(rest) > _LONGEST_PIECE:
            yield rest
            rest = b""
    if rest:
        yield rest


def _well_formed(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Pass on the pieces of an XML document as long as it is well-formed."""
    parser = expat.ParserCreate(namespace_separator=" ")
    for piece in chain(pieces, (b"",)):
        try:
            parser.Parse(piece, not piece)
        except expat.ExpatError as error:
            reason = f"no well-formed XML: {expat.ErrorString(error.code)}"
            if not piece:
                reason = "truncated: the document ends before its end"
            raise RdfError(reason, error.lineno, error.offset + 1) from None
        yield piece


def quads(blocks: Iterable[bytes], format_: ox.RdfFormat, base: str) -> Iterator[ox.Quad]:
    """Yield the quads of an RDF document in UTF-8 that comes in *blocks* of bytes.

    Relative IRIs are resolved against *base*. Raises :class:`RdfError` at the first fault, and
    for what RDF 1.1 has not: triple terms, and strings with a direction. Keys of JSON-LD that no
    context maps to an IRI say nothing, by its specification.
    """
    blocks = iter(blocks)
    start = b""
    while not start.strip() and (block := next(blocks, b"")):
        start += block
    if not start.strip():  # an empty file is no error, in whatever language
        return
    pieces: Iterator[bytes] = chain((start,), blocks)
    if format_ == ox.RdfFormat.RDF_XML:
        pieces = _well_formed(_cut(pieces, _XML_PIECE))
    elif format_ == ox.RdfFormat.JSON_LD:
        pieces = _cut(pieces, _JSON_PIECE)
    feed = _Feed(pieces)
    is_json = format_ == ox.RdfFormat.JSON_LD
    try:
        for quad in ox.parse(
            cast("IO[bytes]", feed), format=format_, base_iri=base, lenient=is_json
        ):
            if is_json and not _SCHEME.match(quad.predicate.value):
                continue
            _check(quad)
            yield _of_json_ld(quad, feed) if is_json else quad
    except SyntaxError as error:
        raise _fault(error, feed, b"<" if format_ == ox.RdfFormat.RDF_XML else b"") from None


def _fault(error: SyntaxError, feed: _Feed, mark: bytes) -> RdfError:
    reason = _PLACE.sub("", error.msg)
    if _ENDED.search(reason):
        reason = f"truncated: {reason[:1].lower()}{reason[1:]}"
    if _REMOTE in reason:
        reason = "its @context stands elsewhere, and nothing is loaded from the web: write it out"
    if error.lineno:
        return RdfError(reason, error.lineno, error.offset)
    return RdfError(reason, *feed.start_of(mark))


def _of_json_ld(quad: ox.Quad, feed: _Feed) -> ox.Quad:
    """Return a quad that a lenient parser has handed over as a strict one would.

    Raises for a term that is none of RDF; the *feed* stands behind it.
    """
    for term in (quad.subject, quad.predicate, quad.object, quad.graph_name):
        try:
            if isinstance(term, ox.NamedNode):
                _check_iri(term.value)
            elif isinstance(term, ox.Literal):
                _check_iri(term.datatype.value)
                if term.language is not None:  # its tag is in lower case, as everywhere else
                    literal = ox.Literal(term.value, language=term.language)
                    quad = ox.Quad(quad.subject, quad.predicate, literal, quad.graph_name)
        except ValueError as error:
            reason = f"{term} is no term of RDF: {error}"
            raise RdfError(reason, *feed.start_of(b"")) from None
    return quad


@lru_cache(maxsize=10_000)  # properties and classes come again and again
def _check_iri(iri: str) -> None:
    ox.NamedNode(iri)


def _check(quad: ox.Quad) -> None:
    target = quad.object
    if isinstance(target, ox.Triple):
        raise RdfError("a triple inside a triple is RDF 1.2, which is not read", None, None)
    if isinstance(target, ox.Literal) and target.direction is not None:
        raise RdfError("a string with a direction is RDF 1.2, which is not read", None, None)
