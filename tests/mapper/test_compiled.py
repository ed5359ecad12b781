"""A compiled context writes what PyLD gives, or says that it does not."""

from __future__ import annotations

import copy
import json
import re
import warnings
from typing import Any

import pyoxigraph as ox
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyld import jsonld

from kg.errors import ResourceError
from kg.mapper import expanded
from kg.mapper.compiled import CompiledContext, NotCompiledError, quoted
from tests.mapper.made_json_ld import (
    NO_IRIS,
    PREFIXES,
    TEXTS,
    any_contexts,
    any_nodes,
    contexts,
    nodes,
)

Json = Any
NT = ox.RdfFormat.N_TRIPLES
EX = PREFIXES["ex"]
A = "http://example.org/a"
# A busy machine is slow, and that is no fault.
MANY = settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def read(lines: list[bytes]) -> set[ox.Triple]:
    return {quad.triple for quad in ox.parse(b"\n".join(lines), format=NT)}


Triples = set[tuple[str, str, str, str, str]]
"""Subject, predicate, object, its datatype or what it is else, its language."""


def pyld(context: Json, nodes: Json) -> dict[str, Triples]:
    """Return graph → its triples as PyLD gives them."""
    document = {"@context": copy.deepcopy(context), "@graph": nodes}
    dataset = jsonld.to_rdf(document, {"documentLoader": expanded.never})
    return {
        graph: {
            (
                triple["subject"]["value"],
                triple["predicate"]["value"],
                triple["object"]["value"],
                triple["object"].get("datatype", triple["object"]["type"]),
                triple["object"].get("language", ""),
            )
            for triple in triples
        }
        for graph, triples in dataset.items()
        if triples
    }


def ours(lines: list[bytes]) -> dict[str, Triples]:
    """Return what lines say in the form of :func:`pyld`."""
    found: Triples = set()
    for triple in read(lines):
        assert isinstance(triple.subject, ox.NamedNode)
        target = triple.object
        if isinstance(target, ox.Literal):
            kind, language = target.datatype.value, target.language or ""
        else:
            assert isinstance(target, ox.NamedNode)
            kind, language = "IRI", ""
        subject, predicate = triple.subject.value, triple.predicate.value
        found.add((subject, predicate, target.value, kind, language))
    return {"@default": found} if found else {}


@MANY
@given(contexts(), nodes())
def test_the_compiled_part_is_compiled_and_says_what_pyld_says(context: Json, nodes: Json) -> None:
    lines = CompiledContext(context, "made").lines(nodes)
    assert ours(lines) == pyld(context, nodes)
    assert set(lines) == set(expanded.lines(context, nodes))


@MANY
@given(contexts(drops=False), nodes())
def test_the_engines_own_parser_says_the_same(context: Json, nodes: Json) -> None:
    # Below a key that says nothing it reads on, against the JSON-LD 1.1 API, section 5.1.2.
    lines = CompiledContext(context, "made").lines(nodes)
    document = json.dumps({"@context": context, "@graph": nodes})
    assert read(lines) == {q.triple for q in ox.parse(document, format=ox.RdfFormat.JSON_LD)}


def holds(context: Json, nodes: Json) -> None:
    """Check that nodes are written as PyLD does, or are not compiled."""
    with warnings.catch_warnings(action="ignore", category=SyntaxWarning):
        # PyLD warns of terms that it ignores.
        try:
            lines = CompiledContext(context, "made").lines(nodes)
        except (NotCompiledError, ResourceError):
            return
        assert ours(lines) == pyld(context, nodes)


@MANY
@given(any_contexts(), nodes())
def test_an_odd_context_never_gives_plain_nodes_another_meaning(context: Json, nodes: Json) -> None:
    holds(context, nodes)


@MANY
@given(contexts(), any_nodes())
def test_an_odd_node_never_gets_another_meaning_by_a_plain_context(
    context: Json, nodes: Json
) -> None:
    holds(context, nodes)


