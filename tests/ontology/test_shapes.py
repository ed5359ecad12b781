"""Every constraint of the shapes catches a broken twin of a graph that conforms."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pyshacl
import pytest
from rdflib import RDF, XSD, BNode, Graph, Literal, Namespace, URIRef
from rdflib.collection import Collection
from rdflib.namespace import SH, SKOS
from rdflib.term import Node

from tests.ontology.expected_shapes import EXPECTED

HERE = Path(__file__).resolve()
ONTOLOGY = HERE.parents[2] / "ontology"
SHAPE = Namespace("https://w3id.org/paperkg/shapes#")
VOCAB = Namespace("https://w3id.org/paperkg/vocab/")
# Without rdflib's own prefixes, among which schema: is another namespace.
PREFIXES = dict(Graph(bind_namespaces="none").parse(HERE.with_name("example.ttl")).namespaces())

COMPONENTS = {
    SH.datatype: "Datatype",
    SH["class"]: "Class",
    SH.nodeKind: "NodeKind",
    SH.minCount: "MinCount",
    SH.maxCount: "MaxCount",
    SH.minInclusive: "MinInclusive",
    SH.maxInclusive: "MaxInclusive",
    SH.pattern: "Pattern",
    SH.lessThanOrEquals: "LessThanOrEquals",
    SH["in"]: "In",
    SH["or"]: "Or",
}
FROM_ONE = frozenset(
    [
        "kg:position",
        "kg:arxivVersion",
        "kg:venueYear",
        "kg:venueMonth",
        "kg:archiveRank",
        "kg:archiveRankOf",
        "kg:rowCount",
    ]
)
# What a paper is known by: it has one of them at least.
IDENTIFYING = (
    "kg:slug",
    "dct:title",
    "kg:arxivId",
    "kg:rawArxivId",
    "foaf:page",
    "kg:abstractPage",
    "kg:url",
)
Finding = tuple[str, str]  # local name of the shape, constraint component


def iri(name: str) -> URIRef:
    prefix, _, local = name.partition(":")
    return PREFIXES[prefix] + local


def class_iri(name: str) -> URIRef:
    of_others = {"Concept": "skos:", "LicenseDocument": "dct:", "Document": "foaf:"}
    return iri(of_others.get(name, "kg:") + name)


def copy_node(graph: Graph, node: Node, to: Node) -> None:
    for _, p, o in list(graph.triples((node, None, None))):
        graph.add((to, p, o))


@cache
def example() -> Graph:
    """The example, and beside each of its things a second one that is like it."""
    graph = Graph().parse(HERE.with_name("example.ttl"))
    for node in set(graph.subjects(RDF.type)):
        copy_node(graph, node, second(node))
    return graph


def second(node: Node) -> URIRef:
    return URIRef(f"{node}-2")


def other(property_: str, value: Node) -> Node:
    """Another value that is as good as *value*."""
    if not isinstance(value, Literal):
        return second(value)
    special = {
        "kg:arxivId": "cs/0306050",
        "bibo:doi": "10.1000/182",
        "kg:sha256Prefix": "f" * 16,
        "dct:issued": "2020-01",
        "kg:snapshot": "2024-01-01",
        "kg:introducedYear": "2017",
        "kg:readAt": "2024-01-01T00:00:00Z",
    }
    if property_ in special:
        datatype = XSD.gYearMonth if property_ == "dct:issued" else value.datatype
        return Literal(special[property_], datatype=datatype)
    if value.datatype == XSD.boolean:
        return Literal(not value.toPython())
    if value.datatype in (XSD.integer, XSD.decimal):
        return Literal(value.toPython() + 1)
    return Literal(f"{value} too")


@dataclass(frozen=True)
class Twin:
    """One way to break the example's thing of a class, and exactly what must be found."""

    name: str
    finds: frozenset[Finding]
    drop: tuple[str, ...] = ()
    add: tuple[tuple[str, Node], ...] = ()
    blank: bool = False


def local(name: str) -> str:
    return name.partition(":")[2]


