"""Turtle and TriG (RDF 1.1), grouped by subject, with the project's prefixes.

Only what every reader takes is used: a name is shortened where its local part is of ASCII letters,
digits, ``_``, ``-`` and dots inside; ``%20`` or an escape in a local name is legal Turtle and is
read wrongly by some, so such an IRI is written in full.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import pyoxigraph as ox

from kg.curies import Curies
from kg.exporter.product import Group
from kg.namespaces import RDF_TYPE, XSD

# A part of PN_LOCAL (Turtle, section 6.5).
_SAFE_LOCAL: Final = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?")
# Literals that Turtle can write without quotes (section 2.5). Some readers take "01" for 1, so an
# integer stands bare in its canonical form only.
_BARE: Final = {
    XSD + "integer": re.compile(r"0|-?[1-9][0-9]*"),
    XSD + "decimal": re.compile(r"-?[0-9]+\.[0-9]+"),
    XSD + "boolean": re.compile(r"true|false"),
}
_XSD_STRING: Final = XSD + "string"


class _Writer:
    """Writes with *prefixes* (prefix → namespace IRI); ``used`` are those that it has needed."""

    def __init__(self, prefixes: Mapping[str, str]) -> None:
        self._curies = Curies(prefixes)
        self.used: set[str] = set()

    def blocks(self, groups: Iterable[Group], indent: str = "") -> Iterator[str]:
        """Yield one block a subject, each after an empty line."""
        for subject, said in groups:
            block = f"\n{indent}{self.iri(subject.value)}\n"
            last = ""
            for predicate, target in said:
                if predicate.value == last:
                    block += f" ,\n{indent}        "
                else:
                    verb = "a" if predicate.value == RDF_TYPE else self.iri(predicate.value)
                    block += f"{' ;' + chr(10) if last else ''}{indent}    {verb} "
                    last = predicate.value
                block += self._object(target)
            yield f"{block} .\n"

    def iri(self, iri: str) -> str:
        """Return *iri* as a prefixed name that every reader takes, or in full."""
        name = self._curies.compress(iri)
        if name is not None:
            prefix, _, local = name.partition(":")
            if _SAFE_LOCAL.fullmatch(local):
                self.used.add(prefix)
                return name
        return f"<{iri}>"

    def _object(self, term: ox.NamedNode | ox.Literal) -> str:
        if isinstance(term, ox.NamedNode):
            return self.iri(term.value)
        datatype = term.datatype.value
        if term.language is not None or datatype == _XSD_STRING:
            return str(term)
        if datatype in _BARE and _BARE[datatype].fullmatch(term.value):
            return term.value
        return f"{ox.Literal(term.value)}^^{self.iri(datatype)}"


def turtle(groups: Iterable[Group], prefixes: Mapping[str, str]) -> Iterator[str]:
    """Yield a Turtle document of one graph in pieces."""
    yield _declarations(prefixes)
    yield from _Writer(prefixes).blocks(groups)


def short_turtle(groups: Iterable[Group], prefixes: Mapping[str, str]) -> str:
    """Return a Turtle document of a few groups, which declares no prefix that it does not need."""
    writer = _Writer(prefixes)
    blocks = "".join(writer.blocks(groups))
    used = {name: iri for name, iri in prefixes.items() if name in writer.used}
    return _declarations(used) + blocks


def trig(
    default: Iterable[Group],
    named: Iterable[tuple[ox.NamedNode, Iterable[Group]]],
    prefixes: Mapping[str, str],
) -> Iterator[str]:
    """Yield a TriG document of the default graph and named graphs in pieces."""
    writer = _Writer(prefixes)
    yield _declarations(prefixes)
    yield from writer.blocks(default)
    for name, groups in named:
        yield f"\n{writer.iri(name.value)} {{\n"
        yield from writer.blocks(groups, "    ")
        yield "}\n"


def _declarations(prefixes: Mapping[str, str]) -> str:
    return "".join(f"@prefix {name}: <{iri}> .\n" for name, iri in prefixes.items())
