"""HTML as a tree, for tests: every element must be closed where it was opened."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset({"meta", "link", "input", "br", "hr", "img", "line", "path", "circle"})


@dataclass
class Element:
    """An element: its *name*, its *attributes*, and what stands in it."""

    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Element | str] = field(default_factory=list)

    def __iter__(self) -> Iterator[Element]:
        for child in self.children:
            if isinstance(child, Element):
                yield child
                yield from child

    def all(self, name: str, **attributes: str) -> list[Element]:
        """The elements called *name* within, with these attributes (``class_`` is one class)."""
        return [one for one in self if one.name == name and one.fits(attributes)]

    def one(self, name: str, **attributes: str) -> Element:
        (found,) = self.all(name, **attributes)
        return found

    def by_id(self, id_: str) -> Element:
        (found,) = [one for one in self if one.attributes.get("id") == id_]
        return found

    def fits(self, attributes: dict[str, str]) -> bool:
        return all(
            value in self.attributes.get("class", "").split()
            if name == "class_"
            else self.attributes.get(name.replace("_", "-")) == value
            for name, value in attributes.items()
        )

    @property
    def text(self) -> str:
        """All text within, runs of white space as one space."""
        return " ".join(self.raw.split())

    @property
    def raw(self) -> str:
        return "".join(one if isinstance(one, str) else one.raw for one in self.children)

    @property
    def links(self) -> dict[str, str]:
        """The links within: text → address."""
        return {
            one.text: one.attributes["href"] for one in self.all("a") if "href" in one.attributes
        }

    def rows(self) -> list[list[str]]:
        """The cells of the body of the first table within."""
        body = self.all("tbody")[0]
        return [
            [cell.text for cell in row.children if isinstance(cell, Element)]
            for row in body.all("tr")
        ]


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("")
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), (tag, attrs)
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag in ("circle",):  # with a title in it
            return
        assert self.open[-1].name == tag, (tag, [one.name for one in self.open])
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def parsed(html: str) -> Element:
    """Read a document; raises AssertionError where an element is not closed in its place."""
    parser = _Parser()
    parser.feed(html)
    parser.close()
    assert parser.open == [parser.root]
    return parser.root
