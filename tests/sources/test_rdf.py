"""RDF files: one graph in six languages, and each fault with its place."""

import bz2
import gzip
import hashlib
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.errors import SourceError
from kg.sources import RdfFile, Sources
from kg.sources.rdf import RdfError, quads

F = ox.RdfFormat
BASE = "https://example.org/graph/x"
XML = (
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/">\n'
    ' <rdf:Description rdf:about="http://e/a"><e:p>ü</e:p><e:q rdf:resource=""/>'
    "</rdf:Description>\n</rdf:RDF>"
)
SAME = {
    F.TURTLE: '@prefix e: <http://e/> .\ne:a e:p "ü" ; e:q <> .',
    F.TRIG: '{ <http://e/a> <http://e/p> "ü" ; <http://e/q> <> }',
    F.N_TRIPLES: f'<http://e/a> <http://e/p> "ü" .\n<http://e/a> <http://e/q> <{BASE}> .\n',
    F.N_QUADS: f'<http://e/a> <http://e/p> "ü" .\n<http://e/a> <http://e/q> <{BASE}> .\n',
    F.JSON_LD: '{"@context": {"@vocab": "http://e/", "q": {"@type": "@id"}},\n'
    ' "@id": "http://e/a", "p": "ü", "q": ""}',
    F.RDF_XML: XML,
}
EXPECTED = {
    ox.Quad(ox.NamedNode("http://e/a"), ox.NamedNode("http://e/p"), ox.Literal("ü")),
    ox.Quad(ox.NamedNode("http://e/a"), ox.NamedNode("http://e/q"), ox.NamedNode(BASE)),
}


def blocks(data: bytes, size: int) -> list[bytes]:
    return [data[start : start + size] for start in range(0, len(data), size)]


@pytest.mark.parametrize("size", [1, 7, 100, 5000])
@pytest.mark.parametrize("format_", SAME, ids=str)
@pytest.mark.parametrize("before", ["", "\n \n"])
def test_the_same_graph_is_read_from_every_language(
    format_: ox.RdfFormat, size: int, before: str
) -> None:
    data = (before + SAME[format_]).encode()
    assert set(quads(blocks(data, size), format_, BASE)) == EXPECTED


@pytest.mark.parametrize("format_", SAME, ids=str)
@pytest.mark.parametrize("text", ["", " ", "\n\n"])
def test_an_empty_file_is_no_error(format_: ox.RdfFormat, text: str) -> None:
    assert list(quads([text.encode()], format_, BASE)) == []


@pytest.mark.parametrize(
    "text",
    [  # case MAP-01: a processor of JSON-LD may pass over each of these without a word
        '{"@context":{"@vocab":"https://pwc.example/def/"},'
        '"@id":"https://pwc.example/dataset/penn treebank","name":"Penn Treebank"}',
        '{"@id":"http://e/a","http://e/p":{"@id":"http://e/b c"}}',
        '{"@id":"http://e/a","http://e/p q":"x"}',
        '{"@id":"http://e/a","@type":"http://e/p q"}',
        '{"@id":"http://e/g g","@graph":[{"@id":"http://e/a","http://e/p":"x"}]}',
        '{"@id":"http://e/a","http://e/p":{"@value":"x","@type":"http://e/b c"}}',
        '{"@id":"http://e/a","http://e/p":{"@value":"x","@language":"no language"}}',
        '{"@context":{"@base":null},"@id":"a","http://e/p":"x"}',
        '{"@id":"http://[e/a","http://e/p":"x"}',
    ],
)
@pytest.mark.parametrize("size", [1, 5000])
def test_json_ld_that_would_lose_a_statement_is_refused(text: str, size: int) -> None:
    found = quads(
        blocks(f'[{{"@id":"http://e/z","http://e/p":1}},\n{text}]'.encode(), size), F.JSON_LD, BASE
    )
    next(found)
    with pytest.raises(RdfError, match=r"^line 2, column \d+: .* is no term of RDF: "):
        next(found)


