"""From a page to bytes: the templates, and the headers with which a page is sent."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from kg.protocol import Response, entity_tag
from kg.site import static, wording
from kg.site.page import Page

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""What a page may do: nothing but show itself and ask its own server."""

_TEMPLATES: Final = Path(__file__).with_name("templates")
_HEADERS: Final = {
    "Vary": "Accept",
    "Cache-Control": "no-cache",
    "Referrer-Policy": "same-origin",
}


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands around every page of one server.

    *prefix* is the path below which the server is found, *root* its address. *snapshot* is what is
    served, of *created*. *has_editor* says that the query editor is installed.
    """

    prefix: str
    root: str
    base: str
    snapshot: str
    created: str | None
    has_editor: bool = False

    def here(self, path: str) -> str:
        """Return the address of a path of this server, as a page links to it."""
        return f"{self.prefix}{path}"

    def file(self, name: str) -> str:
        """Return the address of a static file, another one for other contents."""
        return self.here(static.address(name))


def rendered(
    page: Page, frame: Frame, *, policy: str = POLICY, headers: Mapping[str, str] | None = None
) -> Response:
    """Return the response that *page* is, in its *frame*; *headers* are added."""
    template = _environment().get_template(page.template)
    text = template.render(page=page, frame=frame, **page.values)
    content = text.encode("utf-8", "replace")
    known = {**_HEADERS, "Content-Security-Policy": policy}
    if page.status == 200:
        known["ETag"] = entity_tag(content)
    else:
        known["Cache-Control"] = "no-store"
    return Response.of(
        content,
        "text/html; charset=utf-8",
        status=page.status,
        headers={**known, **(headers or {})},
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters |= {
        "day": wording.day,
        "shorter": wording.shorter,
        "json": _embedded,
        "count": wording.count,
    }
    return environment


def _embedded(value: object) -> Markup:
    """Return JSON that can stand in a script element (HTML, section 4.12.1.3)."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)  # noqa: S704 - nothing is left in it that HTML reads as markup
