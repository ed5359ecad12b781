"""Reports: what is violated, by which severity, and the same said in RDF."""

from __future__ import annotations

import io
from pathlib import Path

import pyoxigraph as ox
import pyshacl
import pytest
from rdflib import RDF, Graph
from rdflib.compare import isomorphic
from rdflib.namespace import SH

from kg.rdflib_terms import graph_of
from kg.validator import INFO, VIOLATION, WARNING, ValidationReport, validate
from tests.validator.making import (
    GOOD,
    OFTEN,
    PREFIXES,
    TITLED,
    WITHOUT_TITLE,
    E,
    shapes_file,
    store_of,
)

SEVERITIES = """
e:S a sh:NodeShape ; sh:targetClass kg:Paper ; sh:property e:V, e:W, e:I, e:X .
e:V sh:path kg:v ; sh:maxCount 0 .
e:W sh:path kg:w ; sh:maxCount 0 ; sh:severity sh:Warning .
e:I sh:path kg:i ; sh:maxCount 0 ; sh:severity sh:Info .
e:X sh:path kg:x ; sh:maxCount 0 ; sh:severity e:Worse .
"""
SEVERAL = """
e:S a sh:NodeShape ; sh:targetClass kg:Paper ; sh:nodeKind sh:IRI ;
    sh:property e:A, e:B, [ sh:path ( kg:part [ sh:inversePath kg:part ] ) ; sh:maxCount 0 ;
        sh:message "nie"@de, "never"@en ] .
e:A sh:path [ sh:alternativePath ( kg:a kg:b ) ] ; sh:minCount 1 ; sh:severity sh:Info .
e:B sh:path [ sh:zeroOrMorePath kg:slug ] ; sh:nodeKind sh:Literal .
"""
PARTS = """
_:x a kg:Paper ; kg:slug "x" .
e:p a kg:Paper ; kg:part e:part ; kg:slug "é"@fr , 5 .
"""


def validated(folder: Path, shapes: str, data: str) -> ValidationReport:
    return validate(store_of(folder / "store", data), shapes_file(folder, shapes))


@pytest.mark.parametrize(
    ("data", "numbers", "fails", "fails_strictly"),
    [
        ("", (0, 0, 0), False, False),
        ("; kg:i 1", (0, 0, 1), False, False),
        ("; kg:w 1", (0, 1, 0), False, True),
        ("; kg:v 1", (1, 0, 0), True, True),
        ("; kg:x 1", (1, 0, 0), True, True),
        ("; kg:v 1 ; kg:x 1 ; kg:w 1 ; kg:i 1", (2, 1, 1), True, True),
    ],
)
def test_severities(
    tmp_path: Path,
    data: str,
    numbers: tuple[int, int, int],
    fails: bool,
    fails_strictly: bool,
) -> None:
    report = validated(tmp_path, SEVERITIES, f"e:p a kg:Paper {data} .")
    assert (report.number(VIOLATION), report.number(WARNING), report.number(INFO)) == numbers
    assert report.conforms == (numbers == (0, 0, 0))
    assert report.failed(strict=False) == fails
    assert report.failed(strict=True) == fails_strictly
    weights = [result.weight for result in report.results]
    assert weights == sorted(weights, key=[VIOLATION, WARNING, INFO].index)


def test_a_paper_without_a_title_is_found_at_its_place(tmp_path: Path) -> None:
    (result,) = validated(tmp_path, TITLED, WITHOUT_TITLE).results
    assert result.focus == ox.NamedNode(E + "p")
    assert result.path
    assert result.path.text(str) == "http://purl.org/dc/terms/title"
    assert (result.value, result.message) == (None, "A paper has a title.")
    assert result.component == str(SH.MinCountConstraintComponent)
    assert validated(tmp_path, TITLED, GOOD).results == ()


def test_our_shapes_find_a_paper_that_nothing_names(tmp_path: Path) -> None:
    nameless = GOOD.replace('e:p a kg:Paper ; kg:slug "p" ; dct:title "P" .', "e:p a kg:Paper .")
    report = validate(store_of(tmp_path / "store", nameless))
    said = "A paper has a slug, a title, an arXiv identifier, a page or an address."
    assert [(str(r.focus), r.message) for r in report.results] == [(f"<{E}p>", said)]
    counts = {shape.targets[0][1].value.rpartition("#")[2]: shape for shape in report.shapes}
    assert counts["Paper"].focus_nodes == 2
    assert counts["Dataset"].focus_nodes == 0
    assert len(counts) == len(report.idle) + 1


def test_the_english_message_is_the_one_for_people(tmp_path: Path) -> None:
    report = validated(tmp_path, SEVERAL, PARTS)
    messages = {result.message for result in report.results}
    assert "never" in messages
    assert not any("nie" in message for message in messages)


def by_pyshacl(shapes: str, data: str) -> Graph:
    """The report as pySHACL makes it by itself, less what it copies of shapes and data."""
    _, report, _ = pyshacl.validate(
        graph_of(ox.parse(PREFIXES + data, format=ox.RdfFormat.TURTLE)),
        shacl_graph=graph_of(ox.parse(PREFIXES + shapes, format=ox.RdfFormat.TURTLE)),
    )
    assert isinstance(report, Graph)
    for predicate in (SH.sourceShape, SH.focusNode, SH.value):
        for node in set(report.objects(None, predicate)):
            report.remove((node, None, None))
    return reachable(report)


def reachable(report: Graph) -> Graph:
    """What can be reached from the report's own node."""
    (top,) = report.subjects(RDF.type, SH.ValidationReport)
    kept, seen, todo = Graph(), set(), [top]
    while todo:
        node = todo.pop()
        if node not in seen:
            seen.add(node)
            for triple in report.triples((node, None, None)):
                kept.add(triple)
                todo.append(triple[2])
    return kept


@pytest.mark.parametrize(
    ("shapes", "data"),
    [
        (TITLED, GOOD),
        (TITLED + OFTEN, WITHOUT_TITLE),
        (SEVERITIES, "e:p a kg:Paper ; kg:v 1 ; kg:w 1 ; kg:i 1 ; kg:x 1 ."),
        (SEVERAL, PARTS),
    ],
)
def test_the_report_in_rdf_is_the_validators_own(tmp_path: Path, shapes: str, data: str) -> None:
    report = validated(tmp_path, shapes, data)
    stream = io.BytesIO()
    ox.serialize(report.rdf(), stream, format=ox.RdfFormat.TURTLE)
    ours = Graph().parse(data=stream.getvalue(), format="turtle")
    assert isomorphic(ours, by_pyshacl(shapes, data))
    subjects = [triple.subject for triple in report.rdf()]
    assert subjects.count(ox.BlankNode("report")) == 2 + len(report.results)