def with_value(name: str, property_: str, value: Node, *finds: Finding) -> Twin:
    return Twin(name, frozenset(finds), drop=(property_,), add=((property_, value),))


def twins_of_values(name: str) -> list[Twin]:
    """Twins with a value of the wrong kind, one a property (and one a bound)."""
    expected, twins = EXPECTED[name], []
    nowhere = URIRef("https://example.org/nowhere")

    def value(kind: str, bad: Node, *components: str) -> None:
        for p in getattr(expected, kind).split():
            shape = f"{name}-{local(p)}"
            twins.append(with_value(name, p, bad, *((shape, c) for c in components)))

    for p in expected.strings.split():
        text = Literal(str(example().value(some(name), iri(p))), lang="fr")
        twins.append(with_value(name, p, text, (f"{name}-{local(p)}", "Datatype")))
    value("iris", Literal("https://example.org/"), "NodeKind")
    value("decimals", Literal("85.5"), "Datatype")
    value("booleans", Literal(1), "Datatype")
    value("dates", Literal("2021-06-15"), "Or")
    value("days", Literal("2021", datatype=XSD.gYear), "Datatype")
    value("times", Literal("2021-06-15", datatype=XSD.date), "Datatype")
    value("years", Literal(2018), "Datatype")
    value("codes", nowhere, "Class")
    for p in expected.things.split():
        component = "Or" if p == "kg:introduces" else "Class"
        twins.append(with_value(name, p, nowhere, (f"{name}-{local(p)}", component)))
    for p in expected.codes.split():  # a concept, of another list
        wrong = VOCAB["modality/texts" if p != "kg:modality" else "language/english"]
        twins.append(with_value(name, p, wrong, (f"{name}-{local(p)}-scheme", "In")))
    for p in expected.integers.split():
        shape = f"{name}-{local(p)}"
        twins.append(with_value(name, p, Literal("2.5", datatype=XSD.decimal), (shape, "Datatype")))
        finds = [(shape, "MinInclusive")]
        if p == "kg:archiveRankOf":  # the rank is then greater than the number of rows
            finds.append(("Result-archiveRank-within", "LessThanOrEquals"))
        twins.append(with_value(name, p, Literal(0 if p in FROM_ONE else -1), *finds))
    return twins


def twins_of_counts(name: str) -> list[Twin]:
    """Twins with two values where one can be, and with none where one must be."""
    expected, twins = EXPECTED[name], []
    for p in expected.once.split():
        value = example().value(some(name), iri(p))
        twins.append(
            Twin(
                name,
                frozenset({(f"{name}-{local(p)}-once", "MaxCount")}),
                add=((p, other(p, value)),),
            )
        )
    for p in expected.required.split():
        finds = frozenset({(f"{name}-{local(p)}-required", "MinCount")})
        twins.append(Twin(name, finds, drop=(p,)))
    twins.append(Twin(name, frozenset({(name, "NodeKind")}), blank=True))
    return twins


