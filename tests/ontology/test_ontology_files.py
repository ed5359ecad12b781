"""The files parse alike everywhere, and what they say of ``kg:`` is complete."""

from __future__ import annotations

import csv
from pathlib import Path

import pyoxigraph as ox
import pytest
from rdflib import OWL, RDF, RDFS, XSD, Graph, Literal, URIRef
from rdflib.compare import isomorphic
from rdflib.namespace import DCTERMS, FOAF, SH, SKOS, VANN
from rdflib.term import Node

from tests.ontology.contract_names import CLASSES, DATA_TYPES, OF_OTHERS, PROPERTIES
from tests.ontology.terms_in_files import prefixes_of_context, terms_of_context, terms_of_turtle

ONTOLOGY = Path(__file__).resolve().parents[2] / "ontology"
TURTLE = sorted(ONTOLOGY.glob("*.ttl"))
CONTEXTS = sorted(ONTOLOGY.glob("context/*.jsonld"))
KG = "https://w3id.org/paperkg/ns#"
IRI = URIRef("https://w3id.org/paperkg/ns")
CLASSES_OF_OTHERS = {"Concept": SKOS.Concept, "LicenseDocument": DCTERMS.LicenseDocument}

# Prefixes of things and not of vocabularies: what they name needs no vocabulary's file.
OF_THINGS = {"spdx", "arxiv", "doi", "wd"}


def vocabularies(prefixes: dict[str, str]) -> dict[str, str]:
    return {
        prefix: namespace
        for prefix, namespace in prefixes.items()
        if prefix not in OF_THINGS and not namespace.startswith("https://w3id.org/paperkg/")
    }


def listed_terms() -> dict[str, str]:
    with (ONTOLOGY / "external-terms.tsv").open(encoding="utf-8", newline="") as file:
        return {row["IRI"]: row["term"] for row in csv.DictReader(file, delimiter="\t")}


def unlisted(used: set[str], prefixes: dict[str, str]) -> set[str]:
    """The terms of others among *used* that the committed list does not have."""
    namespaces = tuple(vocabularies(prefixes).values())
    return {t for t in used if t.startswith(namespaces) and t not in namespaces} - set(
        listed_terms()
    )


def terms_of(path: Path) -> set[str]:
    if path.suffix == ".ttl":
        return terms_of_turtle(path.read_bytes())
    parts = (ONTOLOGY / "context" / "parts.jsonld").read_text("utf-8")
    return terms_of_context(path.read_text("utf-8"), taken_in=parts)


def test_the_folder_holds_what_its_readme_lists() -> None:
    readme = (ONTOLOGY / "README.md").read_text("utf-8")
    for path in [*TURTLE, *CONTEXTS, ONTOLOGY / "external-terms.tsv"]:
        assert path.name in readme, path.name
    assert [path.name for path in TURTLE] == [
        "alignments.ttl", "ontology.ttl", "prefixes.ttl", "shapes.ttl", "vocabularies.ttl",
    ]  # fmt: skip


@pytest.mark.parametrize("path", TURTLE, ids=lambda path: path.name)
def test_pyoxigraph_and_rdflib_read_the_same_triples(path: Path) -> None:
    by_rdflib = Graph().parse(path)
    by_oxigraph = list(ox.parse(path=path, format=ox.RdfFormat.TURTLE))
    assert len(by_rdflib) == len(set(by_oxigraph)) == len(by_oxigraph) > 0
    again = Graph().parse(data=ox.serialize(by_oxigraph, format=ox.RdfFormat.N_TRIPLES))
    assert isomorphic(by_rdflib, again)


@pytest.mark.parametrize(
    "name", ["ontology.ttl", "vocabularies.ttl", "prefixes.ttl", "alignments.ttl"]
)
def test_only_the_shapes_have_blank_nodes(name: str) -> None:
    for quad in ox.parse(path=ONTOLOGY / name, format=ox.RdfFormat.TURTLE):
        assert not isinstance(quad.subject, ox.BlankNode)
        assert not isinstance(quad.object, ox.BlankNode)


def test_the_ontology_says_what_it_is(ontology_graph: Graph) -> None:
    values = {p: set(ontology_graph.objects(IRI, p)) for p in ontology_graph.predicates(IRI)}
    assert values[RDF.type] == {OWL.Ontology}
    assert values[VANN.preferredNamespacePrefix] == {Literal("kg")}
    assert values[VANN.preferredNamespaceUri] == {Literal(KG)}
    assert values[OWL.versionInfo] == {Literal("0.1.0")}
    assert values[OWL.versionIRI] == {IRI + "/0.1.0"}
    assert values[DCTERMS.license] == {URIRef("https://creativecommons.org/licenses/by/4.0/")}
    assert {DCTERMS.title, DCTERMS.description} <= set(values)