def test_json_ld_says_what_it_says_elsewhere() -> None:
    text = """{"@context": {"@vocab": "http://e/", "said": null}, "@id": "/dataset/blue",
        "name": {"@value": "x", "@language": "EN-GB"}, "said": 1, "@type": "Dataset",
        "part": {"@id": "_:b", "n": [{"@value": "01", "@type": "http://e/t"}, true]}}"""
    found = list(quads([text.encode()], F.JSON_LD, BASE))
    assert found == list(ox.parse(text, format=F.JSON_LD, base_iri=BASE))
    assert len(found) == 5
    assert {quad.subject for quad in found} == {
        ox.NamedNode("https://example.org/dataset/blue"),
        ox.BlankNode("b"),
    }


def test_a_key_of_json_ld_that_means_nothing_says_nothing() -> None:
    text = '{"@id": "http://e/a", "name": "x", "http://e/p": "y"}'
    (quad,) = quads([text.encode()], F.JSON_LD, BASE)
    assert quad.predicate == ox.NamedNode("http://e/p")


HEAD = XML.split("\n", maxsplit=1)[0] + "\n"
A = '<rdf:Description rdf:about="http://e/a"><e:p>x</e:p>'


@pytest.mark.parametrize(
    ("format_", "text", "before", "said"),
    [
        (F.TURTLE, "<a> <b> <c> .\n<a> x:b <c> .", 1, "line 2, column 5: The prefix x: has not"),
        (F.N_TRIPLES, '<e:a> <e:b> "x" .\n<e:a> <e:b> "x', 1, "line 2, column 13: truncated: un"),
        (F.N_QUADS, "<e:a> <e:b c> <e:d> .", 0, "line 1, column 7: "),
        (F.TRIG, "<e:g> { <a> <b> <c> ", 1, "line 1, column 21: truncated: "),
        (F.TURTLE, "<a> <b> ", 0, "line 1, column 9: truncated: unexpected end"),
        (F.TURTLE, b'<a> <b> "\xff" .', 0, "line 1, column 10: Invalid UTF-8"),
        (F.RDF_XML, HEAD + A + "</e:q>", 1, "line 2, column 55: no well-formed XML: mismatched"),
        (F.RDF_XML, HEAD + A, 1, "line 2, column 53: truncated: "),
        (
            F.RDF_XML,
            HEAD + A + "\n <rdf:Description/>",
            1,
            "line 3, column 2: Invalid property",
        ),
        (F.RDF_XML, HEAD + '<e:C rdf:about="http://e/ü b"/>', 0, "line 2, column 1: error while"),
        (F.JSON_LD, '{"@id":"http://e/a",\n"http://e/p": tru}', 0, "line 2, column 15: true exp"),
        (F.JSON_LD, '{"@id":"http://e/a",\n "@id":"http://e/b"}', 0, "line 2, column 21: @id is"),
        (F.JSON_LD, '{"@id":"http://e/a", "@id":"http://e/b"}', 0, "line 1, column 41: @id is"),
        (F.JSON_LD, '{"@id":"http://e/a"', 0, "line 1, column 20: "),
    ],
)
@pytest.mark.parametrize("size", [1, 5, 5000])
def test_a_fault_is_named_by_line_and_column(
    format_: ox.RdfFormat, text: str | bytes, before: int, said: str, size: int
) -> None:
    data = text.encode() if isinstance(text, str) else text
    found = quads(blocks(data, size), format_, BASE)
    for _ in range(before):
        next(found)
    with pytest.raises(RdfError) as raised:
        next(found)
    assert str(raised.value).startswith(said)


@pytest.mark.parametrize(
    "context", ['"https://schema.org/"', '{"@import": "https://e.org/c"}', '["c.jsonld", {}]']
)
def test_no_context_is_loaded_from_elsewhere(context: str) -> None:
    text = f'{{"@context": {context}, "@id": "http://e/a", "name": "x"}}'
    with pytest.raises(RdfError, match="nothing is loaded from the web"):
        list(quads([text.encode()], F.JSON_LD, BASE))


