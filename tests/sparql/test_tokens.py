from __future__ import annotations

import pyoxigraph as ox
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kg.errors import QueryError
from kg.sparql import Kind, scan


def kinds(text: str) -> list[tuple[Kind, str]]:
    return [(token.kind, token.text) for token in scan(text)]


def test_each_kind_of_token_is_told_apart() -> None:
    assert kinds(
        "SELECT ?x $y <http://e/#a> e:b.c :d _:n 'a'@en-GB \"b\"^^e:t 1 -1.5 1e5 .5 ^^"
    ) == [
        (Kind.WORD, "SELECT"),
        (Kind.VARIABLE, "?x"),
        (Kind.VARIABLE, "$y"),
        (Kind.IRI, "<http://e/#a>"),
        (Kind.PREFIXED_NAME, "e:b.c"),
        (Kind.PREFIXED_NAME, ":d"),
        (Kind.BLANK_NODE, "_:n"),
        (Kind.STRING, "'a'"),
        (Kind.LANGUAGE, "@en-GB"),
        (Kind.STRING, '"b"'),
        (Kind.MARK, "^^"),
        (Kind.PREFIXED_NAME, "e:t"),
        (Kind.NUMBER, "1"),
        (Kind.NUMBER, "-1.5"),
        (Kind.NUMBER, "1e5"),
        (Kind.NUMBER, ".5"),
        (Kind.MARK, "^^"),
    ]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("?s e:p ?o.", ["?s", "e:p", "?o", "."]),
        ("?s e:p e:o.", ["?s", "e:p", "e:o", "."]),
        ("?s e:p 1.", ["?s", "e:p", "1", "."]),
        ("?a<?b && ?c", ["?a", "<", "?b", "&&", "?c"]),
        ("?a <= ?b", ["?a", "<=", "?b"]),
        ("e:a/e:b*|^e:c?", ["e:a", "/", "e:b", "*", "|", "^", "e:c", "?"]),
        (r"e:a\,b,e:c", [r"e:a\,b", ",", "e:c"]),
        ("e:a%20b", ["e:a%20b"]),
        ("# ?a\n?b#c\r?d", ["?b", "?d"]),
        ("''", ["''"]),
        ("'''a'b''c\n'''", ["'''a'b''c\n'''"]),
        (r"'a\'b'", [r"'a\'b'"]),
        ('""""a"""', ['""""a"""']),
        (r'"""a\""""', [r'"""a\""""']),
        ("<http://e/\\u0061>", ["<http://e/\\u0061>"]),
        ("()[]", ["(", ")", "[", "]"]),
        ("größe:名前 ?größe", ["größe:名前", "?größe"]),
        ("<<( ?a ?b ?c )>> {| ?x ?y |}", ["<<(", "?a", "?b", "?c", ")>>", "{|", "?x", "?y", "|}"]),
    ],
)
def test_tokens_end_where_the_grammar_ends_them(text: str, tokens: list[str]) -> None:
    assert [token.text for token in scan(text)] == tokens


@pytest.mark.parametrize(
    ("text", "column", "what"),
    [
        ("ASK { ?s ?p 'abc }", 13, "this quote is never closed"),
        ('ASK { ?s ?p "a\nb" }', 13, "this quote is never closed"),
        ('ASK { ?s ?p """a" }', 13, "this quote is never closed"),
        ("ASK { ?s ?p \\u0061 }", 13, "unexpected character \\"),
        ("ASK\u00a0{ }", 4, "unexpected character U+00A0"),
    ],
)
def test_a_character_that_begins_no_token_is_reported(text: str, column: int, what: str) -> None:
    with pytest.raises(QueryError) as caught:
        list(scan(text))
    assert (caught.value.line, caught.value.column) == (1, column)
    assert str(caught.value).startswith(what)


@given(st.text())
def test_a_literal_the_engine_writes_is_one_token(text: str) -> None:
    try:
        written = str(ox.Literal(text))
    except UnicodeEncodeError:
        return
    assert kinds(f"{written} .") == [(Kind.STRING, written), (Kind.MARK, ".")]


PIECES = (
    "SELECT * {", "ASK {", "}", " ", "\n", "\r", "#", "'", '"', '"""', "'''", "\\", "<", ">", "?s",
    "?o", "<http://e/a>", "e:p", ".", ";", "FILTER(", ")", "&&", "SERVICE", "SILENT", "<urn:x>",
    "{ ?s ?p ?o }", "EXISTS", "OPTIONAL", "{", "\\u0022", "@en", "a", "1", "/",
)  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
@example("SELECT * { # x\r SERVICE <urn:x> { ?s ?p ?o } \n }")
@example("SELECT * { # \r '''\n SERVICE <urn:x> { ?s ?p ?o } # \r ''' \n }")
@example("ASK { FILTER(?s<?o)SERVICE<urn:x>{ ?s ?p ?o } }")
@example('ASK { ?s ?p "\\u0022" SERVICE <urn:x> { ?s ?p ?o } }')
@example("ASK { SERVICE <urn:x> { ?s ?p ?o } }")
def test_no_call_to_another_server_hides_from_the_scanner(text: str) -> None:
    # Whatever the engine takes for SERVICE it tries to call, and then fails in this store.
    try:
        answer = ox.Store().query(text, prefixes={"e": "http://e/"})
        list(answer) if isinstance(answer, ox.QuerySolutions | ox.QueryTriples) else bool(answer)
    except SyntaxError:
        return
    except (RuntimeError, OSError, ValueError):
        assert any(token.is_word("SERVICE") for token in scan(text))
