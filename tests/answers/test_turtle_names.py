"""Turtle that the engine writes, with names that two parsers read as the same; case EXP-01."""

from __future__ import annotations

import io
import time
from typing import BinaryIO, cast

import pyoxigraph as ox
import pytest
import rdflib
from hypothesis import example, given
from hypothesis import strategies as st
from rdflib.plugins.parsers.notation3 import BadSyntax

from kg.answers.turtle_names import TurtleNames, serialize

METHOD = "https://pwc.example/method/"
PREFIXES = {"m": METHOD, "": "https://pwc.example/other/", "a.b-c": "https://pwc.example/t/"}
LOCALS = ["BERT(base)", "model.", "a..", "50%25", "a%20b", "-x", "1abc", "a/b", "x#y", "a,b"]
LOCALS += ["it's", "\u540d\u524d", "", "x\u00e9.", "."]


class Pieces:
    """Hands on what is written in pieces of *size*."""

    def __init__(self, names: TurtleNames, size: int) -> None:
        self._names = names
        self._size = size

    def write(self, text: bytes) -> int:
        for start in range(0, len(text), self._size):
            self._names.write(text[start : start + self._size])
        return len(text)

    def flush(self) -> None:
        self._names.flush()


def written(triples: list[ox.Triple], format_: ox.RdfFormat, size: int) -> str:
    stream = io.BytesIO()
    names = TurtleNames(stream, PREFIXES)
    pieces = cast("BinaryIO", Pieces(names, size))
    ox.serialize(triples, pieces, format=format_, prefixes=PREFIXES)
    names.finish()
    return stream.getvalue().decode()


def triples_of(locals_: list[str], text: str = "x") -> list[ox.Triple]:
    return [
        ox.Triple(
            ox.NamedNode(METHOD + local),
            ox.NamedNode(PREFIXES[""] + local),
            ox.Literal(f"{text} m:{local}\\. ", datatype=ox.NamedNode(PREFIXES["a.b-c"] + local)),
        )
        for local in locals_
    ]


@pytest.mark.parametrize("size", [1, 5, 100_000])
@pytest.mark.parametrize("format_", [ox.RdfFormat.TURTLE, ox.RdfFormat.TRIG])
def test_two_parsers_read_the_same(format_: ox.RdfFormat, size: int) -> None:
    triples = triples_of(LOCALS)
    text = written(triples, format_, size)
    assert {quad.triple for quad in ox.parse(text, format=format_)} == set(triples)
    # The TriG of one graph is Turtle.
    read = rdflib.Graph().parse(data=text, format="turtle")
    assert {str(subject) for subject in read.subjects()} == {METHOD + local for local in LOCALS}
    assert "m:BERT" in text  # what every reader takes stays short


def test_of_what_the_engine_writes_one_parser_fails_on_a_name() -> None:
    text = ox.serialize(triples_of(["a."]), format=ox.RdfFormat.TURTLE, prefixes=PREFIXES)
    assert text is not None
    with pytest.raises(BadSyntax):
        rdflib.Graph().parse(data=text, format="turtle")


@given(
    st.lists(st.text("a.é-'#/(", max_size=6), max_size=4),
    st.text(' \n\t"\\\\.:m<>', max_size=12),
    st.sampled_from([1, 3, 64]),
)
@example(["a."], " m:a\\. ", 1)
def test_nothing_else_is_changed(locals_: list[str], text: str, size: int) -> None:
    legal = [local for local in locals_ if local.count("#") < 2]
    triples = triples_of(legal, text)
    found = ox.parse(written(triples, ox.RdfFormat.TURTLE, size), format=ox.RdfFormat.TURTLE)
    assert {quad.triple for quad in found} == set(triples)


@pytest.mark.parametrize("text", ["^a:", '"^^a:'])
def test_a_long_text_takes_as_long_as_it_is(text: str) -> None:
    begun = time.process_time()
    found = written(triples_of(["a"], f"{text * 60_000}\\."), ox.RdfFormat.TURTLE, 1000)
    assert len(found) > 120_000
    assert time.process_time() - begun < 30


@pytest.mark.parametrize(
    "format_", [ox.RdfFormat.RDF_XML, ox.RdfFormat.N_TRIPLES, ox.RdfFormat.JSON_LD]
)
def test_formats_that_have_no_names_are_left_alone(format_: ox.RdfFormat) -> None:
    # In RDF/XML the backslash of a text stands as it is.
    triples = [ox.Triple(ox.NamedNode(METHOD), ox.NamedNode(METHOD + "p"), ox.Literal("m:a\\. x"))]
    stream = io.BytesIO()
    serialize(triples, stream, format_, {"m": METHOD})
    assert [quad.triple for quad in ox.parse(stream.getvalue(), format=format_)] == triples