@MANY
@given(any_contexts(), any_nodes())
def test_an_odd_node_never_gets_another_meaning_by_an_odd_context(
    context: Json, nodes: Json
) -> None:
    holds(context, nodes)


# ---- one thing at a time -----------------------------------------------------------------------

TERMS: dict[str, Json] = {
    **PREFIXES,
    "T": {"@id": "ex:T", "@context": {"own": "ex:own"}},
    "text": "ex:text",
    "see": {"@id": "ex:see", "@type": "@id"},
}


def compiled(context: Json, *nodes: Json) -> list[str]:
    lines = CompiledContext([context], "made").lines(nodes)
    return [line.decode() for line in lines]


@pytest.mark.parametrize(
    ("definition", "value", "written"),
    [
        ("ex:p", "x", '"x"'),
        ("http://example.org/ns#p", "x", '"x"'),
        ({"@id": "ex:p", "@language": "de-CH"}, "x", '"x"@de-ch'),
        ({"@id": "ex:p", "@language": None}, "x", '"x"'),
        ({"@id": "ex:p", "@type": "xsd:string"}, "x", '"x"'),
        ({"@id": "ex:p", "@type": "xsd:date"}, "x", f'"x"^^<{PREFIXES["xsd"]}date>'),
        ({"@id": "ex:p", "@type": "@id"}, "ex:x", f"<{EX}x>"),
        ({"@id": "ex:p", "@container": "@set"}, [["x"], None], '"x"'),
        ({"@id": "ex:p"}, {"@id": "ex:x"}, f"<{EX}x>"),
        ({"@id": "ex:p"}, [], None),
        ({"@id": "ex:p"}, None, None),
        ({"@id": None}, {"@value": 7}, None),
        (None, {"@value": 7}, None),
    ],
)
def test_a_term_is_written_by_its_definition(
    definition: Json, value: Json, written: str | None
) -> None:
    node = {"@id": A, "p": value}
    expected = [] if written is None else [f"<{A}> <{EX}p> {written} ."]
    assert compiled(TERMS | {"p": definition}, node) == expected
    holds([TERMS | {"p": definition}], [node])


def test_a_type_has_terms_of_its_own_which_end_with_it() -> None:
    inner = {"@id": "ex:b", "own": "no", "text": "yes"}
    lines = compiled(TERMS, {"@id": A, "@type": "T", "own": "x", "see": inner})
    assert lines == [
        f"<{A}> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <{EX}T> .",
        f'<{A}> <{EX}own> "x" .',
        f'<{EX}b> <{EX}text> "yes" .',
        f"<{A}> <{EX}see> <{EX}b> .",
    ]


def test_a_reference_inside_a_node_is_read_by_the_prefixes_of_its_type() -> None:
    context = TERMS | {"T": {"@id": "ex:T", "@context": {"ex": "http://scoped.example/"}}}
    node = {"@id": "ex:a", "@type": "T", "see": [{"@id": "ex:b"}, {"@id": "ex:c", "text": "x"}]}
    assert compiled(context, node)[1:] == [
        f"<http://scoped.example/a> <{EX}see> <http://scoped.example/b> .",
        f'<{EX}c> <{EX}text> "x" .',
        f"<http://scoped.example/a> <{EX}see> <{EX}c> .",
    ]
    holds([context], [node])


@pytest.mark.parametrize(
    "node",
    [
        {},
        {"text": "x"},
        {"@id": None},
        {"@id": A, "@type": None},
        {"@id": A, "@type": ["T"]},
        {"@id": A, "@type": ["T", "T"]},
        {"@id": A, "@type": "unknown"},
        {"@id": A, "@type": "ex:T"},
        {"@id": A, "text": 7},
        {"@id": A, "text": True},
        {"@id": A, "text": 1.5},
        {"@id": A, "text": {"@value": "x"}},
        {"@id": A, "text": {"@set": ["x"]}},
        {"@id": A, "text": {"@list": ["x"]}},
        {"@id": A, "text": {}},
        {"@id": A, "text": {"text": "x"}},
        {"@id": A, "@graph": []},
        {"@id": A, "@reverse": {}},
        {"@id": A, "@included": []},
        {"@id": A, "@index": "x"},
        {"@id": A, "@context": {}},
        {"@id": A, "ex:p": "x"},
        {"@id": A, "http://example.org/p": "x"},
        "text",
        ["text"],
    ],
    ids=json.dumps,
)
def test_what_no_writer_is_for_is_not_compiled(node: Json) -> None:
    with pytest.raises(NotCompiledError):
        compiled(TERMS, node)