def particular_twins() -> list[Twin]:
    def find(shape: str, component: str) -> frozenset[Finding]:
        return frozenset({(shape, component)})

    form = "Paper-arxivId-form"
    odd_ids = ["arXiv:2106.08087", "2106.08087v6", "2113.00001", "9901001", "math.GT/0309136"]
    return [
        *(with_value("Paper", "kg:arxivId", Literal(i), (form, "Pattern")) for i in odd_ids),
        with_value(
            "Paper", "bibo:doi", Literal("10.48550/arXiv.2106.08087"), ("Paper-doi-form", "Pattern")
        ),
        with_value(
            "Paper",
            "bibo:doi",
            Literal("https://doi.org/10.48550/arxiv.2106.08087"),
            ("Paper-doi-form", "Pattern"),
        ),
        with_value("Paper", "kg:venueMonth", Literal(13), ("Paper-venueMonth", "MaxInclusive")),
        with_value(
            "Result",
            "kg:archiveRank",
            Literal(7),
            ("Result-archiveRank-within", "LessThanOrEquals"),
        ),
        with_value(
            "CodeContent",
            "kg:sha256Prefix",
            Literal("0123456789abcde"),
            ("CodeContent-sha256Prefix-form", "Pattern"),
        ),
        with_value(
            "CodeContent",
            "kg:sha256Prefix",
            Literal("0123456789ABCDEF"),
            ("CodeContent-sha256Prefix-form", "Pattern"),
        ),
        *(
            Twin(name, find(f"{name}-named", "MinCount"), drop=("rdfs:label", "kg:slug"))
            for name in ("Dataset", "Task", "Method")
        ),
        Twin(
            "DataLoader",
            find("DataLoader-placed", "MinCount"),
            drop=("kg:repo", "kg:url", "foaf:page"),
        ),
        Twin("CodeLink", find("CodeLink-placed", "MinCount"), drop=("kg:repo", "kg:url")),
        Twin("Paper", find("Paper-identified", "MinCount"), drop=IDENTIFYING),
        Twin(
            "LicenseDocument",
            find("LicenseDocument-named", "MinCount"),
            drop=("rdfs:label", "foaf:page", "kg:url"),
        ),
        with_value(
            "Concept", "skos:broader", VOCAB["modality/texts"], ("Concept-broader-scheme", "In")
        ),
        Twin(
            "Leaderboard", find("Leaderboard-slug-or-task", "MinCount"), drop=("kg:slug", "kg:task")
        ),
        Twin(
            "Leaderboard",
            find("Leaderboard-slug-or-dataset", "MinCount"),
            drop=("kg:slug", "kg:dataset"),
        ),
        Twin("Record", find("Record-placed", "MinCount"), drop=("dct:source", "dct:publisher")),
    ]


def some(name: str) -> Node:
    """The example's thing of a class, of concepts the one with every property."""
    if name == "Concept":
        return VOCAB["collection/Transformers"]
    return min(
        node
        for node in example().subjects(RDF.type, class_iri(name))
        if not str(node).endswith("-2")
    )


def all_twins() -> list[Twin]:
    twins = particular_twins()
    for name in EXPECTED:
        twins += twins_of_values(name) + twins_of_counts(name)
    return twins


def validate(data: Graph, shapes: Graph) -> Graph:
    _, report, _ = pyshacl.validate(data, shacl_graph=shapes, advanced=False, inference="none")
    assert isinstance(report, Graph)
    return report


def findings(report: Graph) -> dict[Node, set[Finding]]:
    """What was found, by the thing it was found at."""
    found: dict[Node, set[Finding]] = {}
    for result in report.subjects(RDF.type, SH.ValidationResult):
        focus, shape, component = (
            report.value(result, p)
            for p in (SH.focusNode, SH.sourceShape, SH.sourceConstraintComponent)
        )
        kind = str(component).removeprefix(str(SH)).removesuffix("ConstraintComponent")
        found.setdefault(focus, set()).add((str(shape).removeprefix(str(SHAPE)), kind))
    return found


def broken(twins: list[Twin]) -> tuple[Graph, dict[Node, Twin]]:
    """The example and every twin beside it."""
    data, by_node = Graph(), {}
    data += example()
    for number, twin in enumerate(twins):
        node = BNode() if twin.blank else URIRef(f"https://example.org/twin/{number}")
        copy_node(data, some(twin.name), node)
        for p in twin.drop:
            data.remove((node, iri(p), None))
        for p, value in twin.add:
            data.add((node, iri(p), value))
        by_node[node] = twin
    return data, by_node


@pytest.fixture(scope="module")
def verdicts(shapes_graph: Graph) -> list[tuple[Twin, set[Finding]]]:
    data, by_node = broken(all_twins())
    found = findings(validate(data, shapes_graph))
    assert set(found) <= set(by_node), "something was found at a thing that is not broken"
    return [(twin, found.get(node, set())) for node, twin in by_node.items()]


