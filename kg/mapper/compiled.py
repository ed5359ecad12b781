"""A JSON-LD context, compiled once into functions that write N-Triples.

What PyLD works out for every node anew (which term a key is, which predicate and which datatype
that means) depends on the context alone, so it is asked once: PyLD's own context processor reads
the context, and each term becomes a *writer*, a function that appends lines to a list.

What is compiled, of JSON-LD 1.1 and its type-scoped contexts:

* contexts of terms that mean an IRI, with ``@type`` (``@id`` or a datatype), ``@language`` and
  the container ``@set``; prefixes; a default ``@language``; null in the place of a term;
* nodes with an ``@id`` and at most one ``@type``, a term; their values are texts, nodes, null, and
  arrays of these.

Whatever else a context or a node holds raises :class:`NotCompiledError`, and is for PyLD to map:
where one term of a context goes further, only the nodes that use it.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, cast

import orjson
import pyoxigraph as ox
from pyld import jsonld

from kg.contexts import JsonObject
from kg.errors import ResourceError
from kg.iris import is_plain
from kg.mapper.expanded import never
from kg.mapper.shared import SharedNode
from kg.namespaces import RDF, RDF_TYPE, XSD

Active = Mapping[str, Any]
"""An active context (JSON-LD 1.1 API, section 4.1) as PyLD has it."""

Writer = Callable[[bytes, object, list[bytes]], None]
"""Appends to *lines* what a value says of a *subject*, an N-Triples term: (subject, value, lines).
"""

WriteNode = Callable[[Any, list[bytes]], bytes]
"""Appends the lines of a node, and returns the term that it is: (node, lines)."""

_OPTIONS: Final = {"base": "", "processingMode": "json-ld-1.1"}
_KNOWN: Final = {"mappings", "processingMode", "_uuid", "@version", "@language"}
_KNOWN_OF_SCOPED: Final = {"@language", "@protected", "@version"}
_KNOWN_OF_TERM: Final = {"@id", "@type", "@language", "@container", "reverse", "protected"}
# PyLD rewrites the lexical forms of the first; the others need more than a datatype.
_NOT_COMPILED: Final = {f"{XSD}double", f"{RDF}langString", f"{RDF}dirLangString"}
# What PyLD raises for a context that is none: its own error, and where it does not look first.
_NO_CONTEXT: Final = (jsonld.JsonLdError, AttributeError, LookupError, TypeError, ValueError)
_HELD: Final = 5_000
"""IRIs of which the terms are kept at once; the same few thousand stand in every record."""

_BACKSLASH: Final = 0x5C
_DEL: Final = 0x7F
_HIGH: Final = 0xEF  # what U+F000 to U+FFFF begin with in UTF-8


class NotCompiledError(Exception):
    """A context or a node goes beyond what is compiled."""


class CompiledContext:
    """Writes nodes by one *context*, a list of local contexts as :class:`~kg.contexts.Contexts`.

    Where it does not *repeat*, the lines of a :class:`~kg.mapper.shared.SharedNode` are written
    the first time only.

    Raises :class:`~kg.errors.ResourceError` for a context that is none.
    """

    def __init__(self, context: list[JsonObject], name: str, *, repeat: bool = True) -> None:
        self._repeat = repeat
        self.left_out = array("q")
        """The hashes of lines that the last :meth:`lines` did not write again."""
        self._types: dict[object, _Type] = {}
        self._terms: dict[frozenset[tuple[str, str]], _Terms] = {}
        processor = jsonld.JsonLdProcessor()
        options = _OPTIONS | {"documentLoader": never}
        try:
            initial = processor.process_context(None, None, options)
            active = processor.process_context(initial, context, options)
        except _NO_CONTEXT as error:
            raise ResourceError(f"the context {name}.jsonld is none: {error}") from error
        if not _is_compiled(active):
            return
        self._types[None] = self._type(None, active)
        for term, meaning in active["mappings"].items():
            own, scoped = active, meaning.get("@context")
            if scoped is not None:
                if not _is_known(scoped):
                    continue
                try:
                    own = processor.process_context(active, scoped, options)
                except _NO_CONTEXT:  # as that of a type; as that of a property it may be one
                    continue
            if _is_iri(meaning["@id"]) and _is_compiled(own):
                self._types[term] = self._type(meaning["@id"], own)

    def _type(self, iri: str | None, active: Active) -> _Type:
        prefixes = _prefixes(active)
        terms = self._terms.setdefault(frozenset(prefixes.items()), _Terms(prefixes))
        return _Type(iri, terms, active, self._node)

    def lines(self, nodes: Iterable[object]) -> list[bytes]:
        """Return the triples of *nodes* as lines of N-Triples without their ends.

        Raises :class:`NotCompiledError`.
        """
        lines: list[bytes] = []
        self.left_out = array("q")
        for node in nodes:
            self._node(node, lines)
        return lines

    def _node(self, node: Any, lines: list[bytes]) -> bytes:
        """Append the lines of *node*, and return the term that it is."""
        is_shared = node.__class__ is SharedNode
        if is_shared and node.term is not None:
            self.left_out.extend(node.hashes)
            return cast("bytes", node.term)
        before, left_out = len(lines), len(self.left_out)
        try:
            type_ = self._types[node.get("@type")]
            subject = type_.terms[node["@id"]]
        except (AttributeError, KeyError, TypeError):
            raise NotCompiledError from None
        if type_.is_what is not None:
            lines.append(subject + type_.is_what)
        writers = type_.writers
        for key, value in node.items():
            write = writers[key]
            if write is not None:
                write(subject, value, lines)
        if is_shared and not self._repeat:
            node.term = subject
            node.hashes = self.left_out[left_out:] + array("q", map(hash, lines[before:]))
        return subject


class _Type:
    """What the nodes of one type are written with.

    *is_what* ends the line that says their type, *writers* has the writer of each key, *terms* the
    N-Triples term of each IRI as a node of this type may write it.
    """

    __slots__ = ("is_what", "terms", "writers")

    def __init__(self, iri: str | None, terms: _Terms, active: Active, write: WriteNode) -> None:
        self.is_what = None if iri is None else _predicate(RDF_TYPE) + f"<{iri}> .".encode()
        self.terms = terms
        # A node whose type is null is none.
        self.writers = _Writers({"@id": None, "@type": None if iri else _not_compiled})
        language = jsonld.JsonLdProcessor.get_context_value
        for term, meaning in active["mappings"].items():
            self.writers[term] = _writer(meaning, language(active, term, "@language"), terms, write)


class _Terms(dict[str, bytes]):
    """IRI → N-Triples term, made when first asked for; *prefixes* expand a compact IRI.

    A relative IRI, a blank node and what is no IRI at all raise :class:`NotCompiledError`.
    """

    def __init__(self, prefixes: Mapping[str, str]) -> None:
        super().__init__()
        self._prefixes = prefixes

    def __missing__(self, iri: object) -> bytes:
        if not isinstance(iri, str):
            raise NotCompiledError
        # An address of the plain kind needs no look at prefixes, ports or escapes.
        term = f"<{iri if is_plain(iri) else self._whole(iri)}>".encode()
        if len(self) >= _HELD:
            self.clear()
        self[iri] = term
        return term

    def _whole(self, iri: str) -> str:
        prefix, _, rest = iri.partition(":")
        if prefix in self._prefixes and not rest.startswith("//"):
            iri = self._prefixes[prefix] + rest
        if not _is_iri(iri):  # nor are a relative IRI and a blank node
            raise NotCompiledError
        return iri


class _Writers(dict[str, Writer | None]):
    """Key of a node → writer, or None where it says nothing, as a key that the context lacks."""

    def __missing__(self, key: str) -> Writer | None:
        # With a colon it may be an IRI, and so a predicate, after all.
        writer = _not_compiled if ":" in key or key.startswith("@") else None
        self[key] = writer
        return writer


def _writer(
    meaning: Mapping[str, Any], language: str | None, terms: _Terms, write_node: WriteNode
) -> Writer | None:
    """Return the writer for what stands under a term, by its *meaning* in an active context."""
    predicate, type_ = meaning["@id"], meaning.get("@type")
    if predicate is None:
        return None
    known = {name for name in meaning if not name.startswith("_")}
    if (
        known - _KNOWN_OF_TERM
        or meaning["reverse"]
        or meaning.get("@container", ["@set"]) != ["@set"]
        or type_ in _NOT_COMPILED
        or not _is_iri(predicate)
    ):
        return _not_compiled
    if type_ == "@id":
        return _property(_predicate(predicate), None, terms, write_node)
    try:
        return _property(_predicate(predicate), _end(type_, language), terms, write_node)
    except ValueError:  # such a language or datatype is none, nor is a keyword
        return _not_compiled


def _property(predicate: bytes, end: bytes | None, terms: _Terms, write_node: WriteNode) -> Writer:
    """Return the writer of a property; *end* follows a text in quotes, None says texts are IRIs."""

    def write(subject: bytes, value: object, lines: list[bytes]) -> None:
        if isinstance(value, str):
            if end is None:
                lines.append(b"".join((subject, predicate, terms[value], b" .")))
            else:
                lines.append(b"".join((subject, predicate, quoted(value), end)))
        elif isinstance(value, dict):
            # A reference belongs to the node around it, and so do the prefixes in it.
            is_reference = len(value) == 1 and isinstance(value.get("@id"), str)
            term = terms[value["@id"]] if is_reference else write_node(value, lines)
            lines.append(b"".join((subject, predicate, term, b" .")))
        elif isinstance(value, list):
            for one in value:
                write(subject, one, lines)
        elif value is not None:
            raise NotCompiledError

    return write


def _not_compiled(_subject: bytes, _value: object, _lines: list[bytes]) -> None:
    raise NotCompiledError


def quoted(text: str) -> bytes:
    r"""Return *text* in quotes, as canonical N-Triples writes it (RDF 1.2 N-Triples, section 4).

    JSON escapes the same characters in the same way, but for the controls that have no letter of
    their own (``\u001f``, there in small letters), DEL, U+FFFE and U+FFFF.

    >>> quoted('a "b"\n')
    b'"a \\"b\\"\\n"'
    """
    written = orjson.dumps(text)
    # Looking for one byte is fast, and most texts have none of them.
    if (_BACKSLASH in written and b"\\u" in written) or _DEL in written or _HIGH in written:
        return str(ox.Literal(text)).encode()
    return written


def _predicate(iri: str) -> bytes:
    return f" <{iri}> ".encode()


def _end(datatype: str | None, language: str | None) -> bytes:
    """Return what follows a text in quotes up to the end of its line; ValueError for what is none.

    A datatype leaves no room for a language.
    """
    if datatype is not None:
        literal = ox.Literal("", datatype=ox.NamedNode(datatype))
    else:
        literal = ox.Literal("", language=language)
    return str(literal).encode().removeprefix(b'""') + b" ."


def _is_iri(text: object) -> bool:
    """Say whether a text is an absolute IRI for PyLD and for the engine alike."""
    if not isinstance(text, str) or not (text.isascii() or text.split(None, 1) == [text]):
        return False
    try:
        ox.NamedNode(text)
    except ValueError:
        return False
    return True


def _prefixes(active: Active) -> dict[str, str]:
    """Return prefix → IRI; ``_`` is none, it stands before the label of a blank node."""
    return {
        term: meaning["@id"]
        for term, meaning in active["mappings"].items()
        if meaning["_prefix"] and isinstance(meaning["@id"], str) and term != "_"
    }


def _is_compiled(active: Active) -> bool:
    """Say whether a context changes the reading of nodes by its terms and language alone.

    A term for ``@value`` does more: with it, PyLD reads a small node inside as no node.
    """
    values = any(meaning["@id"] == "@value" for meaning in active["mappings"].values())
    return not values and active.keys() <= _KNOWN


def _is_known(scoped: object) -> bool:
    """Say whether a scoped context is one, or several, that end with the node of their type."""
    parts = scoped if isinstance(scoped, list) else [scoped]
    return all(
        isinstance(part, dict) and {key for key in part if key.startswith("@")} <= _KNOWN_OF_SCOPED
        for part in parts
    )
