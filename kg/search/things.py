"""What has a name that a person would look for, gathered from sorted N-Triples as they go by."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from kg.namespaces import DCT, KG, RDF_TYPE, RDFS, SKOS

KINDS: Final = ("dataset", "method", "paper", "task")
"""The kinds of things that are searched, in the order of their IRIs."""

_CLASSES: Final = {f"<{KG}{kind.capitalize()}> .".encode(): kind for kind in KINDS}
_TYPE: Final = f"<{RDF_TYPE}>".encode()
_AUTHOR: Final = f"<{KG}authorName>".encode()
_FIRST: Final = b"#author-1>"
_FACTS: Final = {
    f"<{iri}>".encode(): fact
    for iri, fact in (
        (DCT + "title", "name"),
        (RDFS + "label", "name"),
        (KG + "slug", "slug"),
        (KG + "fullName", "full name"),
        (KG + "variantName", "other"),
        (SKOS + "altLabel", "other"),
        (KG + "arxivId", "arXiv"),
        (KG + "authorship", "authorship"),
        (KG + "venue", "venue"),
        (KG + "venueYear", "venue year"),
        (KG + "introducedYear", "year"),
        (DCT + "issued", "year"),
    )
}
_YEAR: Final = re.compile(r"[0-9]{4}(?![0-9])", re.ASCII)
_ESCAPE: Final = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_ESCAPED: Final = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing that is found by name.

    *name* is what it is called first of all, *others* are its further names and *keys* what it is
    found by as a whole only (its slug, its arXiv identifier). *detail* is what tells it from others
    of its name.
    """

    kind: str
    iri: str
    name: str
    slug: str | None
    detail: str
    others: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()


@dataclass(slots=True)
class Things:
    """Gathers the things of sorted triples; it holds the facts about one subject.

    A thing is what has one of the classes, wherever its IRI stands. First authors are held until
    their paper comes, a few lines later.
    """

    _subject: bytes = b""
    _kind: str | None = None
    _facts: dict[str, list[bytes]] = field(default_factory=dict)
    _first_authors: dict[bytes, bytes] = field(default_factory=dict)

    def scan(self, parts: Iterable[Sequence[bytes]]) -> list[Thing]:
        """Return the things that are complete with the next triples.

        They are given as subject, predicate and the rest of the line of each.
        """
        found: list[Thing] = []
        facts, subject = _FACTS, self._subject
        for node, predicate, rest in parts:
            fact = facts.get(predicate)
            if fact is None and predicate != _TYPE:
                if predicate == _AUTHOR and node.endswith(_FIRST):
                    self._first_authors[node.removesuffix(_FIRST)] = rest
                continue
            if node != subject:
                found += self.end()
                self._subject = subject = node
            if fact is not None:
                self._facts.setdefault(fact, []).append(rest)
            elif rest in _CLASSES:
                self._kind = self._kind or _CLASSES[rest]
        return found

    def end(self) -> list[Thing]:
        """Return the thing whose lines came last, if they were one's; no more of them come."""
        kind, self._kind = self._kind, None
        facts, self._facts = self._facts, {}
        if kind is None:
            return []
        thing = _thing(kind, self._subject, facts, self._first_authors.pop(self._subject[:-1], b""))
        return [thing] if thing is not None else []


def _thing(
    kind: str, subject: bytes, facts: dict[str, list[bytes]], first_author: bytes
) -> Thing | None:
    """Return a thing, or None where it has no name at all."""
    texts = {fact: [_text(rest) for rest in values] for fact, values in facts.items()}
    slug = next(iter(texts.get("slug", ())), None)
    identifiers = [f"arXiv:{text}" for text in texts.get("arXiv", ())]
    named = [
        name
        for fact in ("name", "full name", "other")
        for name in texts.get(fact, ())
        if name.strip()
    ]
    named = named or [slug or "", *identifiers]
    names = [*dict.fromkeys(filter(None, named))]
    if not names or not subject.startswith(b"<"):
        return None
    authors = len(texts.get("authorship", ()))
    return Thing(
        kind,
        subject[1:-1].decode("utf-8"),
        names[0],
        slug,
        " · ".join(_detail(kind, names[0], texts, _author(first_author, authors))),
        tuple(names[1:]),
        (*filter(None, [slug]), *texts.get("arXiv", ()), *identifiers),
    )


def _detail(kind: str, name: str, texts: dict[str, list[str]], author: str) -> Iterator[str]:
    """Yield what tells a thing from others of its name."""
    years = map(_YEAR.match, texts.get("year", ()))
    year = next((match[0] for match in years if match), "")
    if kind == "paper":
        venue = next(iter(texts.get("venue", ())), "")
        if venue:
            year = next(iter(texts.get("venue year", ())), year)
        yield from filter(None, (author, f"{venue} {year}".strip()))
    else:
        full = next((text for text in texts.get("full name", ()) if text != name), "")
        yield from filter(None, (full, year))


def _author(rest: bytes, number: int) -> str:
    name = _text(rest) if rest else ""
    return f"{name} et al." if name and number > 1 else name


def _text(rest: bytes) -> str:
    """Return the text of a literal, given as the rest of its line (N-Triples, section 2.4)."""
    text = rest[1 : rest.rfind(b'"')].decode("utf-8")
    return _ESCAPE.sub(_unescaped, text) if "\\" in text else text


def _unescaped(match: re.Match[str]) -> str:
    code = match[1] or match[2]
    return chr(int(code, 16)) if code else _ESCAPED.get(match[3], match[3])