@pytest.mark.parametrize("iri", ["http://a/%zz", "_:T", "@id", "@type", None])
def test_a_type_that_is_no_iri_is_not_compiled(iri: str | None) -> None:
    with pytest.raises(NotCompiledError):
        compiled(TERMS | {"T": iri}, {"@id": A, "@type": "T"})


@pytest.mark.parametrize("text", NO_IRIS)
def test_what_is_no_iri_is_not_compiled(text: str) -> None:
    for node in ({"@id": text, "text": "x"}, {"@id": A, "see": text}, {"@id": A, "see": [text]}):
        with pytest.raises(NotCompiledError):
            compiled(TERMS, node)


@pytest.mark.parametrize(
    "definition",
    [
        {"@reverse": "ex:p"},
        {"@id": "ex:p", "@container": "@list"},
        {"@id": "ex:p", "@container": "@language"},
        {"@id": "ex:p", "@container": "@index"},
        {"@id": "ex:p", "@container": ["@id", "@graph"]},
        {"@id": "ex:p", "@container": "@type"},
        {"@id": "ex:p", "@type": "@json"},
        {"@id": "ex:p", "@type": "@vocab"},
        {"@id": "ex:p", "@type": "@none"},
        {"@id": "ex:p", "@type": "xsd:double"},
        {"@id": "ex:p", "@direction": "rtl"},
        {"@id": "ex:p", "@language": "no language"},
        {"@id": "ex:p", "@context": {"text": "ex:other"}},
        {"@id": "ex:p", "@nest": "n"},
        {"@id": "http://a/%zz"},
        "_:p",
        "@type",
        "@nest",
    ],
    ids=json.dumps,
)
def test_only_the_nodes_that_use_a_term_which_means_more_are_not_compiled(definition: Json) -> None:
    context = TERMS | {"p": definition}
    with pytest.raises(NotCompiledError):
        compiled(context, {"@id": A, "p": "x"})
    assert compiled(context, {"@id": A, "text": "x"}) == [f'<{A}> <{EX}text> "x" .']


def test_a_context_that_only_a_property_may_have_leaves_the_rest_compiled() -> None:
    # Only there a protected term may be defined anew.
    protected = {"@id": "ex:text", "@protected": True}
    context = TERMS | {"text": protected, "p": {"@id": "ex:p", "@context": {"text": "ex:other"}}}
    assert compiled(context, {"@id": A, "text": "x"}) == [f'<{A}> <{EX}text> "x" .']
    with pytest.raises(NotCompiledError):
        compiled(context, {"@id": A, "p": {"@id": A, "text": "x"}})
    with pytest.raises(NotCompiledError):
        compiled(context, {"@id": A, "@type": "p", "text": "x"})


def test_the_label_of_a_blank_node_is_no_compact_iri() -> None:
    with pytest.raises(NotCompiledError):
        compiled(TERMS | {"_": "http://example.org/"}, {"@id": A, "see": "_:b"})


