"""The query operation, SPARQL 1.1 Protocol section 2.1, and what is refused."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote

import pytest

from kg.limits import Limits
from kg.protocol.request import LONGEST_TARGET
from tests.protocol.asking import (
    CSV,
    DIRECT,
    FORM,
    JSON,
    JSON_LD,
    RDF_XML,
    TTL,
    Answered,
    Client,
)

LONGEST = Limits().query_bytes
ASK = "ASK {}"
TEXT = 'SELECT ("%41+%2B h\u00e9 \u4e2d \U0001f600" AS ?x) {}'
VALUE = "%41+%2B h\u00e9 \u4e2d \U0001f600"


def encoded(query: str) -> bytes:
    return f"query={quote(query, safe='')}".encode()


def ways(query: str) -> list[Answered]:
    client = Client()
    return [
        client.get(query),
        client.send(parameters=quote(f"query={query}", safe="=()")),
        client.post(encoded(query), FORM),
        client.post(encoded(query), f"{FORM}; charset=UTF-8"),
        client.post(query.encode(), DIRECT),
        client.post(query.encode(), 'Application/SPARQL-Query; charset="utf-8"'),
        client.post(b"", None, [("query", query)]),
    ]


def test_a_query_arrives_unchanged_by_every_way() -> None:
    for answered in ways(TEXT):
        assert answered.rows == [{"x": VALUE}]


def test_a_plus_sign_is_a_space_and_an_escape_is_read_once() -> None:
    client = Client()
    assert client.send(parameters="query=ASK+%7B%7D").json["boolean"] is True
    assert client.send(parameters='query=SELECT+("%2525"+AS+?x){}').rows == [{"x": "%25"}]


def test_bytes_that_are_sent_without_escapes_are_utf8() -> None:
    assert Client().send(parameters='query=SELECT("\u00e9"AS?x){}').rows == [{"x": "\u00e9"}]


def test_unknown_parameters_mean_nothing() -> None:
    assert Client().get(ASK, None, ("ac", "1"), ("timeout", "x"), ("", "")).status == 200


@dataclass(frozen=True)
class Sent:
    """A request and what is wrong with it."""

    status: int
    says: str
    parameters: str = ""
    content_type: str | None = None
    body: bytes | None = None

    @property
    def answered(self) -> Answered:
        method = "GET" if self.body is None else "POST"
        headers = [("content-type", self.content_type)] if self.content_type else []
        return Client().send(
            method, parameters=self.parameters, headers=headers, body=self.body or b""
        )


@pytest.mark.parametrize(
    "sent",
    [
        Sent(400, "one query, and this one has 2", "query=ASK{}&query=ASK{}"),
        Sent(400, "one query, and this one has 2", "query=ASK{}", DIRECT, b"ASK {}"),
        Sent(400, "one query, and this one has 2", "query=ASK{}", FORM, b"query=ASK{}"),
        Sent(400, "one query, and this one has none", "", FORM, b"x=y"),
        Sent(400, "one query, and this one has none", "", None, b""),
        Sent(400, "the query is empty", "query="),
        Sent(400, "the query is empty", "", DIRECT, b""),
        Sent(400, "a parameter is no UTF-8 at byte 4", "query=ASK%7B%FF%7D"),
        Sent(400, "the query is no UTF-8 at byte 4", "", DIRECT, b"ASK \xff{}"),
        Sent(400, "the default-graph-uri 'x' is no IRI", "query=ASK{}&default-graph-uri=x"),
        Sent(400, "the named-graph-uri 'a b:c' is no IRI", "query=ASK{}&named-graph-uri=a+b:c"),
        Sent(400, "SERVICE is refused", "query=ASK{SERVICE+<http://127.0.0.1/>{}}"),
        Sent(400, "SERVICE is refused", "query=ASK{SERVICE+SILENT+?x{}}"),
        Sent(400, "INSERT begins an update", "query=INSERT+DATA{}"),
        Sent(400, "the function <urn:f> is not known", "query=SELECT(<urn:f>(1)AS?x){}"),
        Sent(403, "only read", "update=CLEAR+ALL"),
        Sent(403, "only read", "", FORM, b"update=CLEAR+ALL"),
        Sent(403, "only read", "", "application/sparql-update", b"CLEAR ALL"),
        Sent(403, "only read", "", "application/sparql-update; charset=UTF-16", b"CLEAR ALL"),
        Sent(415, "the Content-Type is missing", "", None, b"ASK {}"),
        Sent(415, "the Content-Type is text/plain", "", "text/plain", b"ASK {}"),
        Sent(415, "the Content-Type is query", "", "query", b"ASK {}"),
        Sent(415, "in UTF-8", "", f"{DIRECT}; charset=UTF-16", "ASK {}".encode("utf-16")),
        Sent(415, "in UTF-8", "", f"{FORM}; charset=latin-1", b"query=ASK{}"),
        Sent(413, "(--query-length)", "", DIRECT, b" " * (LONGEST + 1)),
        Sent(413, "(--query-length)", "", FORM, b"query=" + b"+" * (LONGEST + 1)),
        Sent(413, "(--query-length)", "", FORM, b"query=ASK{}&x=" + b"x" * 4 * LONGEST),
        Sent(415, "the Content-Type is text/plain", "", "text/plain", b"x" * 4 * LONGEST),
        Sent(414, "send the query by POST", f"query={'x' * LONGEST_TARGET}"),
    ],
    ids=lambda sent: f"{sent.status} {sent.says}",
)
def test_what_is_no_query_operation_is_refused(sent: Sent) -> None:
    answered = sent.answered
    assert answered.status == sent.status
    assert sent.says in answered.json["detail"]
    if "the Content-Type is" in sent.says:
        assert DIRECT in answered.headers["accept-post"]


def test_a_body_that_says_it_is_too_long_is_not_read() -> None:
    headers = [("content-type", DIRECT), ("content-length", str(LONGEST + 1))]
    answered = Client().send("POST", headers=headers, body=b"ASK {}")
    assert answered.status == 413
    assert answered.json["limit"] == "--query-length"


def test_the_longest_body_is_read() -> None:
    assert Client().post(b"ASK {}".ljust(LONGEST), DIRECT).json["boolean"] is True
    escaped = "".join(f"%{byte:02X}" for byte in b"ASK {}".ljust(LONGEST)).encode()
    assert Client().post(b"query=" + escaped, FORM).json["boolean"] is True


def test_an_encoded_body_is_refused() -> None:
    headers = [("content-type", DIRECT), ("content-encoding", "gzip")]
    answered = Client().send("POST", headers=headers, body=b"ASK {}")
    assert answered.status == 415
    assert answered.headers["accept-encoding"] == "identity"
    headers[1] = ("content-encoding", "identity")
    assert Client().send("POST", headers=headers, body=b"ASK {}").status == 200


COUNT = "SELECT (COUNT(*) AS ?x) {?s ?p ?o}"
COUNT_NAMED = "SELECT (COUNT(*) AS ?x) {GRAPH ?g {?s ?p ?o}}"
G1, G2 = "http://e/g1", "http://e/g2"


@pytest.mark.parametrize(
    ("query", "graphs", "number"),
    [
        (COUNT, [], 2),
        (COUNT_NAMED, [], 3),
        (COUNT, [("default-graph-uri", G1)], 2),
        (COUNT, [("default-graph-uri", G1), ("default-graph-uri", G2)], 2),
        (COUNT, [("default-graph-uri", "http://e/none")], 0),
        (COUNT, [("named-graph-uri", G2)], 0),
        (COUNT_NAMED, [("named-graph-uri", G2)], 1),
        (COUNT_NAMED, [("default-graph-uri", G1)], 0),
        (COUNT.replace("{", f"FROM <{G2}> {{", 1), [], 1),
        (COUNT.replace("{", f"FROM <{G2}> {{", 1), [("default-graph-uri", G1)], 2),
    ],
)
def test_the_graphs_of_the_request(query: str, graphs: list[tuple[str, str]], number: int) -> None:
    client = Client()
    assert client.get(query, None, *graphs).rows == [{"x": str(number)}]
    assert client.post(query.encode(), DIRECT, graphs).rows == [{"x": str(number)}]
    form = "&".join(f"{name}={quote(iri)}" for name, iri in graphs).encode()
    assert client.post(encoded(query) + b"&" + form, FORM).rows == [{"x": str(number)}]


def test_relative_iris_are_resolved_against_the_base_and_our_prefixes_are_known() -> None:
    client = Client()
    (row,) = client.get("SELECT (STR(<rel>) AS ?x) (STR(paper:a) AS ?y) {}").rows
    assert row == {"x": "https://example.org/kg/rel", "y": "https://example.org/kg/paper/a"}
    assert client.get("ASK { paper:a a kg:Paper }").json["boolean"] is True


@pytest.mark.parametrize(
    ("hint", "media_type"),
    [
        ("csv", CSV),
        ("CSV", CSV),
        (CSV, CSV),
        ("json", JSON),
        ("", JSON),
        ("turtle", None),  # no format of solutions
        ("nonsense", None),
    ],
)
def test_a_format_that_is_asked_for_by_name_comes_or_nothing_does(
    hint: str, media_type: str | None
) -> None:
    answered = Client().get("SELECT * {}", JSON, ("format", hint))
    if media_type is not None:
        assert answered.media_type == media_type
        return
    assert answered.status == 400
    assert answered.json["parameter"] == "format"
    assert f"no format {hint}; take one of json, xml, csv, tsv" in answered.json["detail"]


def test_two_formats_by_name_are_two_hints() -> None:
    both = (("format", "turtle"), ("format", "csv"))
    assert Client().get("SELECT * {}", JSON, *both).media_type == CSV


@pytest.mark.parametrize("name", ["output", "results"])
@pytest.mark.parametrize(
    ("hint", "media_type"), [("csv", CSV), ("turtle", JSON), ("n3", JSON), ("", JSON)]
)
def test_what_libraries_say_beside_accept_wins_if_it_means_something(
    name: str, hint: str, media_type: str
) -> None:
    assert Client().get("SELECT * {}", JSON, (name, hint)).media_type == media_type


@pytest.mark.parametrize(
    ("query", "accept", "hint", "media_type"),
    [
        ("CONSTRUCT {} {}", "text/turtle", "turtle", TTL),
        ("CONSTRUCT {} {}", "text/turtle, */*;q=0.1", "n3", TTL),
        ("CONSTRUCT {} {}", "*/*", "rdf+xml", RDF_XML),
        ("CONSTRUCT {} {}", "*/*", "json-ld", JSON_LD),
        ("SELECT * {}", JSON, "json", JSON),
        ("SELECT * {}", "*/*", "csv", CSV),
    ],
)
def test_sparqlwrappers_three_hints_at_once(
    query: str, accept: str, hint: str, media_type: str
) -> None:
    hints = [(name, hint) for name in ("format", "output", "results")]
    assert Client().get(query, accept, *hints).media_type == media_type


def test_the_query_operation_is_at_its_address_with_a_slash_too() -> None:
    client = Client()
    assert client.send(path="/sparql/", parameters=[("query", ASK)]).json["boolean"] is True
    direct = [("content-type", DIRECT)]
    posted = client.send("POST", "/sparql/", headers=direct, body=ASK.encode())
    assert posted.json["boolean"] is True
    for path in ("/sparql//", "/sparql/x", "//sparql"):
        assert client.send(path=path).status == 404
