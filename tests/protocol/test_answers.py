"""Formats, negotiation by the query's form, headers, validators, errors."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from xml.etree import ElementTree

import pyoxigraph as ox
import pytest
import rdflib

from kg.formats import GRAPHS, SOLUTIONS
from kg.protocol import (
    Evaluate,
    Evaluation,
    ProblemError,
    Question,
    Request,
    Response,
    Service,
    Tokens,
    Whole,
)
from kg.sparql import QueryForm
from tests.protocol.asking import (
    CSV,
    DIRECT,
    JSON,
    JSON_LD,
    NQ,
    NT,
    RDF_XML,
    TRIG,
    TSV,
    TTL,
    XML,
    Client,
)

SELECT = "SELECT ?s ?o { VALUES (?s ?o) { (<http://e/s> 'a\"b<&>,\\n\\r\\tc') (UNDEF 'x'@en) } }"
CONSTRUCT = "CONSTRUCT { <http://e/s> <http://e/p> 'a<&>\\r\\nb', 'x'@en, 1.50 } {}"
DESCRIBE = "DESCRIBE <https://example.org/kg/paper/a>"
RESULTS = {
    XML: ox.QueryResultsFormat.XML,
    JSON: ox.QueryResultsFormat.JSON,
    TSV: ox.QueryResultsFormat.TSV,
}


# Case QRY-01 and its kin: the type by the form of the query, and the bytes are of that type.
@pytest.mark.parametrize(
    ("query", "accept", "media_type"),
    [
        (SELECT, None, JSON),
        (SELECT, "*/*", JSON),
        (SELECT, JSON, JSON),
        (SELECT, XML, XML),
        (SELECT, CSV, CSV),
        (SELECT, TSV, TSV),
        (SELECT, "text/*", CSV),
        (SELECT, "text/csv;q=0.1, application/sparql-results+json;q=0.9", JSON),
        (SELECT, "application/json", "application/json"),
        (SELECT, "application/sparql-results+json,application/json,text/javascript", JSON),
        (SELECT, "text/xml", "text/xml"),
        (SELECT, f"{TTL}, {JSON};q=0.5", JSON),
        (SELECT, "application/sparql-results+xml, application/rdf+xml", XML),
        (
            SELECT,
            "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
            "application/xml",
        ),
        (SELECT, "image/png;q=0.1,, application/sparql-results+xml", XML),
        (SELECT, "garbage", JSON),
        (SELECT, "image/png", None),
        (SELECT, TTL, None),
        ("ASK {}", None, JSON),
        ("ASK {}", XML, XML),
        ("ASK {}", CSV, CSV),
        (CONSTRUCT, None, TTL),
        (CONSTRUCT, "*/*", TTL),
        (CONSTRUCT, "application/sparql-results+xml, application/rdf+xml", RDF_XML),
        (CONSTRUCT, f"{JSON}, {TTL};q=0.5", TTL),
        (CONSTRUCT, f"{RDF_XML};q=0.8, {TTL};q=0.9", TTL),
        (CONSTRUCT, f"{NT};charset=utf-8", NT),
        (CONSTRUCT, 'application/ld+json;profile="http://www.w3.org/ns/json-ld#expanded"', JSON_LD),
        (CONSTRUCT, NQ, NQ),
        (CONSTRUCT, TRIG, TRIG),
        (CONSTRUCT, "application/json", "application/json"),
        (CONSTRUCT, JSON, None),
        (DESCRIBE, f"{JSON}, {RDF_XML}", RDF_XML),
        (DESCRIBE, None, TTL),
    ],
)
def test_negotiation_by_the_form_of_the_query(
    query: str, accept: str | None, media_type: str | None
) -> None:
    answered = Client().get(query, accept)
    if media_type is None:
        assert answered.status == 406
        formats = GRAPHS if query is CONSTRUCT else SOLUTIONS
        assert answered.json["offered"] == [format_.media_type for format_ in formats]
        return
    assert answered.status == 200
    assert answered.media_type == media_type
    charset = "; charset=utf-8" if media_type.startswith("text/") else ""
    assert answered.headers["content-type"] == media_type + charset


@pytest.mark.parametrize("media_type", RESULTS)
def test_solutions_come_back_whole(media_type: str) -> None:
    expected = [
        [ox.NamedNode("http://e/s"), ox.Literal('a"b<&>,\n\r\tc')],
        [None, ox.Literal("x", language="en")],
    ]
    body = Client().get(SELECT, media_type).body
    parsed = ox.parse_query_results(body, format=RESULTS[media_type])
    assert isinstance(parsed, ox.QuerySolutions)
    assert [v.value for v in parsed.variables] == ["s", "o"]
    assert [list(solution) for solution in parsed] == expected


def test_xml_solutions_are_read_alike_by_an_xml_parser() -> None:
    root = ElementTree.fromstring(Client().get(SELECT, XML).body)  # noqa: S314 - our own bytes
    texts = [e.text for e in root.iter("{http://www.w3.org/2005/sparql-results#}literal")]
    assert texts == ['a"b<&>,\n\r\tc', "x"]


def test_csv_has_a_header_and_crlf() -> None:
    text = Client().get(SELECT, CSV).body.decode()
    assert text.startswith("s,o\r\n")
    assert list(csv.reader(io.StringIO(text, newline=""))) == [
        ["s", "o"],
        ["http://e/s", 'a"b<&>,\n\r\tc'],
        ["", "x"],
    ]


@pytest.mark.parametrize(
    ("media_type", "format_"),
    [
        (TTL, "turtle"),
        (NT, "nt"),
        (RDF_XML, "xml"),
        (JSON_LD, "json-ld"),
        (NQ, "nquads"),
        (TRIG, "trig"),
    ],
)
@pytest.mark.filterwarnings("ignore:.* is deprecated:DeprecationWarning")  # within rdflib
def test_a_graph_comes_back_whole(media_type: str, format_: str) -> None:
    body = Client().get(CONSTRUCT, media_type).body
    read = rdflib.Dataset()
    read.parse(data=body, format=format_)
    s, p = rdflib.URIRef("http://e/s"), rdflib.URIRef("http://e/p")
    assert {quad[:3] for quad in read.quads()} == {
        (s, p, rdflib.Literal("a<&>\r\nb")),
        (s, p, rdflib.Literal("x", lang="en")),
        (s, p, rdflib.Literal("1.50", datatype=rdflib.XSD.decimal, normalize=False)),
    }


@pytest.mark.parametrize("media_type", [NT, TTL, RDF_XML, JSON_LD, NQ, TRIG])
@pytest.mark.filterwarnings("ignore:.* is deprecated:DeprecationWarning")  # within rdflib
def test_an_empty_graph_is_a_document(media_type: str) -> None:
    answered = Client().get("CONSTRUCT { ?s ?p ?o } { ?s <urn:none> ?o . ?s ?p ?o }", media_type)
    read = rdflib.Dataset()
    names = {
        TTL: "turtle",
        NT: "nt",
        RDF_XML: "xml",
        JSON_LD: "json-ld",
        NQ: "nquads",
        TRIG: "trig",
    }
    read.parse(data=answered.body, format=names[media_type])
    assert answered.media_type == media_type
    assert list(read.quads()) == []


@pytest.mark.parametrize(
    ("query", "media_type", "says"),
    [
        ('SELECT ("a\\u000Bb" AS ?x) {}', XML, "U+000B"),
        ('SELECT ("\\uFFFE" AS ?x) {}', XML, "U+FFFE"),
        ('SELECT ("\\u0000" AS ?x) {}', "text/xml", "U+0000"),
        ('CONSTRUCT { <http://e/s> <http://e/p> "\\u001F" } {}', RDF_XML, "U+001F"),
        ('CONSTRUCT { <http://e/s> <http://e/1> "x" } {}', RDF_XML, "<http://e/1>"),
        ('CONSTRUCT { <http://e/s> <tag:1> "x" } {}', RDF_XML, "<tag:1>"),
    ],
)
def test_what_xml_cannot_carry_is_refused(query: str, media_type: str, says: str) -> None:
    answered = Client().get(query, media_type)
    assert answered.status == 406
    assert says in answered.json["detail"]
    assert "ask for" in answered.json["detail"]


@pytest.mark.parametrize(
    ("query", "accept", "media_type"),
    [
        ('SELECT ("\\u000B" AS ?x) {}', f"{XML}, */*;q=0.1", JSON),
        ('SELECT ("\\u000B" AS ?x) {}', f"{XML}, text/xml, {CSV};q=0.2, {TSV};q=0.1", CSV),
        ('CONSTRUCT { <http://e/s> <http://e/1> "x" } {}', f"{RDF_XML}, {NT};q=0.1", NT),
        ('CONSTRUCT { <http://e/s> <http://e/1> "x" } {}', f"{XML}, {RDF_XML}, {CSV}", None),
        ('SELECT ("\\u000B" AS ?x) {}', f"{XML}, {RDF_XML}, {TTL}", None),
    ],
)
def test_what_xml_cannot_carry_comes_in_another_format_that_is_wanted(
    query: str, accept: str, media_type: str | None
) -> None:
    client = Client()
    answered = client.get(query, accept)
    if media_type is None:
        assert answered.status == 406
        assert "XML can" in answered.json["detail"]
        return
    assert answered.status == 200
    assert answered.media_type == media_type
    assert answered.headers["etag"] == client.get(query, media_type).headers["etag"]
    head = client.get(query, accept, method="HEAD")
    assert (head.status, head.headers) == (200, answered.headers)
    named = client.get(query, accept, ("format", "xml"))
    assert named.status == 406


@pytest.mark.parametrize("media_type", [JSON, CSV, TSV])
def test_other_formats_carry_every_character(media_type: str) -> None:
    answered = Client().get('SELECT ("a\\u000B\\uFFFEb" AS ?x) {}', media_type)
    assert answered.status == 200
    assert "\ufffe" in answered.body.decode()


def test_a_long_answer_arrives_whole() -> None:
    numbers = " ".join(map(str, range(300)))
    query = f"SELECT * {{ VALUES ?a {{ {numbers} }} VALUES ?b {{ {numbers} }} }}"
    client = Client()
    assert len(client.post(query.encode(), DIRECT).rows) == 90_000
    body = client.post(query.encode(), DIRECT, accept=XML).body
    assert body.count(b"<result>") == 90_000
    ElementTree.fromstring(body)  # noqa: S314 - our own bytes


def test_every_answer_may_be_read_by_other_origins_and_is_what_it_says() -> None:
    client = Client()
    for answered in (
        client.get("ASK {}"),
        client.get("ASK {"),
        client.get("ASK {}", "image/png"),
        client.send("PUT"),
        client.send("OPTIONS"),
        client.send(path="/nowhere"),
        client.send(path="/queries"),
        client.send(),
    ):
        assert answered.headers["access-control-allow-origin"] == "*"
        assert answered.headers["x-content-type-options"] == "nosniff"
        assert answered.headers["content-security-policy"].startswith("default-src 'none';")
        assert "access-control-allow-credentials" not in answered.headers


def test_what_depends_on_accept_says_so() -> None:
    client = Client()
    for answered in (
        client.get("ASK {}"),
        client.get("ASK {"),
        client.send(),
        client.get("ASK {}", "image/png"),
        client.send(path="/x"),
    ):
        assert "Accept" in answered.headers["vary"].split(", ")


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "QUERY"])
def test_other_methods_are_refused_with_those_that_are_not(method: str) -> None:
    client = Client()
    answered = client.get("ASK {}", method=method)
    assert answered.status == 405
    assert answered.headers["allow"] == "GET, HEAD, OPTIONS, POST"
    assert client.send(method, "/queries").headers["allow"] == "GET, HEAD, OPTIONS"
    assert client.send("POST", "/queries/class-counts").status == 405


def test_options_says_what_is_allowed() -> None:
    answered = Client().send("OPTIONS")
    assert answered.status == 204
    assert answered.body == b""
    assert answered.headers["allow"] == "GET, HEAD, OPTIONS, POST"
    assert answered.headers["access-control-allow-methods"] == answered.headers["allow"]
    assert "Content-Type" in answered.headers["access-control-allow-headers"]


@pytest.mark.parametrize("query", ["SELECT * {?s ?p ?o}", "ASK {"])
def test_head_is_get_without_a_body(query: str) -> None:
    client = Client()
    got, head = client.get(query), client.get(query, method="HEAD")
    assert (head.status, head.headers) == (got.status, got.headers)
    assert got.body != b""
    assert head.body == b""


def test_an_answer_that_is_known_is_not_sent_again() -> None:
    client = Client()
    tag = client.get("ASK {}").headers["etag"]
    for condition in (tag, tag.removeprefix("W/"), f'"x", {tag}'):
        again = client.send(
            parameters=[("query", "ASK {}")], headers=[("if-none-match", condition)]
        )
        assert again.status == 304
        assert again.body == b""
        assert again.headers["etag"] == tag
        assert again.headers["vary"] == "Accept, Accept-Encoding"
        assert "sandbox" in again.headers["content-security-policy"]
    for condition in ('"x"', "x", ""):
        again = client.send(
            parameters=[("query", "ASK {}")], headers=[("if-none-match", condition)]
        )
        assert again.status == 200


@pytest.mark.parametrize("condition", ["*", "the tag that its answer would have"])
def test_only_what_would_be_answered_is_known(condition: str) -> None:
    async def anything(question: Question) -> Evaluation:
        return Evaluation(QueryForm.ASK, JSON, Whole(b"x"))

    def status(query: str, accept: str | None = None, method: str = "GET") -> int:
        tag = Client(evaluate=anything).get(query, accept).headers.get("etag", "")
        return (
            Client()
            .send(
                method,
                parameters=[("query", query)],
                accept=accept,
                headers=[("if-none-match", "*" if condition == "*" else tag)],
            )
            .status
        )

    assert status("ASK {}") == status("ASK {}", method="HEAD") == 304
    assert status("ASK {") == 400
    assert status("ASK { SERVICE <http://127.0.0.1/> {} }") == 400
    assert status("ASK {}", "image/png") == 406
    assert status('SELECT ("\\u0001" AS ?x) {}', XML) == 406
    assert status("SELECT (NOW() AS ?x) {}") == 200


def test_another_version_of_the_program_has_other_validators(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = Client().get("ASK {}").headers["etag"]
    monkeypatch.setattr("kg.protocol.answering.__version__", "0.0.0.test")
    assert Client().get("ASK {}").headers["etag"] != before


def test_the_validator_is_that_of_snapshot_query_graphs_and_format() -> None:
    client = Client()
    tags = [
        client.get("ASK {}"),
        client.get("ASK { }"),
        client.get("ASK {}", XML),
        client.get("ASK {}", None, ("default-graph-uri", "http://e/g1")),
        client.get("ASK {}", None, ("named-graph-uri", "http://e/g1")),
        Client(snapshot="s2").get("ASK {}"),
    ]
    assert len({answered.headers["etag"] for answered in tags}) == len(tags)
    assert Client().get("ASK {}", "*/*").headers["etag"] == tags[0].headers["etag"]


@pytest.mark.parametrize("function", ["NOW()", "rand()", "UUID()", "STRUUID ()"])
def test_an_answer_that_changes_has_no_validator(function: str) -> None:
    assert "etag" not in Client().get(f"SELECT ({function} AS ?x) {{}}").headers


def test_no_validator_where_there_is_no_answer() -> None:
    client = Client()
    assert "etag" not in client.get("ASK {").headers
    assert "etag" not in client.get("ASK {}", "image/png").headers
    assert "etag" not in client.post(b"ASK {}", DIRECT).headers


@pytest.mark.parametrize("accept", [None, "*/*", JSON, "image/png", "application/problem+json"])
def test_an_error_is_a_problem_detail(accept: str | None) -> None:
    answered = Client().get("SELECT *\nWHERE {\n  ?s ?p\n}", accept)
    assert answered.status == 400
    assert answered.media_type == "application/problem+json"
    problem = answered.json
    assert problem["title"] == "Bad Request"
    assert problem["status"] == 400
    assert (problem["line"], problem["column"]) == (4, 1)
    assert "\n" not in problem["detail"]
    assert problem["excerpt"].endswith("^")


def test_an_error_is_plain_text_for_whom_that_is_wanted() -> None:
    answered = Client().get("ASK {foo:a ?p 1}", "text/plain")
    assert answered.headers["content-type"] == "text/plain; charset=utf-8"
    assert answered.body.decode().startswith("prefix foo: is not declared (line 1, column 6); ")
    assert answered.body.endswith(b"^\n")


def test_a_syntax_error_is_one_whatever_accept_says() -> None:
    assert Client().get("ASK {", "image/png").status == 400


def test_pages_answer_what_they_choose_to_and_leave_the_rest() -> None:
    async def pages(request: Request, evaluate: Evaluate, service: Service) -> Response | None:
        if request.path == "/refused":
            raise ProblemError(410, "it is gone")
        if request.path in ("/", "/page"):
            own = {"Content-Security-Policy": "default-src 'self'", "ETag": '"1"'}
            return Response.of(service.snapshot.encode() * 2000, "text/html", headers=own)
        return None

    client = Client()
    client.service = replace(client.service, pages=pages)
    for path in ("/", "/page"):
        page = client.send(path=path, headers=[("accept-encoding", "gzip")])
        assert page.media_type == "text/html"
        assert page.headers["content-encoding"] == "gzip"
        assert page.headers["content-security-policy"] == "default-src 'self'"
        again = client.send(path=path, headers=[("if-none-match", '"1"')])
        assert again.status == 304
        assert again.headers["content-security-policy"] == "default-src 'self'"
    assert client.send(path="/refused").status == 410
    assert client.get("ASK {}").json["boolean"] is True
    assert client.send(path="/nowhere").status == 404
    client.service = replace(client.service, tokens=Tokens(["0123456789abcdef"]))
    assert client.send(path="/page").status == 401


def test_an_answer_is_closed_where_nobody_reads_it() -> None:
    closed = []

    class Watched(Whole):
        async def aclose(self) -> None:
            closed.append(True)

    async def evaluate(question: Question) -> Evaluation:
        form = QueryForm.ASK
        return Evaluation(form, question.media_type(form), Watched(b"x"))

    client = Client(evaluate=evaluate)
    assert client.get("ASK {}", method="HEAD").body == b""
    assert client.get("ASK {}", "image/png").status == 406
    query, condition = [("query", "ASK {}")], [("if-none-match", "*")]
    assert client.send(parameters=query, headers=condition).status == 304
    assert closed == [True, True, True]