def defined(graph: Graph, *kinds: URIRef) -> set[str]:
    return {str(term).removeprefix(KG) for kind in kinds for term in graph.subjects(RDF.type, kind)}


def test_every_name_of_the_contract_is_there(ontology_graph: Graph) -> None:
    assert defined(ontology_graph, OWL.Class) == set(CLASSES)
    properties = defined(ontology_graph, OWL.DatatypeProperty, OWL.ObjectProperty)
    assert properties == set(PROPERTIES)


def test_a_property_is_of_one_kind(ontology_graph: Graph) -> None:
    assert not defined(ontology_graph, OWL.DatatypeProperty) & defined(
        ontology_graph, OWL.ObjectProperty
    )


@pytest.mark.parametrize("name", [*CLASSES, *PROPERTIES])
def test_every_term_is_explained(name: str, ontology_graph: Graph) -> None:
    term = URIRef(KG + name)
    (label,) = ontology_graph.objects(term, RDFS.label)
    (comment,) = ontology_graph.objects(term, RDFS.comment)
    assert label.language == comment.language == "en"
    assert len(comment) > len(label) + 15
    assert comment.endswith(".")
    assert list(ontology_graph.objects(term, RDFS.isDefinedBy)) == [IRI]


def includes(graph: Graph, term: Node, exact: URIRef, open_: str) -> set[Node]:
    return {*graph.objects(term, exact), *graph.objects(term, URIRef("http://schema.org/" + open_))}


def test_domains_are_where_the_contract_uses_a_property(ontology_graph: Graph) -> None:
    for name, classes in PROPERTIES.items():
        domains = includes(ontology_graph, URIRef(KG + name), RDFS.domain, "domainIncludes")
        wanted = {CLASSES_OF_OTHERS.get(c, URIRef(KG + c)) for c in classes.split()}
        assert domains == wanted, name
        # Nothing may be inferred from a property of several classes.
        exact = list(ontology_graph.objects(URIRef(KG + name), RDFS.domain))
        assert len(exact) == (1 if len(classes.split()) == 1 else 0), name


def test_ranges_are_datatypes_or_classes_as_the_kind_of_property_wants(
    ontology_graph: Graph,
) -> None:
    for term in ontology_graph.subjects(RDF.type, OWL.DatatypeProperty):
        (range_,) = ontology_graph.objects(term, RDFS.range)
        assert str(range_).startswith(str(XSD)), term
    for term in ontology_graph.subjects(RDF.type, OWL.ObjectProperty):
        ranges = includes(ontology_graph, term, RDFS.range, "rangeIncludes")
        of_others = {SKOS.Concept, FOAF.Document}
        assert all(str(r).startswith(KG) or r in of_others for r in ranges), term


def functional(graph: Graph) -> set[Node]:
    return {
        s
        for kind in (OWL.FunctionalProperty, OWL.InverseFunctionalProperty)
        for s in graph.subjects(RDF.type, kind)
    }


def test_no_property_is_functional() -> None:
    for path in TURTLE:
        assert not functional(Graph().parse(path)), path.name
    twin = Graph().parse(ONTOLOGY / "ontology.ttl")
    twin.add((URIRef(KG + "slug"), RDF.type, OWL.FunctionalProperty))
    assert functional(twin) == {URIRef(KG + "slug")}


def undefined(used: set[str]) -> set[str]:
    return {t for t in used if t.startswith(KG) and t != KG} - {
        KG + name for name in [*CLASSES, *PROPERTIES]
    }


@pytest.mark.parametrize("path", [*TURTLE, *CONTEXTS], ids=lambda path: path.name)
def test_every_kg_term_in_use_is_defined(path: Path) -> None:
    assert undefined(terms_of(path)) == set()


def test_a_kg_term_that_is_not_defined_is_caught() -> None:
    turtle = b"@prefix kg: <https://w3id.org/paperkg/ns#> . <e:p> kg:slugg 'p' ."
    assert undefined(terms_of_turtle(turtle)) == {KG + "slugg"}
    context = (
        '{"@context": {"kg": "%s", "Paper": {"@id": "kg:Papr", "@context": {"s": "kg:slugg"}}}}'
    )
    assert undefined(terms_of_context(context % KG)) == {KG + "slugg", KG + "Papr"}


