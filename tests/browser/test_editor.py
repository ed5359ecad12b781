"""The query editor in a real browser: it answers, completes, draws, and asks nobody else."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode

import pytest

from kg import builder, resources
from kg.server import Application
from tests.conftest import ROOT
from tests.server.serving import served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

BUNDLE = ROOT / "kg" / "site" / "static" / "editor" / "main.js"
VIOLATIONS = """document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`));"""
EDITED = "document.querySelector('.tabPanel.active .yasqe .CodeMirror').CodeMirror"
ROWS = ".tabPanel.active .yasr table tbody tr"
COUNTS = "SELECT ?class (COUNT(*) AS ?things) { ?thing a ?class } GROUP BY ?class"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address at which the packaged samples are served."""
    if not BUNDLE.is_file():
        pytest.skip("needs the query editor, which could not be bundled where this was installed")
    folder = tmp_path_factory.mktemp("editor") / "store"
    builder.build([str(resources.samples())], folder)
    with served(Application.of(folder)) as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A Chromium without a window."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.skip("needs Chromium")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def said() -> list[str]:
    """What the console said: errors, warnings, violations of the policy."""
    return []


@pytest.fixture
def page(browser: Browser, address: str, said: list[str]) -> Iterator[Page]:
    """A page in a browser of its own, which asks no other server."""
    context = browser.new_context(viewport={"width": 1100, "height": 900})
    page = context.new_page()
    page.set_default_timeout(60_000)
    asked: list[str] = []
    page.on("console", lambda message: said.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: said.append(f"fault: {error}"))
    page.on("request", lambda request: asked.append(request.url))
    page.add_init_script(VIOLATIONS)
    yield page
    context.close()
    assert asked
    assert [url for url in asked if not url.startswith((address, "data:", "blob:"))] == []


def opened(page: Page, address: str, query: str | None = None, **more: str) -> None:
    parameters = {} if query is None else {"query": query, **more}
    page.goto(f"{address}/editor?{urlencode(parameters)}")
    page.wait_for_selector(".tabPanel.active .yasqe .CodeMirror")


def typed(page: Page, text: str) -> None:
    page.evaluate(f"{EDITED}.setValue(''); {EDITED}.focus()")
    page.keyboard.type(text, delay=5)


def value(page: Page) -> str:
    return str(page.evaluate(f"{EDITED}.getValue()"))


def asked(page: Page, query: str) -> None:
    page.evaluate(f"(text) => {{ {EDITED}.setValue(text); {EDITED}.focus() }}", query)
    page.keyboard.press("Control+Enter")


def until(page: Page, condition: Callable[[], bool]) -> None:
    """Wait for a condition; what a page would evaluate to wait for it, its policy forbids."""
    for _ in range(600):
        if condition():
            return
        page.wait_for_timeout(50)
    assert condition()


def violations(page: Page) -> list[str]:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe")
    response: dict[str, Any] = axe.Axe().run(page).response
    return [f"{one['id']}: {one['nodes'][0]['html']}" for one in response["violations"]]


def test_it_stands_in_the_place_of_the_form_and_answers_a_query(
    page: Page, address: str, said: list[str]
) -> None:
    opened(page, address)
    assert not page.is_visible("form#editor textarea[name=query]")
    asked(page, "SELECT ?title { ?paper a kg:Paper ; dct:title ?title } ORDER BY ?title LIMIT 3")
    page.wait_for_selector(ROWS)
    assert page.locator(ROWS).count() == 3
    assert "Attention Is All You Need" in page.inner_text(".tabPanel.active .yasr table")
    asked(
        page, "SELECT * { VALUES (?a ?b) { (paper:x kg:Paper) (status:unverified <http://e/>) } }"
    )
    links = page.locator(f"{ROWS} a")
    until(page, lambda: links.count() == 4)
    assert [link.get_attribute("href") for link in links.all()] == [
        f"{address}/paper/x",
        f"{address}/ns#Paper",
        f"{address}/vocab/sample-status/unverified",
        "http://e/",
    ]
    # The project's prefixes are declared, so that the query says the same elsewhere.
    assert value(page).startswith("PREFIX status: <")
    assert violations(page) == []
    assert said == []


def test_it_completes_terms_and_asks_no_other_host_about_them(
    page: Page, address: str, said: list[str]
) -> None:
    opened(page, address)
    for text, hint, line in (
        ("SELECT * {\n ?p a kg:Pap", "kg:Paper   paper", "?p a kg:Paper"),
        ("SELECT * {\n ?p a author", "kg:Authorship   authorship", "?p a kg:Authorship"),
        ("SELECT * {\n ?p dct:tit", "dct:title", "?p dct:title"),
        ("SELECT * {\n ?s kg:status status:unv", "   unverified", "kg:status status:unverified"),
    ):
        typed(page, text)
        page.keyboard.press("Control+Space")
        page.locator(".CodeMirror-hint", has_text=hint).first.wait_for()
        page.keyboard.press("Enter")
        declaration = f"PREFIX {line.split()[-1].partition(':')[0]}: <"
        until(page, lambda: line in value(page) and declaration in value(page))  # noqa: B023 - at once
    assert said == []


def test_an_answer_with_numbers_is_drawn_as_a_chart(
    page: Page, address: str, said: list[str]
) -> None:
    opened(page, address, COUNTS, outputFormat="chart")
    bars = page.locator(".tabPanel.active .kg-chart rect")
    bars.first.wait_for()
    classes = bars.count()
    assert classes > 10
    assert "Paper: 15 (things)" in page.inner_html(".kg-chart svg")
    assert violations(page) == []
    years = "VALUES (?year ?n) { ('2019'^^xsd:gYear 3) ('2021'^^xsd:gYear 1.5) }"
    asked(page, f"SELECT ?year ?n (2 * ?n AS ?m) {{ {years} }}")
    points = page.locator(".kg-chart circle")
    until(page, lambda: points.count() == 4)
    page.locator(".kg-chart select").nth(1).select_option("m")
    until(page, lambda: points.count() == 2)
    asked(page, "SELECT ?x { VALUES ?x { 'no' 'number' } }")
    page.wait_for_selector(ROWS)  # what cannot be drawn is a table
    assert said == []


def test_a_link_opens_the_query_and_says_nothing_about_where_it_is_sent(
    page: Page, address: str, said: list[str]
) -> None:
    opened(page, address)
    asked(page, f"{COUNTS} # a ; b & c + d")
    page.wait_for_selector(ROWS)
    page.locator(".tabPanel.active .select_chart").click()
    page.locator(".tabPanel.active .yasqe_share").click()
    link = page.input_value(".yasqe_sharePopup input")
    assert link.partition("?")[0] == f"{address}/editor"
    assert parse_qsl(link.partition("?")[2]) == [
        ("query", f"{COUNTS} # a ; b & c + d"),
        ("outputFormat", "chart"),
    ]
    page.goto(f"{link}&endpoint=https://example.org/sparql&headers=%7B%22a%22%3A%22b%22%7D")
    page.wait_for_selector(".tabPanel.active .kg-chart rect")
    assert value(page) == f"{COUNTS} # a ; b & c + d"
    assert page.locator(".tabsList .tab").count() == 1  # the one in which it was shared
    assert said == []


def test_an_example_opens_in_a_tab_of_its_own(page: Page, address: str, said: list[str]) -> None:
    opened(page, address)
    page.locator(".examples a", has_text="Things per class").click()
    page.wait_for_selector(ROWS)
    assert "Things per class" in page.inner_text(".tabsList")
    assert page.url == f"{address}/editor?"
    assert said == []


def test_what_is_wrong_with_a_query_is_said_in_the_servers_words(
    page: Page, address: str, said: list[str]
) -> None:
    opened(page, address)
    asked(page, "SELECT * { ?s ?p }")
    problem = page.locator(".tabPanel.active .errorResult [role=alert]")
    problem.wait_for()
    assert "(line 1, column 18)" in problem.inner_text()
    assert "SELECT * { ?s ?p }\n" in problem.inner_text()
    mark = page.locator(".parseErrorIcon").first
    mark.hover()
    assert (mark.get_attribute("title") or "").startswith("Expected here: ")
    assert [text for text in said if "400" not in text] == []  # Chromium's word on a refusal


def test_it_fits_a_phone_and_a_dark_screen(browser: Browser, address: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 800}, color_scheme="dark")
    page = context.new_page()
    opened(page, address, COUNTS, outputFormat="chart")
    page.locator(".tabPanel.active .kg-chart rect").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert violations(page) == []
    context.close()


def test_the_plain_form_works_without_a_script(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}/editor")
    page.fill("textarea[name=query]", "SELECT ?t { ?p a kg:Paper ; dct:title ?t } LIMIT 2")
    page.locator("form#editor button").click()
    page.wait_for_url("**/editor?query=*")
    assert page.locator("#answer table tbody tr").count() == 2
    context.close()
