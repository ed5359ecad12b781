"""pySHACL: run without a word of its own, and its report as results."""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pyoxigraph as ox
import rdflib
from pyshacl import Validator
from pyshacl.entrypoints import meta_validate
from pyshacl.errors import ReportableRuntimeError, ShapeRecursionWarning
from pyshacl.graph_abstraction import DataGraph
from pyshacl.shape import Shape
from rdflib import RDF, Graph, URIRef
from rdflib.namespace import SH
from rdflib.term import Node

from kg.rdflib_terms import Term, from_rdflib
from kg.validator.paths import PropertyPath
from kg.validator.report import IMPLICIT, Result, ShapeCount

_TARGETS: Final = ("targetClass", "targetNode", "targetObjectsOf", "targetSubjectsOf")
# What holds a shape for another one to use (SHACL, section 2.1: shape-expecting parameters), the
# last being the member of a list.
_HOLDS: Final = (SH.property, SH.node, SH["not"], SH.qualifiedValueShape, RDF.first)
_SHAPE_IN_WARNING: Final = re.compile(r"<(?:Node|Property)Shape ([^>]+)>")


def run(data: Graph, shapes: Graph) -> tuple[list[Result], list[ShapeCount], list[str]]:
    """Validate *data*: return the results, the focus nodes of each shape, and remarks.

    Constraints are those of SHACL Core and SHACL-SPARQL, nothing is inferred. Shapes that are used
    by other shapes only are not counted. Raises what pySHACL raises for shapes that it cannot
    evaluate, which may be any exception.
    """
    silent = logging.getLogger(__name__)
    with quiet() as recursions:
        graph = DataGraph.from_rdflib(data)
        validator = Validator(graph, shacl_graph=shapes, options={"logger": silent})
        _, report, _ = validator.run()  # type: ignore[no-untyped-call]  # pySHACL says no types here
        counts = [
            count
            for shape in validator.shacl_graph.shapes
            if (count := _count(shape, shapes, graph)) is not None
        ]
    return results(report), counts, recursions


def misshapen(shapes: Graph) -> list[Result]:
    """Return what is ill-formed in a shapes graph, by SHACL's own shapes (SHACL, appendix C)."""
    with quiet():
        _, report, text = meta_validate(shapes, inference="none")
    if not isinstance(report, Graph):
        raise ReportableRuntimeError(text)
    return results(report)


def results(report: Graph) -> list[Result]:
    """Return the results of a report, in order."""
    found = []
    for node in report.subjects(RDF.type, SH.ValidationResult):
        path = report.value(node, SH.resultPath)
        value = report.value(node, SH.value)
        said = map(from_rdflib, report.objects(node, SH.resultMessage))
        messages = [message for message in said if isinstance(message, ox.Literal)]
        found.append(
            Result(
                severity=str(report.value(node, SH.resultSeverity)),
                focus=_term(report, node, SH.focusNode),
                path=PropertyPath.read(report, path) if path is not None else None,
                value=from_rdflib(value) if value is not None else None,
                shape=_term(report, node, SH.sourceShape),
                component=str(report.value(node, SH.sourceConstraintComponent)),
                messages=tuple(sorted(messages, key=str)),
            )
        )
    return sorted(found, key=lambda result: result.sort_key)


def _term(report: Graph, result: Node, predicate: URIRef) -> Term:
    """Return the one value of a property that every result has."""
    return from_rdflib(next(report.objects(result, predicate)))


def _count(shape: Shape, shapes: Graph, data: DataGraph) -> ShapeCount | None:
    """Count the focus nodes of a shape, unless other shapes alone aim it."""
    node = shape.node
    declared = [(name, from_rdflib(o)) for name in _TARGETS for o in shapes.objects(node, SH[name])]
    implicit = shape.implicit_class_targets()  # type: ignore[no-untyped-call]  # as above
    declared += [(IMPLICIT, from_rdflib(o)) for o in implicit]
    if not declared and any((None, p, node) in shapes for p in _HOLDS):
        return None
    focus_nodes = shape.focus_nodes(data)  # type: ignore[no-untyped-call]  # as above
    return ShapeCount(
        shape=from_rdflib(node),
        targets=tuple(sorted(declared, key=str)),
        focus_nodes=len(focus_nodes),
        deactivated=bool(shape.deactivated),
    )


@contextmanager
def quiet() -> Iterator[list[str]]:
    """Keep pySHACL and rdflib from logging and warning; yield a list of remarks, full at the end.

    A literal that is no value of its datatype is logged by rdflib with a traceback, when it is
    made; here it becomes a result. The setting that pySHACL changes for the whole process is put
    back.
    """
    remarks: list[str] = []
    disabled, normalize = logging.root.manager.disable, rdflib.NORMALIZE_LITERALS
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield remarks
    finally:
        logging.disable(disabled)
        rdflib.NORMALIZE_LITERALS = normalize
    remarks += [
        _recursion(str(warning.message))
        for warning in caught
        if isinstance(warning.message, ShapeRecursionWarning)
    ]


def _recursion(warning: str) -> str:
    """Return the shape that pySHACL's warning names, as a remark."""
    shape = _SHAPE_IN_WARNING.search(warning)
    name = shape[1] if shape else "a shape"
    return f"{name} refers to itself, which SHACL leaves undefined"
