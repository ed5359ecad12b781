"""JSON-LD 1.1 with the short names of ``ontology/context/paperkg.jsonld``.

A document is written piece by piece: its context, then one flat node object a subject. JSON-LD's
own compaction algorithm needs the whole graph in memory; what it would say of one node by this
context is said here directly. A value that does not fit what its term expects is written in full
(``@value``, ``@id``), so that nothing is lost. What cannot be written is an IRI whose scheme is a
prefix of the context, which a reader takes for a compact one (JSON-LD 1.1 API, section 5.2).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, TypeAlias, cast

import pyoxigraph as ox

from kg.contexts import JsonObject
from kg.curies import Curies
from kg.errors import UsageError
from kg.exporter.product import Group, Said, parsed
from kg.namespaces import RDF_TYPE, XSD

Embed: TypeAlias = Callable[[ox.NamedNode], JsonObject | None]
"""Returns the node object to stand in place of a reference to a node, or None to leave it."""

_XSD_STRING: Final = XSD + "string"
_XSD_BOOLEAN: Final = XSD + "boolean"
_XSD_INTEGER: Final = XSD + "integer"
# What a JSON number is read as by everybody (RFC 8259, section 6), in canonical form.
_JSON_INTEGER: Final = re.compile(r"0|-?[1-9][0-9]{0,14}")


class Names:
    """The short names of a *context*, one JSON object: prefixes, classes and properties.

    ``used`` collects the entries of the context that were used.
    """

    def __init__(self, context: JsonObject) -> None:
        self.context = context
        self.used: set[str] = set()
        self._prefixes = _prefixes(context)
        self._curies = Curies(self._prefixes)
        self._terms: dict[str, str] = {}
        self._kinds: dict[str, str | None] = {}
        self._sets: set[str] = set()
        for name, definition in context.items():
            if isinstance(definition, dict):
                iri = cast("str | None", definition.get("@id"))
                kind = cast("str | None", definition.get("@type"))
                self._kinds[name] = self._expand(kind) if kind else None
                if definition.get("@container") == "@set":
                    self._sets.add(name)
            else:
                iri = definition if isinstance(definition, str) else None
                self._kinds[name] = None
            if iri and not iri.startswith("@") and name not in self._prefixes:
                self._terms[self._expand(iri)] = name
        self._order = {name: position for position, name in enumerate(context)}

    def excerpt(self) -> JsonObject:
        """Return the part of the context that was used: what is written needs no more."""
        used = self.used | {"@version", "id", "type"}
        for name in self.used:
            definition = self.context[name]
            entries = definition.values() if isinstance(definition, dict) else [definition]
            used |= {
                entry.partition(":")[0]
                for entry in entries
                if isinstance(entry, str) and entry.partition(":")[0] in self._prefixes
            }
        return {name: value for name, value in self.context.items() if name in used}

    def node(
        self, subject: ox.NamedNode, said: Sequence[Said], embed: Embed | None = None
    ) -> JsonObject:
        """Return the node object of *subject*: ``id``, ``type``, then as the context has them."""
        classes: list[str] = []
        values: dict[str, list[object]] = {}
        for predicate, target in said:
            if predicate.value == RDF_TYPE and isinstance(target, ox.NamedNode):
                classes.append(self._name(target.value))
            else:
                name = self._name(predicate.value)
                values.setdefault(name, []).append(self._value(name, target, embed))
        node: JsonObject = {"id": subject.value}
        if classes:
            node["type"] = classes[0] if len(classes) == 1 else classes
        for name in sorted(
            values, key=lambda name: (self._order.get(name, len(self._order)), name)
        ):
            found = values[name]
            node[name] = found if name in self._sets or len(found) > 1 else found[0]
        return node

    def _value(self, name: str, term: ox.NamedNode | ox.Literal, embed: Embed | None) -> object:
        kind = self._kinds.get(name)
        if isinstance(term, ox.NamedNode):
            embedded = embed(term) if embed else None
            if embedded is not None:
                return embedded
            return term.value if kind == "@id" else {"@id": term.value}
        if term.language is not None:
            return {"@value": term.value, "@language": term.language}
        datatype = term.datatype.value
        if kind == datatype:
            return _native(term.value, datatype)
        if datatype != _XSD_STRING:
            return {"@value": term.value, "@type": self._datatype(datatype)}
        return {"@value": term.value} if kind else term.value

    def _name(self, iri: str) -> str:
        """Return the term for a property or class, or its IRI."""
        name = self._terms.get(iri)
        if name is None:
            return iri
        self.used.add(name)
        return name

    def _datatype(self, iri: str) -> str:
        name = self._curies.compress(iri)
        if name is None:
            return iri
        self.used.add(name.partition(":")[0])
        return name

    def _expand(self, name: str) -> str:
        prefix, colon, local = name.partition(":")
        return self._prefixes[prefix] + local if colon and prefix in self._prefixes else name


def check_lines(lines: Iterable[bytes], context: JsonObject) -> None:
    """Do as :func:`check` for N-Triples or N-Quads *lines*; those above suspicion are not parsed.

    Raises :class:`~kg.errors.StoreError` for a line that is neither.
    """
    names = "|".join(map(re.escape, _prefixes(context)))
    suspicious = re.compile(f"<(?:{names}):(?!//)".encode())
    found = (line for line in lines if suspicious.search(line))
    check(parsed(found, ox.RdfFormat.N_QUADS), context)


def check(statements: Iterable[ox.Quad | ox.Triple], context: JsonObject) -> None:
    """Raise :class:`~kg.errors.UsageError` for what JSON-LD with *context* cannot carry.

    It names the subject.
    """
    prefixes = _prefixes(context)
    for statement in statements:
        terms: list[object] = [statement.subject, statement.predicate, statement.object]
        if isinstance(statement, ox.Quad):
            terms.append(statement.graph_name)
        for term in terms:
            iri = term.datatype if isinstance(term, ox.Literal) else term
            if not isinstance(iri, ox.NamedNode):
                continue
            scheme, _, rest = iri.value.partition(":")
            if scheme in prefixes and not rest.startswith("//"):
                raise UsageError(
                    f"JSON-LD cannot carry {statement.subject}: {iri} stands with it, and {scheme}:"
                    " is a prefix of the context paperkg.jsonld; take another format"
                )


def jsonld(
    default: Iterable[Group],
    named: Iterable[tuple[ox.NamedNode, Iterable[Group]]],
    names: Names,
) -> Iterator[str]:
    """Yield a JSON-LD document of the default graph and named graphs in pieces.

    They are such as :func:`check` lets pass.
    """
    yield f'{{"@context": {dumps(names.context)},\n"@graph": ['
    comma = ""
    for subject, said in default:
        yield f"{comma}\n{dumps(names.node(subject, said))}"
        comma = ","
    for name, groups in named:
        yield f'{comma}\n{{"id": {dumps(name.value)}, "@graph": ['
        comma = ""
        for subject, said in groups:
            yield f"{comma}\n{dumps(names.node(subject, said))}"
            comma = ","
        yield "\n]}"
    yield "\n]}\n"


def dumps(value: object) -> str:
    """Return *value* as JSON on one line."""
    return json.dumps(value, ensure_ascii=False)


def _prefixes(context: JsonObject) -> dict[str, str]:
    """Return the entries that a reader may take for prefixes (section 4.2.2, step 14.2.5)."""
    simple = {name: iri for name, iri in context.items() if isinstance(iri, str)}
    return {name: iri for name, iri in simple.items() if iri.endswith(("#", "/"))}


def _native(lexical: str, datatype: str) -> object:
    """Return a literal of the datatype that is expected: in JSON's own form where that is exact."""
    if datatype == _XSD_BOOLEAN and lexical in ("true", "false"):
        return lexical == "true"
    if datatype == _XSD_INTEGER and _JSON_INTEGER.fullmatch(lexical):
        return int(lexical)
    return lexical