def constraints(shapes: Graph) -> set[Finding]:
    """Every constraint of every shape that a node shape holds."""
    held = set()
    for node_shape in shapes.subjects(RDF.type, SH.NodeShape):
        for shape in [node_shape, *shapes.objects(node_shape, SH.property)]:
            for p in shapes.predicates(shape):
                if p in COMPONENTS:
                    held.add((str(shape).removeprefix(str(SHAPE)), COMPONENTS[p]))
    return held


def test_the_example_conforms(example_graph: Graph, shapes_graph: Graph) -> None:
    assert findings(validate(example_graph, shapes_graph)) == {}


def test_the_example_has_every_property_of_every_class() -> None:
    for name, expected in EXPECTED.items():
        had = {
            p
            for node in example().subjects(RDF.type, class_iri(name))
            for p in example().predicates(node)
        }
        assert {iri(p) for p in expected.properties()} <= had, name


def test_every_twin_is_caught_and_nothing_else_is_found_at_it(
    verdicts: list[tuple[Twin, set[Finding]]],
) -> None:
    wrong = [(twin, found) for twin, found in verdicts if found != twin.finds]
    assert wrong == []


def test_every_constraint_has_a_twin(
    verdicts: list[tuple[Twin, set[Finding]]], shapes_graph: Graph
) -> None:
    caught = set().union(*(found for _, found in verdicts))
    assert constraints(shapes_graph) == caught


def test_a_constraint_without_a_twin_is_noticed(shapes_graph: Graph) -> None:
    graph = Graph() + shapes_graph
    graph.add((SHAPE["Paper-title"], SH.minCount, Literal(1)))
    assert constraints(graph) - constraints(shapes_graph) == {("Paper-title", "MinCount")}


def test_every_property_shape_is_held_by_one_node_shape(shapes_graph: Graph) -> None:
    held = Counter(shapes_graph.objects(None, SH.property))
    assert set(held) == set(shapes_graph.subjects(RDF.type, SH.PropertyShape))
    assert set(held.values()) == {1}


def test_there_is_one_shape_a_class(shapes_graph: Graph) -> None:
    targets = {
        str(s).removeprefix(str(SHAPE)): o for s, o in shapes_graph.subject_objects(SH.targetClass)
    }
    assert targets == {name: class_iri(name) for name in EXPECTED}


def test_what_can_be_only_once_is_listed_as_the_build_reads_it(shapes_graph: Graph) -> None:
    for name, expected in EXPECTED.items():
        single = {
            shapes_graph.value(shape, SH.path)
            for shape in shapes_graph.objects(SHAPE[name], SH.property)
            if (shape, SH.maxCount, Literal(1)) in shapes_graph
        }
        assert single == {iri(p) for p in expected.once.split()}, name


def test_a_count_of_at_most_one_stands_alone_and_is_a_warning(shapes_graph: Graph) -> None:
    for shape in shapes_graph.subjects(SH.maxCount):
        assert shapes_graph.value(shape, SH.severity) == SH.Warning
        assert sum(p in COMPONENTS for p in shapes_graph.predicates(shape)) == 1


def test_every_shape_has_a_name_and_one_sentence(shapes_graph: Graph) -> None:
    messages = []
    for kind in (SH.NodeShape, SH.PropertyShape):
        for shape in shapes_graph.subjects(RDF.type, kind):
            assert len(list(shapes_graph.objects(shape, SH.name))) == 1
            (message,) = shapes_graph.objects(shape, SH.message)
            messages.append(str(message))
            assert str(message).endswith(".")
    assert len(set(messages)) == len(messages)


