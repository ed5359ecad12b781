"""A shapes graph: read, and looked over before anything is made of it.

SHACL lets a processor ignore what it does not know, so a misspelt constraint passes all data. Here
it is remarked on. A shapes graph that is not well-formed by SHACL's own shapes is refused, and so
is a query in it that would read from elsewhere.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pyoxigraph as ox
from pyshacl.constraints import ALL_CONSTRAINT_PARAMETERS
from rdflib import OWL, Graph, URIRef

from kg import resources
from kg.errors import QueryError, ResourceError, SourceError
from kg.namespaces import SH
from kg.rdflib_terms import graph_of
from kg.sparql import scan
from kg.validator.engine import misshapen, quiet
from kg.validator.report import Result

SHIPPED: Final = "the ontology's shapes"

# What SHACL (Core and SPARQL) defines and is honoured: parameters of constraints, and the rest.
_HONOURED: Final = frozenset(str(term).removeprefix(SH) for term in ALL_CONSTRAINT_PARAMETERS) | {
    *("targetClass", "targetNode", "targetObjectsOf", "targetSubjectsOf", "deactivated"),
    *("path", "alternativePath", "inversePath", "zeroOrMorePath", "oneOrMorePath"),
    *("zeroOrOnePath", "flags", "severity", "message", "name", "description", "order", "group"),
    *("defaultValue", "prefixes", "declare", "prefix", "namespace", "select", "ask", "parameter"),
    *("optional", "labelTemplate", "validator", "nodeValidator", "propertyValidator"),
    *("shapesGraph", "suggestedShapesGraph"),
}
_QUERIES: Final = ("select", "ask", "construct", "update")


@dataclass(frozen=True, slots=True)
class Shapes:
    """The shapes of *place*: a *graph*, the *prefixes* of its file, and *remarks* on it."""

    place: str
    graph: Graph
    prefixes: dict[str, str]
    remarks: tuple[str, ...]
    shipped: bool

    @classmethod
    def load(cls, path: Path | None = None) -> Shapes:
        """Read the shapes of a file, in the format its name ends in, or the shipped ones if None.

        Nothing is read from elsewhere: owl:imports is no instruction here, and a query of the
        shapes that names another source is refused. Raises :class:`~kg.errors.SourceError` for a
        file that is missing, unreadable or no well-formed shapes graph.
        """
        if path is None:
            try:
                graph, prefixes = _read(resources.ontology() / "shapes.ttl")
            except SourceError as error:
                raise ResourceError(f"{error}; install paperkg again") from error
            return cls(SHIPPED, graph, prefixes, (), shipped=True)
        graph, prefixes = _read(path)
        _look_over_queries(path, graph)
        _check_form(path, graph)
        return cls(str(path), graph, prefixes, tuple(_remarks(graph)), shipped=False)

    def fault(self, error: Exception) -> SourceError:
        """Return what to raise for an *error* of the validator on shapes that are a user's."""
        return SourceError(self.place, f"the shapes cannot be evaluated: {_first(error)}")


def _read(path: Path) -> tuple[Graph, dict[str, str]]:
    format_ = ox.RdfFormat.from_extension(path.suffix.removeprefix(".").lower())
    try:
        content = path.read_bytes()
        base = path.resolve().as_uri()
        parser = ox.parse(content, format=format_ or ox.RdfFormat.TURTLE, base_iri=base)
        with quiet():
            graph = graph_of(parser)
    except FileNotFoundError:
        raise SourceError(str(path), "there is no such file") from None
    except OSError as error:
        raise SourceError(str(path), f"it cannot be read: {error.strerror or error}") from error
    except (SyntaxError, ValueError) as error:
        raise SourceError(str(path), f"it cannot be parsed: {error}") from error
    return graph, dict(parser.prefixes)


def _look_over_queries(path: Path, graph: Graph) -> None:
    """Refuse a query that names another place: rdflib would fetch it, over the network too."""
    for name in _QUERIES:
        for text in graph.objects(None, URIRef(SH + name)):
            try:
                words = [token for token in scan(str(text)) if token.is_word("SERVICE", "FROM")]
            except QueryError as error:
                reason = f"a query in sh:{name}: {_first(error)}"
                raise SourceError(str(path), reason) from error
            if words:
                reason = f"a query in sh:{name} reads from elsewhere ({words[0].text})"
                raise SourceError(str(path), f"{reason}; it may ask the data only")
    # pySHACL writes the declared prefixes before a query as they stand.
    for name, form in (("prefix", "{}:"), ("namespace", "<{}>")):
        for value in graph.objects(None, URIRef(SH + name)):
            if not _is_one_token(form.format(value)):
                raise SourceError(str(path), f"sh:{name} {value!s} is no {name} of SPARQL")


def _is_one_token(text: str) -> bool:
    try:
        return [token.text for token in scan(text)] == [text]
    except QueryError:
        return False


def _check_form(path: Path, graph: Graph) -> None:
    try:
        found = misshapen(graph)
    except Exception as error:  # pySHACL fails in many ways where lists or paths are broken
        raise SourceError(
            str(path), f"it is no well-formed shapes graph: {_first(error)}"
        ) from error
    if found:
        reason = f"it is no well-formed shapes graph: {_fault(found)}"
        raise SourceError(str(path), reason)


def _fault(found: list[Result]) -> str:
    """Return one clause about what is ill-formed: of all results the one that says most."""
    telling = [result for result in found if result.path and result.path.iri.startswith(SH)]
    result = (telling or found)[0]
    value = result.value if isinstance(result.value, ox.NamedNode | ox.Literal) else ""
    path = result.path.text(_short) if result.path else ""
    place = (
        str(result.focus) if isinstance(result.focus, ox.NamedNode) else "a shape without a name"
    )
    rule = result.component.removeprefix(SH).removesuffix("ConstraintComponent")
    # pySHACL's own messages write nodes without a name in full, nested and long.
    message = "" if "[" in result.message else f": {result.message}"
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    return " ".join(f"{path} {value} of {place} breaks the rule {rule}{message}{more}".split())


def _first(error: Exception) -> str:
    """Return the first line of what an error says."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


def _short(iri: str) -> str:
    return f"sh:{iri.removeprefix(SH)}" if iri.startswith(SH) else f"<{iri}>"


def _remarks(graph: Graph) -> Iterator[str]:
    if (None, OWL.imports, None) in graph:
        yield "owl:imports is not followed; the shapes are those of this file alone"
    used = {str(predicate) for predicate in graph.predicates()}
    for name in sorted(iri.removeprefix(SH) for iri in used if iri.startswith(SH)):
        if name not in _HONOURED:
            near = difflib.get_close_matches(name, _HONOURED, 1)
            hint = f"; did you mean sh:{near[0]}?" if near else ""
            yield f"sh:{name} is nothing that is checked here{hint}"
