"""Things answer at their IRIs, in the format that is wanted."""

from __future__ import annotations

import pyoxigraph as ox
import pytest

from kg.describing import Describer, in_store
from kg.namespaces import KG, VOCAB
from tests.site.visiting import BROWSER, HTML, JSON, JSON_LD, NT, ROOT, TTL, Visitor, in_memory

PAPER = "/paper/attention-is-all-you-need"


def things(site: Visitor) -> list[str]:
    """The IRIs below the base of which the graph says anything, without their parts."""
    found = site.iris("SELECT DISTINCT ?s { ?s ?p ?o }")
    iris = {iri.partition("#")[0] for iri in found}
    return sorted(iri for iri in iris if iri.startswith(site.opened.base))


def test_every_thing_of_the_graph_has_a_page_and_its_documents(site: Visitor) -> None:
    describer = Describer(in_store(site.opened.store))
    found = things(site)
    assert len(found) > 200
    for iri in found:
        path = site.path(iri)
        page = site.get(path)
        assert (page.status, page.media_type) == (200, HTML), iri
        assert page.html.one("h1").text
        if iri.startswith(VOCAB):
            continue
        said = set(describer.description(ox.NamedNode(iri)))
        for suffix in (".ttl", ".nt", ".jsonld"):
            document = site.get(path + suffix)
            assert document.graph == said, (iri, suffix)


@pytest.mark.parametrize("media_type", [TTL, JSON_LD, NT, HTML])
def test_the_accept_header_decides_at_the_address_of_a_thing(
    site: Visitor, media_type: str
) -> None:
    answer = site.get(PAPER, media_type)
    assert (answer.status, answer.media_type) == (200, media_type)
    assert answer.headers["vary"] == "Accept, Accept-Encoding"


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        (None, HTML),
        ("*/*", HTML),
        (BROWSER, HTML),
        ("application/json", JSON_LD),
        ("text/html;q=0.5, text/turtle", TTL),
        ("text/turtle;q=0, application/*", JSON_LD),
        # What rapper sends: RDF before anything else.
        ("application/n-triples, application/x-turtle;q=0.9, text/html;q=0.1, */*;q=0.1", NT),
    ],
)
def test_weights_count(site: Visitor, accept: str | None, media_type: str) -> None:
    assert site.get(PAPER, accept).media_type == media_type


def test_what_is_to_be_had_in_no_wanted_format_is_refused_with_the_list(site: Visitor) -> None:
    answer = site.get(PAPER, "image/png")
    assert answer.status == 406
    assert answer.json["offered"] == [HTML, TTL, JSON_LD, NT]


def test_a_suffix_wins_over_the_accept_header(site: Visitor) -> None:
    assert site.get(f"{PAPER}.ttl", HTML).media_type == TTL
    assert site.get(f"{PAPER}.html", TTL).media_type == HTML


def test_json_ld_is_framed_with_our_context(site: Visitor) -> None:
    document = site.get(f"{PAPER}.jsonld").json
    assert document["id"] == "https://w3id.org/paperkg/paper/attention-is-all-you-need"
    assert document["type"] == "Paper"
    assert [one["authorName"] for one in document["authorship"]][:2] == [
        "Ashish Vaswani",
        "Noam Shazeer",
    ]
    assert "http" not in str(document["@context"]["title"])


@pytest.mark.parametrize("path", ["/paper/nobody-wrote-this", "/paper/", "/nothing", "/vocab/x/y"])
def test_what_the_graph_does_not_have_is_not_found(site: Visitor, path: str) -> None:
    for address in (path, f"{path}.ttl"):
        assert site.get(address, "application/problem+json").json["status"] == 404
        page = site.get(address)
        assert (page.status, page.media_type) == (404, HTML)
        assert "/papers" in page.main.links.values()


def test_link_headers_lead_to_the_other_formats_the_licence_and_the_graph(site: Visitor) -> None:
    iri = "https://w3id.org/paperkg/paper/attention-is-all-you-need"
    licence = ("license", "https://creativecommons.org/licenses/by-sa/4.0/")
    shared = {licence, ("describes", iri), ("describedby", "/.well-known/void")}
    alternates = {
        ("alternate", f"{PAPER}{suffix}") for suffix in (".html", ".ttl", ".jsonld", ".nt")
    }
    described = ("describedby", f"{PAPER}.ttl")
    assert site.get(PAPER).links == {*shared, described, *alternates} - {
        ("alternate", f"{PAPER}.html")
    }
    turtle = site.get(f"{PAPER}.ttl")
    assert turtle.links == {*shared, described, *alternates} - {("alternate", f"{PAPER}.ttl")}
    assert turtle.headers["content-location"] == f"{PAPER}.ttl"


def test_an_answer_that_the_client_has_is_not_sent_again(site: Visitor) -> None:
    tag = site.get(f"{PAPER}.nt").headers["etag"]
    again = site.get(f"{PAPER}.nt", headers=[("if-none-match", tag)])
    assert (again.status, again.body) == (304, b"")
    assert site.get(f"{PAPER}.ttl").headers["etag"] != tag