def test_stubs_conform(shapes_graph: Graph) -> None:
    stubs = Graph().parse(
        data="""
        PREFIX kg: <https://w3id.org/paperkg/ns#>
        PREFIX dct: <http://purl.org/dc/terms/>
        PREFIX foaf: <http://xmlns.com/foaf/0.1/>
        PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
        PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
        PREFIX vocab: <https://w3id.org/paperkg/vocab/>
        PREFIX area: <https://w3id.org/paperkg/vocab/area/>
        <e:p> a kg:Paper ; kg:slug "p" ; dct:title "P" ; kg:firstAuthorName "A" ;
            kg:introduces <e:d> .
        <e:d> a kg:Dataset ; rdfs:label "D" .
        <e:q> a kg:Paper ; kg:arxivId "2106.08087" .
        <e:u> a kg:Paper ; kg:url "doi:x" .
        <e:w> a kg:Paper ; kg:abstractPage <https://example.org/w> .
        <e:s> a kg:Dataset ; kg:slug "s" ; dct:license <e:s#license> .
        <e:s#license> a dct:LicenseDocument ; foaf:page <https://example.org/licence> .
        <e:t> a kg:Task ; rdfs:label "T" .
        <e:m> a kg:Method ; kg:slug "m" .
        <e:a> a kg:Method ; rdfs:label "A" ; kg:collection area:graphs .
        area:graphs a skos:Concept ; skos:inScheme vocab:area ; skos:notation "graphs" ;
            skos:prefLabel "Graphs" .
        <e:l> a kg:Leaderboard ; kg:task <e:t> ; kg:dataset <e:d> .
        <e:k> a kg:Leaderboard ; kg:slug "k" .
        <e:r> a kg:Result ; kg:leaderboard <e:l> ; kg:modelPage <e:page> ; kg:codeLink <e:c> .
        <e:page> a foaf:Document .
        <e:c> a kg:CodeLink ; kg:url "no repository" ; rdfs:label "one title", "another" .
    """,
        format="turtle",
    )
    assert findings(validate(stubs, shapes_graph)) == {}


@pytest.mark.parametrize("arxiv_id", ["2106.08087", "0704.0001", "cs/0306050", "hep-ph/9206214"])
def test_arxiv_identifiers_of_both_styles_conform(arxiv_id: str, shapes_graph: Graph) -> None:
    data = Graph() + example()
    data.set((some("Paper"), iri("kg:arxivId"), Literal(arxiv_id)))
    assert findings(validate(data, shapes_graph)) == {}


def test_the_code_lists_conform(vocabularies_graph: Graph, shapes_graph: Graph) -> None:
    assert findings(validate(vocabularies_graph, shapes_graph)) == {}


def test_the_lists_that_the_shapes_name_exist(
    shapes_graph: Graph, vocabularies_graph: Graph
) -> None:
    named = {
        scheme
        for members in shapes_graph.objects(None, SH["in"])
        for scheme in Collection(shapes_graph, members)
    }
    assert named == set(vocabularies_graph.subjects(RDF.type, SKOS.ConceptScheme))


def written_without_shape(context: object) -> set[tuple[str, str]]:
    """The classes and properties of a record's context that the expected shapes do not have."""
    own = [context] if isinstance(context, dict) else context
    assert isinstance(own, list)
    found = set()
    for part in own:
        types = {} if isinstance(part, str) else part
        for definition in types.values():
            if not isinstance(definition, dict) or "@context" not in definition:
                continue
            expected = EXPECTED[local(definition["@id"])]
            for term in definition["@context"].values():
                p = term["@id"] if isinstance(term, dict) else term
                if p not in expected.properties():
                    found.add((definition["@id"], p))
    return found


RECORD_CONTEXTS = sorted(
    set(ONTOLOGY.glob("context/*.jsonld")) - {ONTOLOGY / "context/paperkg.jsonld"}
)


@pytest.mark.parametrize("path", RECORD_CONTEXTS, ids=lambda path: path.name)
def test_what_a_context_lets_a_record_say_of_a_class_is_in_its_shape(path: Path) -> None:
    assert written_without_shape(json.loads(path.read_text("utf-8"))["@context"]) == set()


def test_a_property_without_a_shape_in_a_context_is_noticed() -> None:
    context = ["parts.jsonld", {"T": {"@id": "kg:Task", "@context": {"v": {"@id": "kg:video"}}}}]
    assert written_without_shape(context) == {("kg:Task", "kg:video")}