@pytest.mark.parametrize(
    "scoped",
    [
        None,
        [None, {"text": "ex:other"}],
        {"@propagate": True},
        {"@propagate": False},
        {"@vocab": "ex:"},
        {"@base": "http://example.org/"},
        {"@direction": "ltr"},
        {"value": "@value"},
    ],
    ids=json.dumps,
)
def test_only_the_nodes_of_a_type_whose_context_means_more_are_not_compiled(scoped: Json) -> None:
    context = TERMS | {"T": {"@id": "ex:T", "@context": scoped}}
    with pytest.raises(NotCompiledError):
        compiled(context, {"@id": A, "@type": "T", "text": "x"})
    assert compiled(context, {"@id": A, "text": "x"}) == [f'<{A}> <{EX}text> "x" .']


@pytest.mark.parametrize(
    "part",
    [
        {"@vocab": "ex:"},
        {"@base": "http://example.org/"},
        {"@base": None},
        {"@propagate": False},
        {"@direction": "ltr"},
        {"value": "@value"},
    ],
    ids=json.dumps,
)
def test_nothing_is_compiled_by_a_context_that_reads_unknown_words(part: Json) -> None:
    for node in ({"@id": A, "text": "x"}, {"@id": A, "unknown": "x"}, {"@id": A, "@type": "T"}):
        with pytest.raises(NotCompiledError):
            compiled(TERMS | part, node)


@pytest.mark.parametrize(
    "part",
    [
        {"p": 7},
        {"p": {"@id": 7}},
        {"p": {"@foo": "x"}},
        {"p": "relative"},
        {"p": {"@id": "ex:p", "@type": "date"}},
        {"p": {"@id": "ex:p", "@container": 7}},
        {"a": "b:x", "b": "a:x"},
        {"@version": 1.0},
        {"@vocab": 7},
        {"@language": None},
        {"@language": 7},
        {"@base": 7},
        {"@import": "http://example.org/c"},
        {"": "ex:p"},
        {"p": {"@id": "ex:p", "@context": "http://example.org/c"}},
        {"p": {"@id": "ex:p", "@context": {"q": 7}}},
    ],
    ids=json.dumps,
)
def test_a_context_that_is_none_is_refused_by_its_name(part: Json) -> None:
    with pytest.raises(ResourceError, match=r"the context made\.jsonld is none"):
        CompiledContext([TERMS | part], "made")


# ---- terms -------------------------------------------------------------------------------------


@MANY
@given(TEXTS)
def test_a_text_is_quoted_as_the_engine_quotes_it(text: str) -> None:
    assert quoted(text) == str(ox.Literal(text)).encode()
    (line,) = CompiledContext([TERMS], "made").lines([{"@id": A, "text": text}])
    assert [quad.object for quad in ox.parse(line, format=NT)] == [ox.Literal(text)]


def test_every_character_is_quoted_as_the_engine_quotes_it() -> None:
    for first in range(0, 0x110000, 0x100):
        if not 0xD800 <= first < 0xE000:
            text = "".join(map(chr, range(first, first + 0x100)))
            assert quoted(text) == str(ox.Literal(text)).encode()


@MANY
@given(
    st.one_of(
        st.from_regex(re.compile(r"https?://[a-zA-Z0-9.-]+/[!-~]*(#[!-~]*)?"), fullmatch=True),
        st.from_regex(re.compile(r"https?:[/:]?/?[!-~é\u2028]{0,9}"), fullmatch=True),
    )
)
def test_an_address_is_an_iri_where_the_engine_says_so(address: str) -> None:
    try:
        expected = [f"<{A}> <{EX}see> {ox.NamedNode(address)} ."] if "\u2028" not in address else []
    except ValueError:
        expected = []
    try:
        written = compiled(TERMS, {"@id": A, "see": address})
    except NotCompiledError:
        written = []
    assert written == expected


def test_terms_are_the_same_after_they_were_forgotten() -> None:
    context = CompiledContext([TERMS], "made")
    many = [{"@id": f"ex:{n % 12_000}", "see": [f"ex:{n}", A]} for n in range(13_000)]
    assert [line.decode() for line in context.lines(many)] == [
        f"<{EX}{n % 12_000}> <{EX}see> {target} ."
        for n in range(13_000)
        for target in (f"<{EX}{n}>", f"<{A}>")
    ]