def test_an_answer_to_head_has_the_headers_alone(site: Visitor) -> None:
    answer = site.get(f"{PAPER}.ttl", method="HEAD")
    assert (answer.status, answer.body, answer.media_type) == (200, b"", TTL)


def test_a_thing_is_only_read(site: Visitor) -> None:
    refused = site.get(PAPER, JSON, method="DELETE")
    assert (refused.status, refused.headers["allow"]) == (405, "GET, HEAD, OPTIONS")
    assert site.get(PAPER, method="OPTIONS").headers["allow"] == "GET, HEAD, OPTIONS"


def test_the_base_of_the_data_and_the_address_of_the_server_are_two_things() -> None:
    base = "https://data.example.org/ml/"
    turtle = (
        'paper:a a kg:Paper ; dct:title "A" ; kg:task task:t . task:t a kg:Task ; rdfs:label "T" .'
    )
    visitor = Visitor(in_memory(turtle, base), address="https://example.net/graph")
    page = visitor.get("/paper/a")
    assert page.main.links["T"] == "/graph/task/t"
    assert ("alternate", "/graph/paper/a.ttl") in page.links
    assert ("describes", f"{base}paper/a") in page.links
    own = {
        one.attributes["href"]
        for one in page.html.all("a")
        if one.attributes["href"].startswith(("/", "https://data.example.org"))
    }
    assert all(address.startswith("/graph/") for address in own)
    assert (
        ox.Triple(
            ox.NamedNode(f"{base}paper/a"), ox.NamedNode(f"{KG}task"), ox.NamedNode(f"{base}task/t")
        )
        in visitor.get("/paper/a.ttl").graph
    )


@pytest.mark.parametrize("key", ["a.ttl", "a%20b", "ü", "%C3%BC", "a%25b", "x~12345678", "a/b/c"])
def test_the_key_of_a_thing_may_look_like_anything(key: str) -> None:
    base = "https://e.org/"
    visitor = Visitor(
        in_memory(f"<{base}repo/{key}> a kg:Repo ; foaf:page <https://e.com/x> .", base)
    )
    assert visitor.get(f"/repo/{key}", TTL).status == 200
    assert visitor.get(f"/repo/{key}.nt").media_type == NT


def test_the_ontology_and_the_code_lists_answer_whatever_the_base() -> None:
    visitor = Visitor(in_memory("", "https://e.org/"))
    terms = visitor.get("/ns", TTL).graph
    assert {str(triple.subject) for triple in terms} >= {f"<{KG}Paper>", f"<{KG}codeLink>"}
    assert visitor.get("/ns").html.by_id("Paper")
    codes = visitor.get("/vocab/framework.jsonld").graph
    assert f"<{VOCAB}framework/pytorch>" in {str(triple.subject) for triple in codes}
    assert visitor.get("/vocab/framework/pytorch").html.one("h1").text == "PyTorch"
    assert visitor.get("/vocab").main.links["Frameworks"] == "/vocab/framework"


def test_a_code_that_only_a_record_brings_is_a_code_too(site: Visitor) -> None:
    assert site.get("/vocab/language/bulgarian").html.one("h1").text.casefold() == "bulgarian"
    assert "/vocab/language/bulgarian" in site.get("/vocab/language").main.links.values()


def test_canned_queries_are_had_as_linked_data_by_suffix(site: Visitor) -> None:
    assert site.find("/queries", JSON) is None
    listed = site.get("/queries.ttl").graph
    one = site.get("/queries/leaderboard.nt").graph
    assert one < listed
    subjects = {str(triple.subject).partition("#")[0].strip("<>") for triple in one}
    assert subjects == {"https://w3id.org/paperkg/queries/leaderboard"}
    assert site.get("/queries/nothing.ttl", JSON).status == 404


def test_a_named_graph_answers_at_its_iri() -> None:
    base = "https://e.org/"
    opened = in_memory("", base)
    graph = f"{base}graph/mine"
    opened.store.load([f'<https://e.com/a> <https://e.com/b> "c" <{graph}> .'.encode()])
    visitor = Visitor(opened)
    object.__setattr__(visitor.service, "named_graphs", {graph: 1})
    assert [str(triple.object) for triple in visitor.get("/graph/mine.nt").graph] == ['"c"']
    assert "1 triple" in visitor.get("/graph/mine").main.text
    object.__setattr__(visitor.service, "named_graphs", {graph: 10_000_000})
    assert visitor.get("/graph/mine.nt", NT).status == 406


def test_the_protocols_own_paths_are_left_to_it(site: Visitor) -> None:
    for path in (
        "/sparql?query=ASK%20%7B%7D",
        "/health",
        "/metrics",
        "/.well-known/void",
        "/dumps/x",
    ):
        assert site.find(path) is None
    for path in ("/", "/queries", "/queries/class-counts", "/sparql"):
        assert site.find(path, JSON) is None
        assert site.find(path, "*/*") is None
        assert site.find(path, None) is None
    assert site.find("/sparql", method="POST") is None
    assert site.get("/sparql").headers["location"] == "/editor"
    assert ROOT in site.get("/").text