def test_entities_are_read_and_those_that_swell_or_point_elsewhere_are_refused() -> None:
    def document(entities: str, text: str) -> bytes:
        content = f'<rdf:Description rdf:about="http://e/a"><e:p>{text}</e:p></rdf:Description>'
        return f"<!DOCTYPE rdf:RDF [{entities}]>{HEAD}{content}</rdf:RDF>".encode()

    (quad,) = quads([document('<!ENTITY x "text">', "&x;")], F.RDF_XML, BASE)
    assert quad.object == ox.Literal("text")
    swelling = "".join(
        f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' if n else '<!ENTITY e0 "aaaaaaaaaa">'
        for n in range(9)
    )
    with pytest.raises(RdfError, match="amplification"):
        list(quads([document(swelling, "&e8;")], F.RDF_XML, BASE))
    with pytest.raises(RdfError):
        list(quads([document('<!ENTITY x SYSTEM "file:///etc/hosts">', "&x;")], F.RDF_XML, BASE))


@pytest.mark.parametrize(
    "text",
    ["<a> <b> <<( <a> <b> <c> )>> .", "<< <a> <b> <c> >> <b> <c> .", '<a> <b> "x"@en--ltr .'],
)
def test_what_rdf_1_1_has_not_is_refused(text: str) -> None:
    with pytest.raises(RdfError, match=r"RDF 1\.2"):
        list(quads([text.encode()], F.TURTLE, BASE))


@settings(deadline=None)
@given(st.sampled_from(list(SAME)), st.data(), st.integers(1, 30))
def test_cut_anywhere_or_altered_a_file_is_read_or_refused(
    format_: ox.RdfFormat, data: st.DataObject, size: int
) -> None:
    whole = SAME[format_].encode()
    cut = data.draw(st.integers(0, len(whole)))
    text = whole[:cut] + data.draw(st.binary(max_size=3))
    try:
        found = list(quads(blocks(text, size), format_, BASE))
    except RdfError:
        return
    assert len(found) <= 2
    if format_ == F.RDF_XML and text.strip():
        assert text.rstrip().endswith(b"</rdf:RDF>")


# --- as an input ---------------------------------------------------------------------------------


def rdf_files(*inputs: Path) -> list[RdfFile]:
    with Sources(inputs) as found:
        items = list(found)
    files = [item for item in items if isinstance(item, RdfFile)]
    assert len(files) == len(items)
    return files


@pytest.mark.parametrize("compress", [bytes, gzip.compress, bz2.compress])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("name", ["x.ttl", "x.ttl.gz", "x"])
def test_a_file_may_be_compressed_and_begin_with_a_byte_order_mark(
    tmp_path: Path, compress: type[bytes], mark: bytes, name: str
) -> None:
    data = compress(mark + SAME[F.TURTLE].encode())
    path = tmp_path / name
    path.write_bytes(data)
    (file,) = rdf_files(path)
    assert file.format == (F.TRIG if name == "x" else F.TURTLE)
    assert set(file.quads(BASE)) == EXPECTED
    assert file.file.statements == 2
    assert file.file.sha256 == hashlib.sha256(data).hexdigest()
    assert file.file.size == len(data)


def test_a_fault_names_the_file_and_how_much_was_read(tmp_path: Path) -> None:
    path = tmp_path / "x.nt"
    path.write_text("<e:a> <e:b> <e:c> .\n" * 5 + "<e:a> <e:b>\n" + "# more\n" * 100_000, "utf-8")
    (file,) = rdf_files(path)
    with pytest.raises(SourceError) as raised:
        list(file.quads(BASE))
    assert raised.value.file == str(path)
    assert raised.value.reason.startswith("line 7, column 1: ")
    assert raised.value.reason.endswith(
        "; nothing of the file is taken in; statements read before it: 5"
    )
    assert file.file.statements is None
    assert file.file.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_compressed_file_cut_short_is_truncated_even_between_two_statements(
    tmp_path: Path,
) -> None:
    data = b"".join(b"<e:a> <e:b> <e:%d> .\n" % n for n in range(1000))
    for cut in (10, 5, 1):  # the text may be whole, and its check sum gone
        path = tmp_path / "x.nt.gz"
        path.write_bytes(gzip.compress(data)[:-cut])
        (file,) = rdf_files(path)
        with pytest.raises(SourceError, match="truncated: the file ends in the middle of its gzip"):
            list(file.quads(BASE))
        assert file.file.statements is None
