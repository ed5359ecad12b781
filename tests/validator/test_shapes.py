"""Shapes that are wrong are refused with a sentence; shapes that check nothing are remarked on."""

from __future__ import annotations

import gzip
import json
import logging
from pathlib import Path

import pytest
import rdflib

from kg import resources
from kg.errors import ResourceError, SourceError, StoreError
from kg.validator import ValidationReport, validate
from kg.validator.shapes import Shapes
from tests.validator.making import GOOD, OFTEN, PREFIXES, TITLED, shapes_file, store_of

AIMED = "e:S a sh:NodeShape ; sh:targetClass kg:Paper ; "


def validated(folder: Path, shapes: str, data: str = GOOD) -> ValidationReport:
    return validate(store_of(folder / "store", data), shapes_file(folder, shapes))


def test_our_shapes_are_well_formed_and_there_is_nothing_to_remark(tmp_path: Path) -> None:
    ours = resources.ontology() / "shapes.ttl"
    copy = tmp_path / "copy.ttl"
    copy.write_bytes(ours.read_bytes())
    assert Shapes.load(copy).remarks == ()


@pytest.mark.parametrize(
    ("shapes", "words"),
    [
        (AIMED + 'sh:property [ sh:path kg:slug ; sh:minCount "many" ] .', 'sh:minCount "many"'),
        (
            AIMED + "sh:property [ sh:path kg:slug ; sh:datatype xsd:string, xsd:date ] .",
            "datatype",
        ),
        (AIMED + "sh:property [ sh:path kg:slug ; sh:in e:nolist ] .", "sh:in"),
        (AIMED + "sh:property [ sh:minCount 1 ] .", "sh:path"),
        (AIMED + 'sh:property [ sh:path "slug" ; sh:minCount 1 ] .', '"slug"'),
        (AIMED + "sh:property [ sh:path [ sh:foo kg:slug ] ; sh:minCount 1 ] .", "well-formed"),
        (AIMED + "sh:in _:l . _:l rdf:first e:a ; rdf:rest _:l .", "recursive"),
        ('e:S a sh:NodeShape ; sh:targetClass "Paper" .', "targetClass"),
        (AIMED + 'sh:property [ sh:path kg:slug ; sh:pattern "(" ] .', "cannot be evaluated"),
        (AIMED + 'sh:sparql [ sh:select "SELECT $this WHERE {" ] .', "cannot be evaluated"),
        (AIMED + 'sh:sparql [ sh:select "SELECT $this WHERE { ?s ?p \'x }" ] .', "never closed"),
        (AIMED + 'sh:sparql [ sh:select "SELECT $this {VALUES $this {1}}" ] .', "VALUES"),
        ("e:S a e:NoShape .", "it holds no shape"),
        ("", "it holds no shape"),
        ("e:S a sh:NodeShape ", "line 10"),
        ("<http://[> a sh:NodeShape .", "cannot be parsed"),
        ("e:S sh:hasValue <<( e:a e:b e:c )>> .", "triple term"),
    ],
)
def test_shapes_that_cannot_be_meant_are_refused(tmp_path: Path, shapes: str, words: str) -> None:
    with pytest.raises(SourceError, match=r"shapes\.ttl: ") as caught:
        validated(tmp_path, shapes)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 3


@pytest.mark.parametrize(
    "query",
    [
        "SELECT $this { SERVICE <http://127.0.0.1:9/> { $this ?p ?o } }",
        "SELECT $this { # no\\nservice<http://127.0.0.1:9/>{$this ?p ?o}}",
        "SELECT $this FROM <file:///etc/hostname> { $this ?p ?o }",
        "SELECT $this FROM NAMED <http://127.0.0.1:9/> { $this ?p ?o }",
        "SELECT $this { SERV\\\\u0049CE <http://127.0.0.1:9/> { $this ?p ?o } }",
    ],
)
def test_a_query_may_ask_the_data_only(tmp_path: Path, query: str) -> None:
    with pytest.raises(SourceError, match=r"reads from elsewhere|unexpected character"):
        validated(tmp_path, AIMED + f'sh:sparql [ sh:select "{query}" ] .')


