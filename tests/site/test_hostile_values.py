"""Whatever a record holds is shown as text, and never read as anything else."""

from __future__ import annotations

import json
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kg import namespaces
from kg.opened import Opened
from kg.site import markdown
from kg.snapshot import Snapshot
from kg.store import Store
from tests.site.parsing import Element, parsed
from tests.site.visiting import Answer, Visitor, in_memory

BASE = "https://e.org/"
HOSTILE = (
    '"><script>alert(1)</script>',
    "</script><script>alert(1)</script>",
    "' onmouseover='alert(1)",
    "{{ 7 * 7 }}{% raw %}",
    "<!--",
    "&lt;b&gt; &amp; &#x41;",
    "javascript:alert(1)",
    "\u202edrow",
    "]]><svg onload=alert(1)>",
    "[x](javascript:alert(1)) ![y](https://other.example/p.png) <img src=x onerror=alert(1)>",
)
ALLOWED_SCRIPTS = {"application/ld+json", None}

texts = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\x00\r"), min_size=1, max_size=60
)


def said(**values: str) -> Opened:
    """A graph in which *values* stand wherever a text can."""
    text = {name: str(ox.Literal(value)) for name, value in values.items()}
    prefixes = namespaces.prefixes(BASE)
    declared = "".join(f"@prefix {prefix}: <{iri}> .\n" for prefix, iri in prefixes.items())
    t = text["t"]
    turtle = f"""
    paper:a a kg:Paper ; dct:title {t} ; dct:abstract {t} ; kg:proceeding {t} ; kg:venue {t} ;
      kg:slug {t} ; kg:shortAbstract {t} ; dct:issued {t} ; kg:arxivId {t} ; kg:nipsId {t} ;
      kg:authorship <{BASE}paper/a#author-1> ; kg:codeLink <{BASE}paper/a#code-x> ;
      kg:task task:t ; prov:wasDerivedFrom record:r ; kg:sampleLink <{BASE}paper/a#sample-s> .
    <{BASE}paper/a#author-1> kg:authorName {t} ; kg:position 1 .
    <{BASE}paper/a#code-x> a kg:CodeLink ; kg:url {t} ; kg:repoPath {t} .
    <{BASE}paper/a#sample-s> a kg:SampleLink ; kg:sample sample:s .
    sample:s a kg:Sample ; kg:entryPoint {t} ; kg:filePath {t} ; kg:status status:x .
    task:t a kg:Task ; rdfs:label {t} ; dct:description {t} ; skos:altLabel {t} ; kg:slug {t} .
    dataset:d a kg:Dataset ; rdfs:label {t} ; dct:description {t} ; kg:fullName {t} ; kg:slug {t} ;
      kg:variantName {t} ; kg:introducedByTitle {t} ; kg:shortDescription {t} .
    method:m a kg:Method ; rdfs:label {t} ; dct:description {t} ; kg:sourceTitle {t} .
    record:r a kg:Record ; kg:claim {t} ; dct:rights {t} ; kg:modificationNote {t} .
    metric:m a kg:Metric ; rdfs:label {t} .
    leaderboard:l a kg:Leaderboard ; kg:task task:t ; kg:dataset dataset:d .
    result:r a kg:Result ; kg:leaderboard leaderboard:l ; kg:modelName {t} ; kg:paperTitle {t} ;
      kg:archiveRank 1 ; kg:measurement <{BASE}result/r#m> ; dct:issued "2020-01-01" .
    <{BASE}result/r#m> kg:metric metric:m ; kg:rawValue {t} ; kg:value 1.0 .
    result:q a kg:Result ; kg:leaderboard leaderboard:l ; kg:modelName {t} ;
      kg:archiveRank 2 ; kg:measurement <{BASE}result/q#m> ; dct:issued "2021-01-01" .
    <{BASE}result/q#m> kg:metric metric:m ; kg:rawValue {t} ; kg:value 2.0 .
    """
    store = Store.in_memory()
    triples = ox.serialize(
        ox.parse(declared + turtle, format=ox.RdfFormat.TURTLE), format=ox.RdfFormat.N_TRIPLES
    )
    store.load([triples or b""])
    return Opened(Snapshot("s1", Path()), store, BASE, prefixes)


PATHS = (
    *("/", "/paper/a", "/task/t", "/dataset/d", "/method/m", "/record/r", "/metric/m"),
    *("/leaderboard/l", "/result/r", "/sample/s", "/papers", "/datasets", "/leaderboards"),
    *("/queries/paper-code?paper=a", "/queries/datasets", "/queries/leaderboard?leaderboard=l"),
)


