r"""Descriptions in Markdown as HTML that is safe to show, with TeX left legible.

The text comes from strangers. Raw HTML in it is shown as text; what Markdown makes is cleaned once
more by a list of what may stand there. Pictures are left out: a page asks no other host for
anything. ``$…$``, ``$$…$$``, ``\(…\)`` and ``\[…\]`` are set aside before Markdown sees the
underscores and backslashes in them; small ones are shown as text (:mod:`kg.site.tex`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, MutableMapping, Sequence
from typing import Any, Final, TypeAlias

import nh3
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from markupsafe import Markup, escape

from kg.site import tex

Target: TypeAlias = Callable[[str], str | None]
"""Returns where a link of a description leads, or None for a link that is left out."""

_Environment: TypeAlias = MutableMapping[str, Any]

_TEX: Final = re.compile(
    r"\$\$.+?\$\$|\$(?=[^\s$])(?:\\.|[^$\\])*?(?<=[^\s\\])\$(?!\d)|\\\(.+?\\\)|\\\[.+?\\\]",
    re.DOTALL,
)
_TAGS: Final = {
    *("p", "br", "em", "strong", "s", "code", "pre", "blockquote", "hr", "ul", "ol", "li", "a"),
    *("h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td", "span", "sub", "sup"),
}
_ATTRIBUTES: Final = {"a": {"href"}, "ol": {"start"}}
_BELOW: Final = 2
"""Levels by which headings are lowered: the page's own are above them."""

_LONGEST: Final = 20_000
"""Characters beyond which a text is shown as it is: reading it as Markdown may take long."""

# \url{…} and \href{…}{…} are the TeX of abstracts that is worth more than its letters.
_URL: Final = re.compile(r"\\url\{(https?://[^{}\s]+)\}")


def html(text: str, target: Target) -> Markup:
    """Return *text*, which is Markdown, as HTML; *target* says where its links lead."""
    if len(text) > _LONGEST:
        return plain(text)
    rendered = _parser().render(text, {"target": target})
    cleaned = nh3.clean(
        rendered,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        allowed_classes={"span": {"tex", "formula"}},
        url_schemes={"http", "https", "mailto"},
        link_rel="nofollow noopener",
    )
    return Markup(cleaned)  # noqa: S704 - what nh3 has let through


def plain(text: str) -> Markup:
    r"""Return *text*, which is no Markdown, as paragraphs; an address in ``\url{}`` is a link."""
    paragraphs = []
    for paragraph in re.split(r"\r?\n\s*\r?\n", text.strip()):
        shown, end = Markup(""), 0
        for match in _URL.finditer(paragraph):
            shown += escape(paragraph[end : match.start()])
            shown += Markup('<a href="{0}" rel="nofollow noopener">{0}</a>').format(match[1])
            end = match.end()
        paragraphs.append(Markup("<p>{}</p>").format(shown + escape(paragraph[end:])))
    return Markup("\n").join(paragraphs)


def words(text: str) -> str:
    """Return Markdown as words alone, on one line: for a summary in another page."""
    bare = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    bare = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", bare)
    return " ".join(
        re.sub(r"(?m)^\s{0,3}(?:#+|>|[-*+])\s+|[*`]+|(?<!\w)_+|_+(?!\w)", "", bare).split()
    )


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    parser.inline.ruler.before("escape", "tex", _tex)
    parser.add_render_rule("tex", _render_tex)
    parser.add_render_rule("image", _render_image)
    parser.core.ruler.push("own", _adapt)
    return parser


def _tex(state: StateInline, silent: bool) -> bool:
    match = _TEX.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    if not silent:
        state.push("tex", "span", 0).content = match[0]
    state.pos = match.end()
    return True


def _render_tex(
    _: RendererHTML, tokens: Sequence[Token], index: int, __: OptionsDict, ___: _Environment
) -> str:
    written = tokens[index].content
    shown = tex.shown(written)
    kind = "tex" if shown is None else "formula"
    return str(Markup('<span class="{}">{}</span>').format(kind, shown or written))


def _render_image(
    _: RendererHTML, tokens: Sequence[Token], index: int, __: OptionsDict, ___: _Environment
) -> str:
    return str(escape(tokens[index].content))


def _adapt(state: StateCore) -> None:
    """Lower the headings, and lead the links to where they are to lead."""
    for block in state.tokens:
        if block.type in ("heading_open", "heading_close"):
            block.tag = f"h{min(6, int(block.tag[1:]) + _BELOW)}"
        if block.children is not None:
            block.children = list(_led(block.children, state.env["target"]))


def _led(tokens: Sequence[Token], target: Target) -> Iterator[Token]:
    """Yield *tokens*, their links led to their targets; one without leaves its words."""
    kept: list[bool] = []  # of the links that are open, whether each is kept
    for token in tokens:
        if token.type == "link_open":
            address = target(str(token.attrGet("href") or ""))
            kept.append(address is not None)
            token.attrs = {"href": address or ""}
        is_kept = token.type not in ("link_open", "link_close") or kept[-1]
        if token.type == "link_close":
            kept.pop()
        if is_kept:
            yield token
