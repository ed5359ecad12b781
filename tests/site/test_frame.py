"""What stands around every page, and how it is sent."""

from __future__ import annotations

import gzip

import pytest

from kg.site import static
from tests.site.visiting import JSON, Visitor

PAGES = (
    *("/", "/papers", "/leaderboards", "/queries", "/queries/leaderboard", "/editor", "/api"),
    *("/ns", "/vocab", "/vocab/sample-status", "/search?q=bert", "/nothing"),
    *("/paper/attention-is-all-you-need", "/dataset/squad", "/task/question-answering"),
    *("/leaderboard/question-answering-on-squad11-dev", "/method/transformer"),
)


@pytest.mark.parametrize("path", PAGES)
def test_a_page_asks_no_other_host_for_anything(site: Visitor, path: str) -> None:
    page = site.get(path).html
    for element in page:
        if element.name in ("script", "img", "iframe", "source"):
            assert element.attributes.get("src", "/").startswith("/")
        if element.name == "link" and element.attributes["rel"] in ("stylesheet", "icon"):
            assert element.attributes["href"].startswith("/static/")
        if element.name == "form":
            assert element.attributes["action"].startswith("/")


@pytest.mark.parametrize("path", PAGES)
def test_a_page_can_be_read_by_everybody(site: Visitor, path: str) -> None:
    page = site.get(path).html
    assert page.one("html").attributes["lang"] == "en"
    assert page.one("head").one("title").text
    assert len(page.all("h1")) == 1
    assert len(page.all("main")) == 1
    levels = [int(one.name[1]) for one in page if one.name in ("h1", "h2", "h3", "h4", "h5", "h6")]
    assert levels[0] == 1
    ids = [one.attributes["id"] for one in page if "id" in one.attributes]
    assert len(ids) == len(set(ids))
    labelled = {one.attributes["for"] for one in page.all("label")}
    for one in page:
        if one.name in ("input", "select", "textarea") and one.attributes.get("type") != "hidden":
            assert one.attributes["id"] in labelled
        if one.name == "a":
            assert one.text, one.attributes


@pytest.mark.parametrize("path", PAGES)
def test_a_page_has_a_few_kilobytes(site: Visitor, path: str) -> None:
    assert len(gzip.compress(site.get(path).body)) < 13_000


def test_pages_are_asked_for_anew_and_errors_are_not_kept(site: Visitor) -> None:
    assert site.get("/papers").headers["cache-control"] == "no-cache"
    assert site.get("/nothing").headers["cache-control"] == "no-store"


def test_static_files_have_an_address_for_their_contents(site: Visitor) -> None:
    address = static.address("site.css")
    answer = site.get(address)
    assert answer.media_type == "text/css"
    assert "immutable" in answer.headers["cache-control"]
    assert "no-cache" in site.get("/static/site.css").headers["cache-control"]
    assert "no-cache" in site.get("/static/site.css?v=000000000000").headers["cache-control"]
    assert "@import" not in answer.text
    assert "url(" not in answer.text


@pytest.mark.parametrize(
    "name", ["nothing.css", "../site.py", "..%2Fsite.py", "/etc/passwd", "templates/base.html", ""]
)
def test_no_other_file_can_be_had(site: Visitor, name: str) -> None:
    assert site.get(f"/static/{name}", JSON).status == 404


def test_the_script_asks_its_own_server_only(site: Visitor) -> None:
    script = site.get(static.address("site.js")).text
    assert "http:" not in script
    assert "https:" not in script
    for word in ("innerHTML", "eval(", "document.write", "localStorage"):
        assert word not in script
