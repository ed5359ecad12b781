"""What the mapper makes of records has the shape that the ontology says it has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from rdflib import RDF, Graph, URIRef
from rdflib.namespace import DCTERMS, FOAF, SH

from kg import records
from kg.mapper import Mapper
from tests.conftest import decode, sample_values, seed_values
from tests.ontology.contract_names import CLASSES
from tests.ontology.test_shapes import findings, validate

KG = "https://w3id.org/paperkg/ns#"
MapperFor = Callable[[Sequence[records.Record]], Mapper]


def mapped(values: Sequence[object], mapper_for: MapperFor) -> Graph:
    corpus = [records.read(value) for value in values]
    mapper = mapper_for(corpus)
    lines = (line for record in corpus for line in mapper.map(record).lines)
    return Graph().parse(data=b"\n".join(lines), format="nt")


@pytest.fixture
def samples(mapper_for: MapperFor) -> Graph:
    return mapped(sample_values(), mapper_for)


def test_the_sample_records_conform(samples: Graph, shapes_graph: Graph) -> None:
    assert findings(validate(samples, shapes_graph)) == {}


def test_the_sample_records_have_things_of_every_class(samples: Graph) -> None:
    classes = {str(c).removeprefix(KG) for c in samples.objects(None, RDF.type)}
    assert set(CLASSES) <= classes


def test_a_sample_paper_that_nothing_identifies_would_not_conform(
    samples: Graph, shapes_graph: Graph
) -> None:
    paper = min(samples.subjects(RDF.type, URIRef(KG + "Paper")))
    own = [URIRef(KG + name) for name in ("slug", "arxivId", "rawArxivId", "abstractPage", "url")]
    for p in (DCTERMS.title, FOAF.page, *own):
        samples.remove((paper, p, None))
    assert findings(validate(samples, shapes_graph)) == {paper: {("Paper-identified", "MinCount")}}


def unshaped(graph: Graph, shapes: Graph) -> set[str]:
    """The predicates that no shape knows."""
    return {str(p) for p in graph.predicates()} - {
        str(RDF.type),
        *(str(p) for p in shapes.objects(None, SH.path)),
    }


def test_the_shapes_know_every_predicate_of_the_data(samples: Graph, shapes_graph: Graph) -> None:
    assert unshaped(samples, shapes_graph) == set()
    samples.add((URIRef("e:s"), URIRef(KG + "slugg"), URIRef("e:o")))
    assert unshaped(samples, shapes_graph) == {KG + "slugg"}


def test_the_real_records_conform(shared: Path, mapper_for: MapperFor, shapes_graph: Graph) -> None:
    assert shared
    graph = mapped(seed_values(), mapper_for)
    assert findings(validate(graph, shapes_graph)) == {}
    assert unshaped(graph, shapes_graph) == set()


def dump_values(shared: Path) -> list[object]:
    """Real rows of every dump: all of the short files, and the beginning of the others."""
    values: list[object] = []
    for path in [
        *shared.glob("records/archive/*.json"),
        *shared.glob("records/evaluation-tables/*.json"),
    ]:
        # One file is no JSON, which is a matter of the sources.
        if path.name != "example_json_format.json":
            value = decode(path.read_text("utf-8"))
            values += value[:12] if isinstance(value, list) else [value]
    return values


def test_real_rows_of_the_dumps_conform_but_for_disagreements(
    shared: Path, mapper_for: MapperFor, shapes_graph: Graph
) -> None:
    graph = mapped(dump_values(shared), mapper_for)
    found = set().union(*findings(validate(graph, shapes_graph)).values())
    assert {component for _, component in found} <= {"MaxCount"}
    assert unshaped(graph, shapes_graph) == set()