def check(answer: Answer) -> Element:
    """Check that a page has nothing in it that a record brought but text."""
    assert answer.status == 200
    page = answer.html
    for script in page.all("script"):
        if "src" in script.attributes:
            assert script.attributes["src"].startswith("/static/")
        else:
            assert script.attributes["type"] == "application/ld+json"
            json.loads(script.raw)
    for element in page:
        assert element.name not in ("img", "iframe", "object", "style", "base", "svg:script")
        assert not [name for name in element.attributes if name.startswith("on") or name == "style"]
        href = element.attributes.get("href", "/")
        assert href.startswith(("/", "https://", "http://", "#", "?", "mailto:")), href
    return page


@settings(max_examples=12, deadline=None)
@given(texts)
def test_any_text_is_shown_as_text_on_every_page(text: str) -> None:
    visitor = Visitor(said(t=text))
    for path in PATHS:
        check(visitor.get(path))
    title = visitor.get("/paper/a").html.one("h1").raw
    assert title == text or title == text.replace("\x0c", " ") or not text.strip()


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_text_is_shown_as_text_on_every_page(text: str) -> None:
    visitor = Visitor(said(t=text))
    for path in PATHS:
        check(visitor.get(path))
    assert visitor.get("/paper/a").html.one("h1").raw == text


@settings(max_examples=40, deadline=None)
@example("x").via("the shortest")
@given(st.text(max_size=200))
def test_any_address_gets_an_answer_that_can_run_nothing(path: str) -> None:
    visitor = Visitor(in_memory('paper:a a kg:Paper ; dct:title "A" .', BASE))
    quoted = "".join(f"%{byte:02X}" for byte in path.encode("utf-8", "replace"))
    for address in (
        f"/paper/{quoted}",
        f"/search?q={quoted}",
        f"/editor?query={quoted}",
        f"/queries/datasets?licence={quoted}&task={quoted}",
        f"/papers?page={quoted}",
        f"/leaderboard/l?metric={quoted}&better={quoted}",
    ):
        found = visitor.find(address)
        assert found is not None
        assert found.status in (200, 303, 400, 404, 503), (address, found.status)
        if found.media_type == "text/html":
            page = found.html
            assert all(
                one.attributes.get("src", "/static/").startswith("/static/")
                for one in page.all("script")
            )
            assert not [one for one in page for name in one.attributes if name.startswith("on")]


@settings(max_examples=200, deadline=None)
@given(
    st.text(
        st.sampled_from("ab*_`[]()<>!#$\\{}|-+.\n\r\t &\"'=:/0123456789~^x")
        | st.characters(exclude_categories=["Cs"]),
        max_size=120,
    )
)
def test_markdown_makes_well_formed_html_of_harmless_elements(text: str) -> None:
    page = parsed(
        str(markdown.html(text, lambda href: href if href.startswith("https://") else None))
    )
    allowed = {
        "p",
        "br",
        "em",
        "strong",
        "s",
        "sub",
        "sup",
        "code",
        "pre",
        "blockquote",
        "hr",
        "ul",
        "ol",
        "li",
        "a",
        "h3",
        "h4",
        "h5",
        "h6",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "span",
    }
    for element in page:
        assert element.name in allowed
        assert set(element.attributes) <= {"href", "rel", "start", "class"}
        if element.name == "a" and "href" in element.attributes:
            assert element.attributes["href"].startswith("https://")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (r"$\hat{a}_1 * b_2 * c$", r"$\hat{a}_1 * b_2 * c$"),
        ("$a_1 * b_2 * c$", "a1 * b2 * c"),
        ("it is $5 and $6", "it is $5 and $6"),
        (r"\(x_i\) and \[\bar{y}_j\]", r"xi and \[\bar{y}_j\]"),
        ("$$\n\\int_i x_i\n$$", "$$ \\int_i x_i $$"),
        ("an ![picture](https://other.example/p.png) here", "an picture here"),
        ("<b>raw</b>", "<b>raw</b>"),
    ],
)
def test_tex_and_markup_stay_legible(text: str, shown: str) -> None:
    assert parsed(str(markdown.html(text, lambda href: href))).text == shown


def test_a_long_description_is_not_read_as_markdown() -> None:
    found = str(markdown.html("[" * 30_000, lambda href: href))
    assert parsed(found).text == "[" * 30_000


def test_links_of_descriptions_stay_on_the_server_where_the_graph_has_the_thing() -> None:
    turtle = """
    dataset:d a kg:Dataset ; rdfs:label "D" ; dct:description
      "[here](/paper/a) [there](/paper/b) [board](/sota/l#x) [out](https://e.com/) [odd](data:x)" .
    paper:a a kg:Paper ; dct:title "A" . leaderboard:l a kg:Leaderboard .
    """
    page = Visitor(in_memory(turtle, BASE)).get("/dataset/d").main.by_id("description")
    assert page.links == {"here": "/paper/a", "board": "/leaderboard/l", "out": "https://e.com/"}
    assert "there" in page.text