@pytest.mark.parametrize("path", [*TURTLE, *CONTEXTS], ids=lambda path: path.name)
def test_every_term_of_others_is_listed_with_its_source(
    path: Path, prefixes: dict[str, str]
) -> None:
    assert unlisted(terms_of(path), prefixes) == set()


@pytest.mark.parametrize(
    ("namespace", "name"),
    [
        ("http://purl.org/spar/fabio/", "hasArXivID"),
        ("http://purl.org/spar/fabio/", "abstract"),
        ("http://w3id.org/mlso/", "hasRelatedImlpementation"),
        ("http://schema.org/", "ScholarlyArtikel"),
    ],
)
def test_a_term_that_exists_in_no_vocabulary_is_caught(
    namespace: str, name: str, prefixes: dict[str, str]
) -> None:
    turtle = f"<e:s> <{namespace}{name}> <e:o> .".encode()
    assert unlisted(terms_of_turtle(turtle), prefixes) == {namespace + name}
    context = (
        '{"@context": {"v": "%s", "Paper": {"@id": "e:P", "@context": {"x": {"@id": "v:%s"}}}}}'
    )
    assert unlisted(terms_of_context(context % (namespace, name)), prefixes) == {namespace + name}


def unknown_namespaces(used: set[str], prefixes: dict[str, str]) -> set[str]:
    """The predicates, classes and datatypes that stand in no declared namespace."""
    return {t for t in used if not t.startswith(tuple(prefixes.values()))}


@pytest.mark.parametrize("path", CONTEXTS, ids=lambda path: path.name)
def test_contexts_use_declared_namespaces_only(path: Path, prefixes: dict[str, str]) -> None:
    # cr:Dataset, which exists nowhere, would be of a vocabulary that the project does not use.
    assert unknown_namespaces(terms_of(path), prefixes) == set()


@pytest.mark.parametrize("path", TURTLE, ids=lambda path: path.name)
def test_files_use_predicates_and_classes_of_declared_namespaces_only(
    path: Path, prefixes: dict[str, str]
) -> None:
    graph = Graph().parse(path)
    used = {
        str(t)
        for t in [
            *graph.predicates(),
            *graph.objects(None, RDF.type),
            *graph.objects(None, RDFS.subClassOf),
        ]
    }
    assert unknown_namespaces(used, prefixes) == set()


def test_a_class_of_no_declared_vocabulary_is_caught(prefixes: dict[str, str]) -> None:
    croissant = "http://mlcommons.org/croissant/Dataset"
    context = '{"@context": {"cr": "http://mlcommons.org/croissant/", "Dataset": "cr:Dataset"}}'
    found = unknown_namespaces(terms_of_context(context), prefixes)
    assert croissant in found


def test_the_list_of_terms_has_what_is_used_and_no_more(prefixes: dict[str, str]) -> None:
    used = set().union(*map(terms_of, [*TURTLE, *CONTEXTS]))
    for term in ["rdf:type", *OF_OTHERS]:
        prefix, _, name = term.partition(":")
        used.add(prefixes[prefix] + name)
    assert set(listed_terms()) - used == set()
    assert unlisted(used, prefixes) == set()


