"""A real browser on the pages of the sample records; without one the tests are skipped."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import pytest

from kg import builder, resources
from kg.server import Application
from tests.server.serving import served

NOTHING = "/nothing"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@dataclass
class Watched:
    """Pages of a browser, watched: every complaint and every request to another server counts."""

    context: Any
    address: str
    complaints: list[str] = field(default_factory=list)

    def open(self, path: str) -> Any:
        """Open a page of the site."""
        page = self.context.new_page()
        page.set_default_timeout(20_000)
        page.on("console", self._said)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self._asked(request.url))
        page.goto(self.address + path)
        return page

    def _said(self, message: Any) -> None:
        # That there is no page is said of an address that asks for none.
        is_expected = message.location["url"] == f"{self.address}{NOTHING}"
        if message.type in ("error", "warning") and not is_expected:
            self.complaints.append(f"{message.type}: {message.text}")

    def _asked(self, url: str) -> None:
        if urlsplit(url).scheme in ("http", "https", "ws", "wss") and not url.startswith(
            self.address
        ):
            self.complaints.append(f"a request to {url}")


@pytest.fixture(scope="package")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address at which the site of the sample records is served."""
    folder = tmp_path_factory.mktemp("browser") / "store"
    builder.build([str(resources.samples())], folder)
    with served(Application.of(folder)) as found:
        yield found


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    """A headless Chromium."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip(f"needs a browser: none of {', '.join(NAMES)} is installed")
    with playwright.sync_playwright() as started:
        # Its own sandbox needs rights that a container does not give; the pages are our own.
        browser = started.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def visit(browser: Any, address: str) -> Iterator[Any]:
    """A function that opens a context of the browser with some settings, watched."""
    opened: list[Watched] = []

    def make(**settings: Any) -> Watched:
        watched = Watched(browser.new_context(**settings), address)
        opened.append(watched)
        return watched

    yield make
    for watched in opened:
        watched.context.close()
        assert watched.complaints == []