def test_a_query_that_has_such_words_in_its_names_and_texts_is_taken(tmp_path: Path) -> None:
    query = "SELECT $this ?from { $this kg:slug ?from FILTER (?from = 'FROM p') } # FROM"
    declared = 'sh:declare [ sh:prefix "kg" ; sh:namespace "https://w3id.org/paperkg/ns#" ]'
    shapes = AIMED + f'sh:sparql [ sh:select "{query}" ; sh:prefixes [ {declared} ] ] .'
    assert validated(tmp_path, shapes).results == ()
    bent = shapes.replace('ns#"', 'ns#> SELECT $this FROM <file:///etc/hostname> { } #"')
    with pytest.raises(SourceError, match="no namespace of SPARQL"):
        validated(tmp_path, bent)
    with pytest.raises(SourceError, match="no prefix of SPARQL"):
        validated(tmp_path, shapes.replace('sh:prefix "kg"', 'sh:prefix "kg:<e:>"'))


def test_constraints_in_sparql_are_evaluated(tmp_path: Path) -> None:
    query = "SELECT $this ?value { $this <https://w3id.org/paperkg/ns#slug> ?value }"
    shapes = AIMED + f'sh:sparql [ sh:message "Slug {{?value}}." ; sh:select "{query}" ] .'
    report = validated(tmp_path, shapes)
    assert [(r.focus.value, r.message) for r in report.results] == [
        ("https://example.org/p", "Slug p."),
        ("https://example.org/q", "Slug q."),
    ]


@pytest.mark.parametrize(
    ("constraint", "remark"),
    [
        ("sh:maxCont 0", "sh:maxCont is nothing that is checked here; did you mean sh:maxCount?"),
        ("sh:js [ ]", "sh:js is nothing that is checked here"),
        ("sh:maxCount 0", None),
    ],
)
def test_a_constraint_that_is_not_known_is_remarked_on(
    tmp_path: Path, constraint: str, remark: str | None
) -> None:
    report = validated(tmp_path, AIMED + f"sh:property [ sh:path kg:slug ; {constraint} ] .")
    assert list(report.remarks) == ([remark] if remark else [])
    assert bool(report.results) == (remark is None)
    assert report.failed(strict=True)


def test_imports_and_recursion_are_remarked_on(tmp_path: Path) -> None:
    report = validated(tmp_path, f"<> owl:imports <http://127.0.0.1:9/> . {AIMED} sh:node e:S .")
    assert report.remarks == (
        "owl:imports is not followed; the shapes are those of this file alone",
        "https://example.org/S refers to itself, which SHACL leaves undefined",
    )


@pytest.mark.parametrize(
    ("shapes", "counts"),
    [
        (TITLED, [2]),
        ("e:S a sh:NodeShape ; sh:targetClass kg:Dataset .", [0]),
        ("e:S a sh:NodeShape ; sh:targetNode e:p, e:nowhere .", [2]),
        ("e:S a sh:NodeShape ; sh:targetSubjectsOf dct:title .", [2]),
        ("e:S a sh:NodeShape ; sh:targetObjectsOf kg:slug, dct:title .", [4]),
        ("kg:Paper a sh:NodeShape, rdfs:Class .", [2]),
        ("e:S a sh:NodeShape .", [0]),
        (AIMED + "sh:deactivated true .", [2]),
        (AIMED + "sh:node e:T . e:T a sh:NodeShape ; sh:nodeKind sh:IRI .", [2]),
        (AIMED + "sh:or ( e:T ) . e:T a sh:NodeShape ; sh:nodeKind sh:IRI .", [2]),
        ("e:S a sh:NodeShape ; sh:target [ sh:select 'SELECT ?this { ?this ?p ?o }' ] .", [0]),
    ],
)
def test_focus_nodes_are_counted(tmp_path: Path, shapes: str, counts: list[int]) -> None:
    report = validated(tmp_path, shapes)
    assert [shape.focus_nodes for shape in report.shapes] == counts
    idle = counts == [0] or "deactivated" in shapes
    assert bool(report.idle) == idle
    assert report.conforms
    assert not report.failed(strict=False)
    assert report.failed(strict=True) == idle