def test_the_list_of_terms_is_well_made(prefixes: dict[str, str]) -> None:
    with (ONTOLOGY / "external-terms.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert len({row["IRI"] for row in rows}) == len(rows)
    assert [row["term"] for row in rows] == sorted(row["term"] for row in rows)
    for row in rows:
        prefix, _, name = row["term"].partition(":")
        assert prefixes[prefix] + name == row["IRI"]
        assert row["kind"] in {"class", "property", "datatype", "individual"}
        assert row["repository"].count("/") == 1
        assert row["file"]


def test_declarations_of_prefixes_have_one_prefix_and_one_namespace() -> None:
    graph = Graph().parse(ONTOLOGY / "prefixes.ttl")
    declared = list(graph.objects(IRI, SH.declare))
    assert set(declared) == set(graph.subjects(SH.prefix))
    for declaration in declared:
        (prefix,) = graph.objects(declaration, SH.prefix)
        (namespace,) = graph.objects(declaration, SH.namespace)
        assert prefix == Literal(str(prefix))
        assert namespace == Literal(str(namespace), datatype=XSD.anyURI)
        assert str(declaration).endswith(f"#{prefix}")
        assert str(namespace)[-1] in "/#"


def test_prefixes_and_namespaces_are_told_apart(prefixes: dict[str, str]) -> None:
    assert len(set(prefixes.values())) == len(prefixes)
    assert prefixes["schema"] == "http://schema.org/"
    for name in DATA_TYPES:
        assert prefixes[name] == f"https://w3id.org/paperkg/{name}/"


def test_the_prefix_of_a_code_list_is_the_property_whose_values_it_holds(
    prefixes: dict[str, str], ontology_graph: Graph, vocabularies_graph: Graph
) -> None:
    vocab = prefixes["vocab"]
    lists = {p: n for p, n in prefixes.items() if n.startswith(vocab) and n != vocab}
    schemes = {f"{s}/" for s in vocabularies_graph.subjects(RDF.type, SKOS.ConceptScheme)}
    assert set(lists.values()) == schemes
    coded = {str(p).removeprefix(KG) for p in ontology_graph.subjects(RDFS.range, SKOS.Concept)}
    # Areas are what collections stand below (skos:broader).
    assert set(lists) == coded | {"area"}


def test_files_bind_prefixes_as_declared(prefixes: dict[str, str]) -> None:
    of_a_file = {"shape", "declaration"}  # names of one file's own things
    for path in TURTLE:
        for line in path.read_text("utf-8").splitlines():
            if line.startswith("@prefix"):
                _, prefix, namespace, _ = line.split()
                prefix, namespace = prefix[:-1], namespace[1:-1]
                if prefix not in of_a_file and not namespace.startswith(prefixes["vocab"]):
                    assert prefixes[prefix] == namespace, (path.name, prefix)


@pytest.mark.parametrize("path", CONTEXTS, ids=lambda path: path.name)
def test_contexts_bind_prefixes_as_declared(path: Path, prefixes: dict[str, str]) -> None:
    bound = prefixes_of_context(path.read_text("utf-8"))
    assert bound == {prefix: prefixes[prefix] for prefix in bound}


def test_codes_are_concepts_of_their_list(vocabularies_graph: Graph) -> None:
    schemes = set(vocabularies_graph.subjects(RDF.type, SKOS.ConceptScheme))
    for scheme in schemes:
        (description,) = vocabularies_graph.objects(scheme, DCTERMS.description)
        assert "open" in description
        assert list(vocabularies_graph.objects(scheme, DCTERMS.title))
    for concept in vocabularies_graph.subjects(RDF.type, SKOS.Concept):
        (scheme,) = vocabularies_graph.objects(concept, SKOS.inScheme)
        (code,) = vocabularies_graph.objects(concept, SKOS.notation)
        assert scheme in schemes
        assert str(concept) == f"{scheme}/{code}"
        explained = [
            p for p in (SKOS.definition, SKOS.note) if (concept, p, None) in vocabularies_graph
        ]
        assert len(explained) <= 1, f"{code} is both defined and said to be unknown"


def codes(graph: Graph, scheme: str) -> set[str]:
    iri = URIRef(f"https://w3id.org/paperkg/vocab/{scheme}")
    return {str(graph.value(c, SKOS.notation)) for c in graph.subjects(SKOS.inScheme, iri)}


@pytest.mark.parametrize(
    ("scheme", "known"),
    [
        ("framework", "pytorch tf jax mindspore paddle mxnet caffe2 torch none"),
        ("reach", "ok"),
        ("sample-status", "ran_honours ran_draft_wrong unverified"),
        ("contract-check", "HONOURS MISDECLARED OUTPUT_MISDECLARED"),
        ("metamorphic-tier", "deterministic invariant"),
        ("repo-kind", "official named_in_paper listed found_in_text community"),
        ("link-basis", "first_harvest_node harvester_set plan_row"),
        ("programming-language", "python"),
        ("collection", ""),
        (
            "area",
            "general computer-vision natural-language-processing graphs reinforcement-learning "
            "sequential audio",
        ),
    ],
)
def test_the_known_codes_are_listed(scheme: str, known: str, vocabularies_graph: Graph) -> None:
    assert codes(vocabularies_graph, scheme) == set(known.split())


def test_the_definitions_of_repository_kinds_are_left_to_the_records(
    vocabularies_graph: Graph,
) -> None:
    scheme = URIRef("https://w3id.org/paperkg/vocab/repo-kind")
    for concept in vocabularies_graph.subjects(SKOS.inScheme, scheme):
        assert (concept, SKOS.definition, None) not in vocabularies_graph
        assert (concept, SKOS.scopeNote, None) in vocabularies_graph
