"""What rows of the Papers with Code dumps have in common: their source record, papers, links."""

from __future__ import annotations

from typing import Final

from kg import arxiv, dois, licences
from kg.findings import FindingKind
from kg.iris import key
from kg.mapper.draft import Draft, Node, node
from kg.records.archive_parts import SITE, Link

PWC: Final = "pwc"
ARCHIVE: Final = "Papers with Code archive"
LICENCE: Final = "CC BY-SA 4.0"
ATTRIBUTION: Final = f"{SITE}/about"
NON_AFFILIATION: Final = "paperkg is not affiliated with or endorsed by Papers with Code or Meta."
PLACEHOLDER_YEAR: Final = "2000"
"""The year that the archive gives methods whose year nobody entered (97 % of them)."""


def archive_record(draft: Draft, kind: str, name: str, page: str | None) -> Node:
    """Return the source record of a row; its licence and attribution are those of the archive."""
    return node(
        draft.minter.record(PWC, kind, name),
        "Record",
        site=SITE,
        licence=LICENCE,
        licence_url=licences.KNOWN_NAMES[LICENCE],
        attribution=ATTRIBUTION,
        non_affiliation=NON_AFFILIATION,
        archive=ARCHIVE,
        **(draft.places({"url": (page, "url")}, SITE) if page else {}),
    )


def unknown_paper_key(url: str | None, arxiv_id: str | None = None) -> str:
    """Return the key of a paper that no record describes; ``-`` where nothing names it."""
    for text in (arxiv_id, url):
        if text and (parsed := arxiv.parse(text)):
            return f"arxiv-{parsed.id}"
    if url and (doi := dois.parse(url)):
        return f"doi-{doi.key}"
    named = url or arxiv_id
    return key(named) if named else "-"


def introduced_by(draft: Draft, thing: Node, link: Link | None, field: str) -> list[Node]:
    """Return the paper that introduces *thing*, or say on the thing itself what names it."""
    if link is None:
        return []
    slug = draft.known_paper(link.url) if link.url else None
    if slug is not None:
        return [draft.thing("paper", slug, title=link.title, introduces=thing["@id"])]
    merge(thing, draft.places({"introduced_by_url": (link.url, f"{field}.url")}, SITE))
    if link.title is not None:
        thing["introduced_by_title"] = link.title
    return []


def merge(thing: Node, values: Node) -> None:
    """Add values to a node; texts that are no address join those that it has."""
    raw = [*_listed(thing.get("raw_url")), *_listed(values.get("raw_url"))]
    thing |= values
    if raw:
        thing["raw_url"] = raw


def introduced_year(draft: Draft, year: str | None, field: str) -> Node:
    """Return the year of a method, unless it is the placeholder of the archive."""
    if year is None or year == PLACEHOLDER_YEAR:
        return {}
    if len(year) == 4:
        return {"introduced_year": year}
    draft.note(FindingKind.ODD_VALUE, field, f"{year!r} is no year; kept as text")
    return {"raw_date": year}


def pages(draft: Draft, links: tuple[Link, ...], name: str, field: str) -> Node:
    """Return the pages that links lead to under *name*, called as the links call them.

    A link's text that is no address goes under ``raw_url``; a link without address is noted.
    """
    found: list[Node] = []
    raw: list[str] = []
    for link in links:
        if link.url is None:
            draft.note(FindingKind.ODD_VALUE, field, f"the link {link.title!r} has no address")
        elif iri := draft.page(link.url, f"{field}.url", SITE):
            found.append(node(iri, "Page", title=link.title))
        else:
            raw.append(link.url)
    return ({name: found} if found else {}) | ({"raw_url": raw} if raw else {})


def _listed(value: object) -> list[object]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]
