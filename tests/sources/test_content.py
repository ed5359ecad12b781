"""What a file holds is told by its content where that is plain, else by its ending."""

import pyoxigraph as ox
import pytest

from kg.sources.content import Content, Records, content_of

F = ox.RdfFormat
TURTLE = b"@prefix e: <http://e/> . e:a e:b [] ."
QUAD = b"# c\n\n<http://e/a> <http://e/b> <http://e/c> <http://e/g> .\n"
TRIPLE = b"<http://e/a> <http://e/b> <http://e/c> .\n"
XML = b'<?xml version="1.0"?>\n<rdf:RDF>'


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("x.ttl", F.TURTLE),
        ("x.nt", F.N_TRIPLES),
        ("x.nq", F.N_QUADS),
        ("x.trig", F.TRIG),
        ("x.jsonld", F.JSON_LD),
        ("x.rdf", F.RDF_XML),
        ("x.owl", F.RDF_XML),
        ("x.TTL.GZ", F.TURTLE),
        ("x.nq.zst", F.N_QUADS),
        ("x.json", Records.JSON),
        ("x.jsonl.xz", Records.JSON),
        ("x", Records.JSON),
        ("x.gz", Records.JSON),
        ("ttl", Records.JSON),
    ],
)
def test_the_ending_tells_where_the_content_does_not(name: str, expected: Content) -> None:
    assert content_of(b"", name) == expected
    assert content_of(b"  what?", name) == expected


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        (b"PAR1\x15\x04", Records.PARQUET),
        (b'{"@context": {}}', F.JSON_LD),
        (b' [\n {"@id" : "http://e/a"}]', F.JSON_LD),
    ],
)
@pytest.mark.parametrize("name", ["x", "x.json", "x.jsonl.gz", "x.ttl", "x.parquet", "x.jsonld"])
def test_what_can_be_one_thing_only_is_it_under_any_name(
    start: bytes, name: str, expected: Content
) -> None:
    assert content_of(start, name) == expected


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        (XML, F.RDF_XML),
        (b"<!-- x --><rdf:RDF", F.RDF_XML),
        (b'\n<rdf:RDF xmlns:rdf="', F.RDF_XML),
        (b"<!DOCTYPE rdf:RDF [", F.RDF_XML),
        (TURTLE, F.TRIG),
        (b"# a comment\n  PREFIX e: <http://e/>\n", F.TRIG),
        (b"BASE <http://e/>", F.TRIG),
        (b"<http://e/g> { <http://e/a> a <http://e/b> }", F.TRIG),
        (b"<http://e/a> a <http://e/b> .", F.TRIG),
        (b"_:a <http://e/b> 1 .", F.TRIG),
        (TRIPLE, F.TRIG),
        (QUAD, F.N_QUADS),
        (b'_:a <http://e/b> "x < y # \\" z"@en <http://e/g> .\n<http://e/a>', F.N_QUADS),
    ],
)
def test_rdf_is_told_by_how_it_begins(start: bytes, expected: Content) -> None:
    assert content_of(start, "standard input") == expected
    assert content_of(start, "x.txt.gz") == expected
    assert content_of(start, "x.json") == Records.JSON


@pytest.mark.parametrize(
    "start",
    [
        b"<!DOCTYPE html><html>",
        b"<html> <head>",
        b"prefix",
        b"base jumping",
        b"a: b",
        b'{"a": 1}',
        b"[",
        b"# only a comment\n",
        b"",
    ],
)
def test_what_is_no_rdf_is_not_taken_for_it(start: bytes) -> None:
    assert content_of(start, "x") == Records.JSON


def test_a_name_that_promises_xml_may_be_wrong() -> None:
    assert content_of(TURTLE, "x.owl") == F.TRIG
    assert content_of(QUAD, "x.rdf") == F.N_QUADS
    assert content_of(TURTLE, "x.jsonld") == F.TRIG
    assert content_of(XML, "x.ttl") == F.RDF_XML


def test_of_languages_in_one_anothers_letters_the_ending_chooses() -> None:
    # Read as TriG, N-Quads would be a syntax error; read as N-Triples, Turtle would.
    assert content_of(TRIPLE, "x.nq") == F.N_QUADS
    assert content_of(TRIPLE, "x.ttl") == F.TURTLE
