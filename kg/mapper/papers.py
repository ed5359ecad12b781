"""What a record says of a paper: its authors, where it was published, its identifiers."""

from __future__ import annotations

from kg import arxiv, dois, venues
from kg.findings import FindingKind
from kg.mapper.draft import Draft, Node, node, node_values


def authorships(paper: str, names: tuple[str, ...]) -> list[Node]:
    """Return the authorships of a paper in the order of its *names*; the first has position 1."""
    return [
        node(f"{paper}#author-{n}", "Authorship", position=str(n), name=name)
        for n, name in enumerate(names, start=1)
    ]


def published(proceeding: str | None) -> Node:
    """Return venue, year and month of a proceeding; nothing where it does not read as them."""
    venue = venues.parse(proceeding or "")
    if venue is None:
        return {}
    return node_values({"venue": venue.name, "venue_year": venue.year, "venue_month": venue.month})


def identify(draft: Draft, paper: Node, text: str | None, page: str | None, field: str) -> None:
    """Add the identifiers that need no look-up: arXiv, DOI, and the pages that follow from them.

    *text* is the arXiv identifier at the key path *field*; the version is its own, or that of the
    abstract *page*, where that is a page of the same paper. The DOI is that of arXiv, and one that
    the abstract page is.
    """
    other = arxiv.parse(page or "")
    doi = dois.parse(page or "") if other is None else None
    if doi is not None:
        paper |= {"doi": doi.id, "same_as": doi.iri}
    if text is None:
        return
    parsed = arxiv.parse(text)
    if parsed is None:
        draft.note(FindingKind.ODD_VALUE, field, f"{text!r} is no arXiv identifier")
        paper["raw_arxiv_id"] = text
        return
    version = parsed.version or (other.version if other and other.id == parsed.id else None)
    if version is not None:
        paper["arxiv_version"] = version
    paper["arxiv_id"] = parsed.id
    paper["doi"] = [parsed.doi, *([doi.id] if doi else [])]
    paper["same_as"] = [parsed.iri, parsed.doi_iri, *([doi.iri] if doi else [])]
    links = [
        f"https://huggingface.co/papers/{parsed.id}",
        f"https://api.semanticscholar.org/arXiv:{parsed.id}",
    ]
    known = paper.get("see_also")
    paper["see_also"] = [known, *links] if known else links
