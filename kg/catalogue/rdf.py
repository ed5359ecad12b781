"""The catalogue as RDF: every canned query as a thing that other tools find and run.

The model is that of the SPARQL examples of SIB (sib-swiss/sparql-examples): a query is a
``sh:SPARQLExecutable`` with its text in ``sh:select`` (or ``sh:ask``, ``sh:construct``; for
DESCRIBE, which SHACL has no words for, in their ``spex:describe``), and ``sh:prefixes`` leads to
the declarations of the project's prefixes, which are stated too. What theirs do not have,
parameters, are ``sh:Parameter`` (SHACL, section 6.2.1).

IRIs: the graph is ``{base}queries``, a query ``{base}queries/NAME``, a parameter a fragment of its
query's IRI. They stand below the base because the text does: the examples bound into it are things
of a store with this base.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import pyoxigraph as ox

from kg import namespaces
from kg.catalogue.canned import CannedQuery
from kg.catalogue.parameters import Parameter, ParameterType
from kg.iris import DEFAULT_BASE, Minter
from kg.namespaces import DCT, RDF_TYPE, RDFS, SH, SKOS, XSD
from kg.sparql import QueryForm

SPEX: Final = "https://purl.expasy.org/sparql-examples/ontology#"

_CLASSES: Final = {
    QueryForm.SELECT: SH + "SPARQLSelectExecutable",
    QueryForm.ASK: SH + "SPARQLAskExecutable",
    QueryForm.CONSTRUCT: SH + "SPARQLConstructExecutable",
    QueryForm.DESCRIBE: SPEX + "SPARQLDescribeExecutable",
}
_TEXTS: Final = {
    QueryForm.SELECT: SH + "select",
    QueryForm.ASK: SH + "ask",
    QueryForm.CONSTRUCT: SH + "construct",
    QueryForm.DESCRIBE: SPEX + "describe",
}
# As ontology/prefixes.ttl has them.
_DECLARING: Final = ox.NamedNode("https://w3id.org/paperkg/ns")
_DECLARATIONS: Final = "https://w3id.org/paperkg/prefixes#"
# The queries are part of the program, whose licence is not that of the data.
_LICENCE: Final = ox.NamedNode("http://spdx.org/licenses/Apache-2.0")

_Fact = tuple[ox.NamedNode, str, ox.NamedNode | ox.Literal]


def graph_iri(base: str = DEFAULT_BASE) -> str:
    """Return the IRI of the named graph in which the catalogue stands."""
    return f"{base}queries"


def query_iri(name: str, base: str = DEFAULT_BASE) -> str:
    """Return the IRI of the canned query *name*."""
    return f"{graph_iri(base)}/{name}"


def quads(queries: Iterable[CannedQuery], base: str = DEFAULT_BASE) -> list[bytes]:
    """Return the catalogue as canonical N-Quads lines without their ends, sorted, each once."""
    graph = ox.NamedNode(graph_iri(base))
    facts = [*_of_graph(graph), *_of_prefixes(base)]
    for query in queries:
        facts += _of_query(query, base)
    lines = {f"{s} {ox.NamedNode(p)} {o} {graph} .".encode() for s, p, o in facts}
    return sorted(lines)


def _of_graph(graph: ox.NamedNode) -> Iterator[_Fact]:
    yield graph, DCT + "title", _english("Canned queries of paperkg")
    yield graph, DCT + "license", _LICENCE


def _of_prefixes(base: str) -> Iterator[_Fact]:
    for prefix, namespace in namespaces.prefixes(base).items():
        declaration = ox.NamedNode(_DECLARATIONS + prefix)
        yield _DECLARING, SH + "declare", declaration
        yield declaration, SH + "prefix", ox.Literal(prefix)
        yield declaration, SH + "namespace", _typed(namespace, "anyURI")


def _of_query(query: CannedQuery, base: str) -> Iterator[_Fact]:
    iri = ox.NamedNode(query_iri(query.name, base))
    examples = {p.name: p.example for p in query.parameters if p.required}
    yield iri, RDF_TYPE, ox.NamedNode(SH + "SPARQLExecutable")
    yield iri, RDF_TYPE, ox.NamedNode(_CLASSES[query.form])
    yield iri, RDFS + "label", _english(query.title)
    yield iri, RDFS + "comment", _english(query.description)
    yield iri, SH + "prefixes", _DECLARING
    yield iri, _TEXTS[query.form], ox.Literal(query.bind(examples, base))
    for order, parameter in enumerate(query.parameters):
        own = ox.NamedNode(f"{iri.value}#{parameter.name}")
        yield iri, SH + "parameter", own
        yield from _of_parameter(own, parameter, order, base)


def _of_parameter(
    iri: ox.NamedNode, parameter: Parameter, order: int, base: str
) -> Iterator[_Fact]:
    minter, prefixes = Minter(base), namespaces.prefixes(base)
    yield iri, RDF_TYPE, ox.NamedNode(SH + "Parameter")
    # The local name of a parameter's path is the name of its variable (SHACL, section 6.2.1).
    yield iri, SH + "path", ox.NamedNode(f"{graph_iri(base)}#{parameter.name}")
    yield iri, SH + "name", ox.Literal(parameter.name)
    takes = f"{parameter.description} It takes {parameter.expects}."
    yield iri, SH + "description", _english(takes)
    yield iri, SH + "order", _typed(str(order), "integer")
    yield iri, SH + "optional", _typed(str(not parameter.required).lower(), "boolean")
    yield iri, SKOS + "example", parameter.term(parameter.example, minter, prefixes)
    if parameter.default is not None:
        default = parameter.term(parameter.default, minter, prefixes)
        yield iri, SH + "defaultValue", default
    if parameter.type is ParameterType.IRI:
        yield iri, SH + "nodeKind", ox.NamedNode(SH + "IRI")
    else:
        yield iri, SH + "datatype", ox.NamedNode(XSD + parameter.type)
    if parameter.space is not None:
        yield iri, SH + "class", ox.NamedNode(parameter.space.class_iri)
    for bound, word in ((parameter.minimum, "min"), (parameter.maximum, "max")):
        if bound is not None:
            type_ = "integer" if parameter.type is ParameterType.INTEGER else "decimal"
            yield iri, f"{SH}{word}Inclusive", _typed(f"{bound:f}", type_)


def _english(text: str) -> ox.Literal:
    return ox.Literal(text, language="en")


def _typed(text: str, type_: str) -> ox.Literal:
    return ox.Literal(text, datatype=ox.NamedNode(XSD + type_))
