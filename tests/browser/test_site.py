"""The ways of a reader through the site, in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.browser.conftest import NOTHING

Visit = Callable[..., Any]

SQUAD = "/leaderboard/question-answering-on-squad11-dev"
EXAMPLE = "/paper/example-paper-a-tiny-transformer-for-n-geq-3"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
PAGES = (
    *(
        "/",
        "/papers",
        "/leaderboards",
        "/datasets",
        "/queries",
        "/api",
        "/ns",
        "/vocab/sample-status",
    ),
    *(SQUAD, EXAMPLE, "/dataset/squad", "/task/question-answering", "/method/transformer"),
    *("/queries/leaderboard?leaderboard=question-answering-on-squad11-dev", "/search?q=bert"),
    *("/repo/github.com/tensorflow/tensor2tensor", "/papers?task=question-answering", NOTHING),
)


def test_from_the_first_page_to_a_samples_status(visit: Visit) -> None:
    page = visit().open("/")
    page.get_by_role("link", name="Question Answering on SQuAD1.1 dev", exact=True).click()
    assert page.locator("h1").inner_text() == "Question Answering on SQuAD1.1 dev"
    assert page.locator("svg circle").count() == 6
    page.get_by_role("link", name="BERT: Pre-training of Deep").click()
    page.locator("#samples tbody a").first.click()
    assert page.locator(".big-status .status").is_visible()
    assert "nothing about a paper" in page.locator("#status").inner_text()


def test_the_metric_of_a_leaderboard_is_chosen_by_a_link(visit: Visit) -> None:
    page = visit().open(SQUAD)
    page.get_by_label("Metric").get_by_role("link", name="F1").click()
    assert parse_qs(urlsplit(page.url).query) == {"metric": ["F1"]}
    assert page.locator("th.chosen").inner_text() == "F1"


def test_a_form_gives_an_address_that_can_be_shared(visit: Visit) -> None:
    watched = visit()
    page = watched.open("/queries/leaderboard")
    page.get_by_label("leaderboard").fill("question-answering-on-squad11-dev")
    page.get_by_label("metric").fill("EM")
    page.get_by_role("button", name="Ask").click()
    page.wait_for_selector("#answer")
    assert set(parse_qs(urlsplit(page.url).query)) == {"leaderboard", "metric"}
    rows = page.locator("#answer tbody tr").all_inner_texts()
    shared = watched.open(page.url.removeprefix(watched.address))
    assert shared.locator("#answer tbody tr").all_inner_texts() == rows
    assert len(rows) == 6


def test_names_are_suggested_while_they_are_typed(visit: Visit) -> None:
    page = visit().open("/")
    page.get_by_label("Name of a paper").press_sequentially("attention is")
    page.wait_for_selector("#q-list option", state="attached")
    assert (
        page.locator("#q-list option").first.get_attribute("value") == "Attention Is All You Need"
    )
    page.get_by_label("Name of a paper").press("Enter")
    page.get_by_role("link", name="Attention Is All You Need").click()
    assert page.locator("h1").inner_text() == "Attention Is All You Need"


def test_the_interface_for_programs_shows_its_answers_in_place(visit: Visit) -> None:
    page = visit().open("/api#class-counts")
    page.locator("#class-counts summary").click()
    page.locator("#class-counts select[name=format]").select_option("csv")
    page.locator("#class-counts button").click()
    page.wait_for_selector("#class-counts .reply")
    assert "text/csv" in page.locator("#class-counts .reply").inner_text()


def test_all_of_it_works_without_scripts(visit: Visit) -> None:
    page = visit(java_script_enabled=False).open("/queries/paper-code")
    page.get_by_label("paper").fill("attention-is-all-you-need")
    page.get_by_role("button", name="Ask").click()
    assert page.locator("#answer tbody tr").count() == 5
    assert urlsplit(page.url).query == "paper=attention-is-all-you-need"
    page.get_by_label("Search by name").fill("squad")
    page.get_by_label("Search by name").press("Enter")
    assert page.locator(".found li").count() >= 1


@pytest.mark.parametrize(("path", "made"), [("/", ".copy"), ("/editor", ".yasqe")])
def test_a_page_that_is_known_already_still_has_its_style_and_its_script(
    visit: Visit, path: str, made: str
) -> None:
    page = visit().open(path)
    if path == "/editor" and not page.locator("script[src*='/editor/']").count():
        pytest.skip("needs the query editor, which could not be bundled where this was installed")
    page.wait_for_selector(made)
    family = "getComputedStyle(document.querySelector('h1')).fontFamily"
    styled = page.evaluate(family)
    assert "serif" in styled
    asked: list[Any] = []
    page.on("request", lambda request: asked.append(request))  # noqa: PLW0108 - no builtin can be one
    page.reload()
    (again,) = [one for one in asked if one.is_navigation_request()]
    assert "if-none-match" in again.all_headers()
    page.wait_for_selector(made)
    assert page.evaluate(family) == styled


def test_it_can_be_read_by_keyboard(visit: Visit) -> None:
    page = visit().open(EXAMPLE)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to content"
    page.keyboard.press("Enter")
    assert urlsplit(page.url).fragment == "main"


def test_no_page_is_wider_than_a_phone(visit: Visit) -> None:
    watched = visit(**PHONE)
    for path in PAGES:
        page = watched.open(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path
        page.close()


def test_dark_and_light_follow_the_reader(visit: Visit) -> None:
    ground = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)"
    light = visit(color_scheme="light").open("/").evaluate(ground)
    dark = visit(color_scheme="dark").open("/").evaluate(ground)
    assert min(light) > 200
    assert max(dark) < 60


def test_on_paper_there_is_the_text_alone(visit: Visit) -> None:
    page = visit().open(EXAMPLE)
    page.emulate_media(media="print")
    assert not page.locator("nav").first.is_visible()
    assert page.locator("#samples").is_visible()
    assert len(page.pdf()) > 10_000


@pytest.mark.parametrize("path", PAGES)
def test_no_page_keeps_anybody_out(visit: Visit, path: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe").Axe()
    page = visit(color_scheme="light").open(path)
    found = axe.run(page).response["violations"]
    page.emulate_media(color_scheme="dark")
    contrast = {"runOnly": ["color-contrast"]}
    found += axe.run(page, options=contrast).response["violations"]
    assert [(one["id"], [node["html"][:200] for node in one["nodes"]][:3]) for one in found] == []
