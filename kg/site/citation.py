"""How a paper is cited: in words, and as BibTeX."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from kg.site.facts import Facts

_SPECIAL = re.compile(r"(?<!\\)([&%#])")


def authors(paper: Facts) -> list[str]:
    """Return the names of the authors of a paper, in their order."""
    listed = sorted(paper.parts("kg:authorship"), key=lambda one: one.number("kg:position") or 0)
    names = [name for one in listed if (name := one.text("kg:authorName"))]
    return names or paper.texts("kg:firstAuthorName")


def year(paper: Facts) -> str | None:
    """Return the year in which a paper came out: of its venue, or of its date."""
    return paper.text("kg:venueYear") or (paper.text("dct:issued") or "")[:4] or None


def in_words(paper: Facts) -> str | None:
    """Return the line by which a paper is cited, or None for one without a title."""
    title = paper.text("dct:title")
    if title is None:
        return None
    names = authors(paper)
    listed = _listed(names) if paper.parts("kg:authorship") or not names else f"{names[0]} et al."
    arxiv = paper.text("kg:arxivId")
    title = title.strip().rstrip(".")
    return " ".join(
        part
        for part in (
            f"{listed.rstrip('.')}." if listed else "",
            title if title.endswith(("?", "!")) else f"{title}.",
            " ".join(filter(None, (paper.text("kg:venue"), year(paper)))) + ".",
            f"arXiv:{arxiv}." if arxiv else "",
        )
        if part not in ("", ".")
    )


def bibtex(paper: Facts) -> str | None:
    """Return the BibTeX entry of a paper, or None for one without a title or an author."""
    title, names = paper.text("dct:title"), authors(paper)
    if title is None or not names:
        return None
    venue, arxiv = paper.text("kg:venue"), paper.text("kg:arxivId")
    fields = {
        "title": f"{{{_escaped(title)}}}",
        "author": _escaped(" and ".join(names)),
        "booktitle": _escaped(venue) if venue else None,
        "year": year(paper),
        "doi": paper.text("bibo:doi"),
        "eprint": arxiv,
        "archiveprefix": "arXiv" if arxiv else None,
        "url": paper.iri_of("kg:abstractPage"),
    }
    kind = "inproceedings" if venue else "misc"
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@{kind}{{{_key(names[0], year(paper), title)},", *lines, "}"])


def _key(author: str, issued: str | None, title: str) -> str:
    words = re.findall(r"[a-z0-9]+", _plain(title)) or ["paper"]
    word = next((one for one in words if len(one) > 3), words[0])
    family = (
        re.sub(r"[^a-z0-9]", "", _plain(author.rsplit(maxsplit=1)[-1])) if author.split() else ""
    )
    return f"{family or 'anon'}{issued or ''}{word}"


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()


def _escaped(text: str) -> str:
    """Return *text* as BibTeX takes it: in one line, its special characters escaped."""
    text = _SPECIAL.sub(r"\\\1", " ".join(text.split()))
    # What is not balanced would end the field, or never end it.
    balanced = text.count("{") == text.count("}")
    return text if balanced else text.replace("{", "").replace("}", "")


def _listed(names: Sequence[str]) -> str:
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