def test_the_same_input_is_the_same_report(tmp_path: Path) -> None:
    data = "".join(
        f'e:p{n} a kg:Paper ; kg:slug "{n}", 5 , "x"^^xsd:integer .\n' for n in range(20)
    )
    shapes = f"{TITLED} {OFTEN} {AIMED} sh:property [ sh:path kg:slug ; sh:datatype xsd:string ] ."
    first, second = (validated(tmp_path, shapes, data) for _ in range(2))
    assert list(map(str, first.rdf())) == list(map(str, second.rdf()))
    assert len(first.results) == 20 + 20 + 40


@pytest.mark.parametrize("normalize", [True, False])
def test_settings_of_the_process_are_left_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, normalize: bool
) -> None:
    monkeypatch.setattr(rdflib, "NORMALIZE_LITERALS", normalize)
    before = logging.root.manager.disable
    logging.disable(logging.DEBUG)
    try:
        validated(tmp_path, TITLED)
        assert logging.root.manager.disable == logging.DEBUG
    finally:
        logging.disable(before)
    assert rdflib.NORMALIZE_LITERALS is normalize


def test_values_that_are_none_of_their_datatype_are_found_without_a_word(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    data = 'e:p a kg:Paper ; kg:n "007"^^xsd:integer, "seven"^^xsd:integer .'
    shapes = AIMED + "sh:property [ sh:path kg:n ; sh:datatype xsd:integer ] ."
    report = validated(tmp_path, shapes, data)
    assert [r.value and r.value.value for r in report.results] == ["seven"]
    shapes = AIMED + 'sh:property [ sh:path kg:n ; sh:pattern "^00" ] .'
    report = validated(tmp_path, shapes, data)
    assert [r.value and r.value.value for r in report.results] == ["seven"]
    assert capfd.readouterr() == ("", "")
    assert caplog.records == []


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("s.nt", "<e:S> <http://www.w3.org/ns/shacl#targetNode> <e:p> ."),
        ("s.jsonld", '{"@id": "e:S", "http://www.w3.org/ns/shacl#targetNode": {"@id": "e:p"}}'),
        ("s.shapes", PREFIXES + "<#S> sh:targetNode e:p ."),
    ],
)
def test_shapes_are_read_in_the_format_that_the_name_ends_in(
    tmp_path: Path, name: str, content: str
) -> None:
    path = tmp_path / name
    path.write_text(content)
    report = validate(store_of(tmp_path / "store", GOOD), path)
    assert [shape.focus_nodes for shape in report.shapes] == [1]


def test_a_context_elsewhere_is_not_fetched(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonld"
    path.write_text('{"@context": "http://127.0.0.1:9/c.jsonld", "@id": "e:S"}')
    with pytest.raises(SourceError, match="cannot be parsed"):
        Shapes.load(path)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"no\.ttl: there is no such file"):
        Shapes.load(tmp_path / "no.ttl")
    with pytest.raises(SourceError, match="it cannot be read"):
        Shapes.load(tmp_path)


def test_our_own_shapes_being_broken_is_our_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resources, "ontology", lambda: tmp_path)
    with pytest.raises(ResourceError, match="install paperkg again"):
        Shapes.load()
    shapes_file(tmp_path, AIMED + 'sh:property [ sh:path kg:slug ; sh:pattern "(" ] .')
    with pytest.raises(Exception, match="unterminated") as caught:
        validate(store_of(tmp_path / "store", GOOD))
    assert not isinstance(caught.value, SourceError)


def test_a_damaged_product_is_the_stores_fault(tmp_path: Path) -> None:
    snapshot = store_of(tmp_path / "store", GOOD)
    whole = snapshot.triples.read_bytes()
    for content in (whole[:-9], b"no gzip", gzip.compress(b"<e:s> <e:p> .\n")):
        snapshot.triples.write_bytes(content)
        with pytest.raises(StoreError, match="damaged"):
            validate(snapshot)
    snapshot.triples.unlink()
    with pytest.raises(StoreError, match="No such file"):
        validate(snapshot)
    assert json.loads(snapshot.manifest_file.read_text())
