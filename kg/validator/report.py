"""What a validation found: results, focus nodes a shape, and remarks on the shapes themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Final

import pyoxigraph as ox

from kg.namespaces import RDF_TYPE, SH, XSD
from kg.rdflib_terms import Term
from kg.validator.paths import PropertyPath

VIOLATION: Final = SH + "Violation"
WARNING: Final = SH + "Warning"
INFO: Final = SH + "Info"
IMPLICIT: Final = "implicitClass"
"""The target of a shape that is a class too: its instances (SHACL, section 2.1.3.3)."""
_ORDER: Final = (VIOLATION, WARNING, INFO)


@dataclass(frozen=True, slots=True)
class Result:
    """One validation result (SHACL, section 3.6.2).

    *severity* and *component* are IRIs. *path* and *value* are None where a result has none.
    """

    severity: str
    focus: Term
    path: PropertyPath | None
    value: Term | None
    shape: Term
    component: str
    messages: tuple[ox.Literal, ...]

    @property
    def message(self) -> str:
        """The messages as one text; of several languages the English one."""
        english = [m for m in self.messages if (m.language or "en").split("-")[0] == "en"]
        return " ".join(message.value for message in english or self.messages)

    @property
    def weight(self) -> str:
        """The severity that this one counts as; one that SHACL does not name is the worst."""
        return self.severity if self.severity in _ORDER else VIOLATION

    @property
    def sort_key(self) -> tuple[int, list[str]]:
        """What orders results: the worst first, then by focus node."""
        path = self.path.text(str) if self.path else ""
        # The label of a blank node is another one every time that a file is read.
        shape = "" if isinstance(self.shape, ox.BlankNode) else str(self.shape)
        rest = [str(self.focus), path, shape, self.component, str(self.value or "")]
        return _ORDER.index(self.weight), [*rest, *map(str, self.messages)]


@dataclass(frozen=True, slots=True)
class ShapeCount:
    """A shape, what it is aimed at (its target declarations), and how many nodes that are.

    *targets* are pairs of the declaration's local name (``targetClass`` …) and its value, of a
    shape that is a class itself :data:`IMPLICIT` and the class.
    """

    shape: Term
    targets: tuple[tuple[str, Term], ...]
    focus_nodes: int
    deactivated: bool = False

    @property
    def checks_nothing(self) -> bool:
        """Say whether no node of the data is looked at by this shape."""
        return self.deactivated or self.focus_nodes == 0

    @property
    def sort_key(self) -> tuple[bool, str]:
        """What orders shapes: by IRI, those without one last, by what they are aimed at."""
        anonymous = isinstance(self.shape, ox.BlankNode)
        return anonymous, str([(k, str(v)) for k, v in self.targets]) if anonymous else str(
            self.shape
        )


@dataclass(frozen=True, slots=True)
class ValidationReport:
    """What a validation found, in an order that depends on the data and the shapes alone.

    *remarks* are sentences about shapes that do not do what they seem to do. *prefixes* are those
    of the shapes' file, for people to read IRIs by.
    """

    triples: int
    results: tuple[Result, ...]
    shapes: tuple[ShapeCount, ...]
    remarks: tuple[str, ...]
    prefixes: dict[str, str]

    @property
    def conforms(self) -> bool:
        """Say whether there is no result of any severity, as SHACL defines it (section 3.6.1.1)."""
        return not self.results

    def number(self, severity: str) -> int:
        """Return how many results count as *severity*."""
        return Counter(result.weight for result in self.results)[severity]

    @property
    def idle(self) -> list[ShapeCount]:
        """The shapes that check nothing: with them, conforming means little."""
        return [shape for shape in self.shapes if shape.checks_nothing]

    def failed(self, *, strict: bool) -> bool:
        """Say whether the data is invalid: a violation, or with *strict* anything but an info."""
        doubtful = self.number(WARNING) or self.idle or self.remarks
        return bool(self.number(VIOLATION) or (strict and doubtful))

    def rdf(self) -> Iterator[ox.Triple]:
        """Yield the report as SHACL writes it (section 3.6), subject by subject."""
        paths, shapes, nodes = _Labels("path"), _Labels("shape"), _Labels("node")
        known: dict[PropertyPath, ox.NamedNode | ox.BlankNode] = {}
        descriptions: list[ox.Triple] = []
        report = ox.BlankNode("report")
        labelled = [(ox.BlankNode(f"result{n}"), r) for n, r in enumerate(self.results, start=1)]
        conforms = ox.Literal("true" if self.conforms else "false", datatype=_BOOLEAN)
        yield ox.Triple(report, _TYPE, _sh("ValidationReport"))
        yield ox.Triple(report, _sh("conforms"), conforms)
        for this, _ in labelled:
            yield ox.Triple(report, _sh("result"), this)
        for this, result in labelled:
            yield ox.Triple(this, _TYPE, _sh("ValidationResult"))
            yield ox.Triple(this, _sh("resultSeverity"), ox.NamedNode(result.severity))
            yield ox.Triple(this, _sh("focusNode"), nodes.label(result.focus))
            if result.path:
                if result.path not in known:
                    known[result.path], described = result.path.triples(paths.fresh)
                    descriptions += described
                yield ox.Triple(this, _sh("resultPath"), known[result.path])
            if result.value is not None:
                yield ox.Triple(this, _sh("value"), nodes.label(result.value))
            for message in result.messages:
                yield ox.Triple(this, _sh("resultMessage"), message)
            yield ox.Triple(this, _sh("sourceShape"), shapes.label(result.shape))
            component = ox.NamedNode(result.component)
            yield ox.Triple(this, _sh("sourceConstraintComponent"), component)
        yield from descriptions


_TYPE: Final = ox.NamedNode(RDF_TYPE)
_BOOLEAN: Final = ox.NamedNode(XSD + "boolean")


def _sh(name: str) -> ox.NamedNode:
    return ox.NamedNode(SH + name)


class _Labels:
    """Labels of blank nodes that are the same from run to run: *stem* and a running number."""

    def __init__(self, stem: str) -> None:
        self._made = (ox.BlankNode(f"{stem}{number}") for number in count(1))
        self._known: dict[str, ox.BlankNode] = {}

    def fresh(self) -> ox.BlankNode:
        """Return a blank node that is not in use."""
        return next(self._made)

    def label(self, term: Term) -> Term:
        """Return *term*, a blank node as one of ours."""
        if not isinstance(term, ox.BlankNode):
            return term
        if term.value not in self._known:
            self._known[term.value] = self.fresh()
        return self._known[term.value]
