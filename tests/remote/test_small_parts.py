"""Addresses, waiting, what is sent and what a refusal says: the parts that need no server."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from kg.errors import EndpointError, QueryError, UsageError
from kg.remote import Address, declared, form, form_of, pause, refusal, retry_after, token_in, words
from kg.remote.queries import has_relative_iri
from kg.sparql import Graphs

# --- addresses -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://e.org", "http://e.org/"),
        ("HTTPS://E.org:443/a/sparql?x=1#f", "https://e.org/a/sparql?x=1"),
        ("http://e.org:8080/ü b?q=ö", "http://e.org:8080/%C3%BC%20b?q=%C3%B6"),
        ("http://[::1]:7878/sparql", "http://[::1]:7878/sparql"),
        ("http://bücher.example/%C3%BC", "http://xn--bcher-kva.example/%C3%BC"),
    ],
)
def test_an_address_is_read(url: str, said: str) -> None:
    assert str(Address.of(url)) == said


@pytest.mark.parametrize(
    "url",
    ["", "e.org", "127.0.0.1:7878", "ftp://e.org/", "file:///etc/passwd", "http:", "http://",
     "http://e.org:x/", "http://[::1/", "http://e.org:99999/", "http://a..b/"],
)  # fmt: skip
def test_what_is_no_address_is_wrong_usage(url: str) -> None:
    with pytest.raises(UsageError, match="begins with http://"):
        Address.of(url)


@pytest.mark.parametrize("url", ["http://me:secret@e.org/", "https://me@e.org/"])
def test_a_password_in_an_address_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(UsageError, match="--token-file") as caught:
        Address.of(url)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("location", "to"),
    [
        ("/other", "http://e.org/other"),
        ("b?c", "http://e.org/a/b?c"),
        ("https://e.org/a/sparql", "https://e.org/a/sparql"),
        ("//f.org/x", "http://f.org/x"),
    ],
)
def test_a_redirection_leads_to_an_address(location: str, to: str) -> None:
    assert str(Address.of("http://e.org/a/sparql").moved(location)) == to


@pytest.mark.parametrize(
    ("location", "why"),
    [
        (None, "does not say where"),
        ("http://e.org/sparql", "without TLS"),
        ("ftp://e.org/", "no address"),
        ("https://me:x@e.org/", "no address"),
        ("https://[x/", "no address"),
    ],
)
def test_a_redirection_that_leads_where_none_should_is_refused(
    location: str | None, why: str
) -> None:
    with pytest.raises(EndpointError, match=why):
        Address.of("https://e.org/sparql").moved(location)


@pytest.mark.parametrize(
    ("other", "same"),
    [
        ("http://e.org/x", True),
        ("https://e.org/x", True),
        ("http://e.org:8080/", False),
        ("https://e.org:8443/", False),
        ("http://f.org/", False),
        ("http://a.e.org/", False),
    ],
)
def test_who_gets_the_token_again(other: str, same: bool) -> None:
    assert Address.of("http://e.org/sparql").is_same_server(Address.of(other)) is same


# --- waiting -------------------------------------------------------------------------------------

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0.0),
        (" 120 ", 120.0),
        ("Fri, 02 Jan 2026 03:04:35 GMT", 30.0),
        ("Friday, 02-Jan-26 03:04:35 GMT", 30.0),
        ("Fri, 02 Jan 2026 03:04:00 GMT", 0.0),
        ("", None),
        ("soon", None),
        ("-1", None),
        ("1.5", None),
        ("٣", None),
        (None, None),
    ],
)
def test_retry_after_is_seconds_or_a_date(value: str | None, seconds: float | None) -> None:
    assert retry_after(value, NOW) == seconds


def test_the_pauses_grow_and_are_no_shorter_than_the_server_says() -> None:
    for attempt, longest in enumerate((0.5, 1.0, 2.0)):
        pauses = {pause(attempt, None) for _ in range(50)}
        assert all(longest / 2 <= one <= longest for one in pauses)
        assert len(pauses) > 1
    assert pause(0, 7.0) == 7.0


# --- queries -------------------------------------------------------------------------------------

PREFIXES = {"a": "http://a/", "b": "http://b/"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ASK { ?s a:b a:c }", "PREFIX a: <http://a/> "),
        ("ASK { ?s ?p 'a:b', <http://a:b> } # a:b", ""),
        ("ASK { <x> b:c a:d }", "BASE <http://base/> PREFIX a: <http://a/> PREFIX b: <http://b/> "),
        ("ASK { <> ?p ?o }", "BASE <http://base/> "),
        ("ASK { ?s ?p 'open }", ""),
    ],
)
def test_what_a_query_lacks_is_declared_before_it(text: str, said: str) -> None:
    assert declared(text, PREFIXES, "http://base/") == said
    assert has_relative_iri(text) is ("BASE" in said)
    assert declared(text, {}) == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("PREFIX select: <http://e/>\n# ASK\nselect ?x {}", "SELECT"),
        ("base <http://e/> Describe <a>", "DESCRIBE"),
        ("CONSTRUCT {} {}", "CONSTRUCT"),
        ("", None),
        ("INSERT DATA {}", None),
        ("'", None),
    ],
)
def test_the_form_of_a_query_is_its_first_word(text: str, expected: str | None) -> None:
    assert form_of(text) == expected


def test_a_query_and_its_graphs_are_fields_of_a_form() -> None:
    content = form("ASK { ?s ?p 'ü&=+%' }", Graphs(("http://g/1", "http://g/2"), ("http://n/",)))
    assert parse_qs(content.decode()) == {
        "query": ["ASK { ?s ?p 'ü&=+%' }"],
        "default-graph-uri": ["http://g/1", "http://g/2"],
        "named-graph-uri": ["http://n/"],
    }
    with pytest.raises(QueryError, match="half a character"):
        form("ASK { ?s ?p '\ud800' }")


# --- refusals ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content_type", "content", "said"),
    [
        ("application/problem+json", b'{"title": "Bad Request", "detail": "no"}', "no"),
        ("application/json", b'{"exception": "parse error", "status": "ERROR"}', "parse error"),
        ("application/json", b'{"message": 5, "error": ""}', ""),
        ("application/json", b"[1]", ""),
        ("application/json", b"{", ""),
        ("application/json", b"[" * 100_000, ""),
        ("text/plain;charset=utf-8", b"\n  Parse error:\tline 1\r\n at java.lang", "Parse error:"),
        ("text/plain", b"a\x1b[31mb", "a\\x1b[31mb"),
        ("text/plain", b"x" * 1000, "x" * 300 + "…"),
        ("text/html", b"<h1>Not Found</h1>", ""),
        ("", b"x", ""),
        ("nonsense", b"x", ""),
    ],
)
def test_a_servers_own_words_are_one_line(content_type: str, content: bytes, said: str) -> None:
    assert words(content_type, content).startswith(said)
    assert bool(words(content_type, content)) is bool(said)
    assert "\n" not in words(content_type, content)


def test_every_refusal_is_a_sentence() -> None:
    assert "--token-file" in refusal(401)
    assert refusal(403, "members only") == "it does not let you ask this (403): members only"
    assert refusal(418) == "it answers 418 I'm a Teapot"
    assert refusal(599) == "it answers 599"


# --- tokens --------------------------------------------------------------------------------------


def test_the_first_token_of_a_file_is_used(tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    file.write_text("# mine\n\n  abc.DEF-123= # the new one\nother\n", "utf-8")
    assert token_in(file) == "abc.DEF-123="


@pytest.mark.parametrize("content", [b"", b"# none\n", b"two words\n", b"\xff", "tökén".encode()])
def test_a_file_without_a_token_is_wrong_usage(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "tokens"
    file.write_bytes(content)
    with pytest.raises(UsageError, match="token") as caught:
        token_in(file)
    assert "two words" not in str(caught.value)
    with pytest.raises(UsageError, match="cannot be read"):
        token_in(tmp_path / "none")
