"""RDF 1.1 XML Syntax, one ``rdf:Description`` a subject; and what XML cannot carry.

XML 1.0 has no way at all to write most control characters, and a predicate must end in a name. A
carriage return is written as ``&#13;``: readers of XML make a line feed of a bare one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final
from xml.sax.saxutils import escape, quoteattr

import pyoxigraph as ox

from kg.errors import UsageError
from kg.exporter.product import Group
from kg.namespaces import RDF, XSD

# All but `Char` (XML 1.0, section 2.2).
_NO_CHAR: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# A part of NCName (Namespaces in XML, section 3): names in other scripts are legal, and whether
# a reader takes them depends on the edition of XML that it knows.
_LOCAL_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*$")
# No names of properties (RDF 1.1 XML Syntax, sections 5.1 and 6.1.4), rdf:li being renumbered.
_SYNTAX_TERMS: Final = frozenset(
    RDF + name
    for name in (
        "RDF", "Description", "ID", "about", "parseType", "resource", "nodeID", "datatype", "li",
        "aboutEach", "aboutEachPrefix", "bagID",
    )
)  # fmt: skip
_RESERVED: Final = ("http://www.w3.org/XML/1998/namespace", "http://www.w3.org/2000/xmlns/")
_ESCAPED: Final = {"\r": "&#13;"}
_PLAIN: Final = frozenset({XSD + "string", RDF + "langString"})


def check(groups: Iterable[Group]) -> None:
    """Raise :class:`~kg.errors.UsageError` for what RDF/XML cannot carry; it names the subject."""
    for subject, said in groups:
        for predicate, target in said:
            namespace, local = _split(predicate.value)
            if not local or namespace in _RESERVED or predicate.value in _SYNTAX_TERMS:
                raise UsageError(
                    f"RDF/XML cannot carry {subject}: its property {predicate} makes no element"
                    " name; take another format"
                )
            found = _NO_CHAR.search(target.value) if isinstance(target, ox.Literal) else None
            if found:
                raise UsageError(
                    f"RDF/XML cannot carry {subject}: its {predicate} holds the character"
                    f" U+{ord(found[0]):04X}, which XML has no way to write; take another format"
                )


def rdfxml(groups: Iterable[Group], prefixes: Mapping[str, str], comment: str) -> Iterator[str]:
    """Yield an RDF/XML document in pieces; *groups* are such as :func:`check` lets pass.

    *comment* stands after the XML declaration, where a comment may first stand.
    """
    names = {iri: prefix for prefix, iri in prefixes.items()}
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    if comment:
        yield f"<!--\n{_NO_CHAR.sub(' ', comment).replace('--', '- -')}-->\n"
    yield "<rdf:RDF"
    for iri, prefix in names.items():
        yield f"\n    xmlns:{prefix}={quoteattr(iri)}"
    yield ">\n"
    for subject, said in groups:
        yield f"  <rdf:Description rdf:about={quoteattr(subject.value)}>\n"
        for predicate, target in said:
            yield f"    {_element(predicate.value, target, names)}\n"
        yield "  </rdf:Description>\n"
    yield "</rdf:RDF>\n"


def _element(predicate: str, target: ox.NamedNode | ox.Literal, names: Mapping[str, str]) -> str:
    """Return a property element (RDF 1.1 XML Syntax, section 7.2.14)."""
    namespace, local = _split(predicate)
    prefix = names.get(namespace)
    start = name = f"{prefix}:{local}" if prefix else f"property:{local}"
    if not prefix:
        start += f" xmlns:property={quoteattr(namespace)}"
    if isinstance(target, ox.NamedNode):
        return f"<{start} rdf:resource={quoteattr(target.value)}/>"
    if target.language is not None:
        start += f" xml:lang={quoteattr(target.language)}"
    elif target.datatype.value not in _PLAIN:
        start += f" rdf:datatype={quoteattr(target.datatype.value)}"
    return f"<{start}>{escape(target.value, _ESCAPED)}</{name}>"


def _split(iri: str) -> tuple[str, str]:
    """Return a property's namespace and its local name, which is empty where there is none."""
    match = _LOCAL_NAME.search(iri)
    return (iri[: match.start()], match[0]) if match else (iri, "")
