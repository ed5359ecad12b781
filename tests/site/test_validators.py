"""Pages and documents that a client has already are not sent again: over real HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from kg.server import Application
from tests.server.serving import served
from tests.site.visiting import HTML, JSON, JSON_LD, NT, ROOT, TTL, Visitor, in_memory

PAPER = "/paper/attention-is-all-you-need"
SQUAD = "/leaderboard/question-answering-on-squad11-dev"
KEPT = ("etag", "vary", "cache-control", "content-security-policy", "referrer-policy")


@pytest.fixture(scope="module")
def address(store_dir: Path) -> Iterator[str]:
    with served(Application.of(store_dir)) as found:
        yield found


def ask(
    address: str, path: str, accept: str, tag: str | None = None, method: str = "GET"
) -> tuple[int, dict[str, str], bytes]:
    connection = HTTPConnection(urlsplit(address).netloc, timeout=60)
    headers = {"Accept": accept, **({"If-None-Match": tag} if tag else {})}
    connection.request(method, path, headers=headers)
    response = connection.getresponse()
    named = {name.lower(): value for name, value in response.getheaders()}
    body = response.read()
    connection.close()
    return response.status, named, body


@pytest.mark.parametrize(
    ("path", "accept"),
    [
        *((path, HTML) for path in ("/", "/papers", "/editor", "/queries", SQUAD, f"{PAPER}.html")),
        *((PAPER, media_type) for media_type in (HTML, TTL, JSON_LD, NT)),
        ("/queries/paper-code?paper=attention-is-all-you-need", HTML),
        *((path, HTML) for path in ("/ns", "/vocab/framework", "/search?q=bert")),
        *((path, JSON) for path in ("/search?q=bert", "/openapi.json", "/queries")),
        ("/ns", TTL),
        ("/editor/vocabulary", JSON),
    ],
)
def test_what_a_client_has_is_not_sent_again(address: str, path: str, accept: str) -> None:
    status, headers, body = ask(address, path, accept)
    assert (status, headers["cache-control"]) == (200, "no-cache")
    assert body
    for method in ("GET", "HEAD"):
        again, kept, nothing = ask(address, path, accept, headers["etag"], method)
        assert (again, nothing) == (304, b"")
        # Who has it takes these over from the answer: they must be those that it came with.
        assert {name: kept.get(name) for name in KEPT} == {name: headers.get(name) for name in KEPT}
        assert ask(address, path, accept, 'W/"another"', method)[0] == 200


def test_a_page_keeps_its_policy_and_a_document_that_of_no_page(address: str) -> None:
    page = ask(address, PAPER, HTML, "*")[1]["content-security-policy"]
    assert "script-src 'self'" in page
    editor = ask(address, "/editor", HTML, "*")[1]["content-security-policy"]
    assert "style-src 'self' 'sha256-" in editor
    document = ask(address, PAPER, TTL, "*")[1]["content-security-policy"]
    assert document == "default-src 'none'; frame-ancestors 'none'; sandbox"


def test_what_differs_has_another_validator(address: str) -> None:
    asked = [
        *((PAPER, accept) for accept in (HTML, TTL, JSON_LD, NT)),
        *((f"{SQUAD}{query}", HTML) for query in ("", "?metric=F1")),
    ]
    tags = [ask(address, path, accept)[1]["etag"] for path, accept in asked]
    assert len(set(tags)) == len(asked)
    assert ask(address, PAPER, TTL, tags[0])[0] == 200


def test_what_is_wrong_has_none_and_is_told_each_time(address: str) -> None:
    for path in ("/nothing", "/queries/paper-code?paper=%20", "/editor?query=nonsense"):
        status, headers, body = ask(address, path, HTML, "*")
        assert status >= 400
        assert "etag" not in headers
        assert headers["cache-control"] == "no-store"
        assert body


def test_a_change_of_the_graph_is_another_page() -> None:
    def tag(title: str, accept: str) -> str:
        turtle = f'paper:a a kg:Paper ; dct:title "{title}" .'
        return Visitor(in_memory(turtle, f"{ROOT}/")).get("/paper/a", accept).headers["etag"]

    for accept in (HTML, TTL, JSON_LD, NT):
        assert tag("One", accept) == tag("One", accept) != tag("Two", accept)
