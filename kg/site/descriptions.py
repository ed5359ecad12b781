"""The description of a thing as its page shows it."""

from __future__ import annotations

from typing import Final

from markupsafe import Markup

from kg.site import markdown, wording
from kg.site.facts import Facts
from kg.site.view import View

_KINDS: Final = {
    "paper": "paper",
    "dataset": "dataset",
    "task": "task",
    "method": "method",
    "sota": "leaderboard",
}
"""First segments of the pages of the site that the records are from → of our IRIs."""


def described(thing: Facts, view: View) -> Markup:
    """Return the description of a thing, which is Markdown, as HTML; empty where there is none."""
    texts = thing.texts("dct:description")
    return Markup("\n").join(markdown.html(text, lambda href: target(href, view)) for text in texts)


def summary(thing: Facts) -> str:
    """Return the beginning of the description of a thing, in words."""
    text = thing.text("dct:description") or ""
    return wording.shorter(markdown.words(text), 200)


def target(href: str, view: View) -> str | None:
    """Return where a link in a description leads.

    A path is one of the site that the record is from: it leads to the page of that thing here, if
    the graph has it. An address elsewhere is kept; all else is left out.
    """
    if href.startswith(("https://", "http://")):
        return href
    _, _, rest = href.partition("/")
    kind, _, slug = rest.partition("/")
    if not href.startswith("/") or kind not in _KINDS:
        return None
    path = f"/{_KINDS[kind]}/{slug.partition('#')[0].partition('?')[0].rstrip('/')}"
    found = any(view.has(iri) for iri in view.addresses.iris(path))
    return view.addresses.here(path) if found else None
