"""The page of a repository."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from kg.site import wording
from kg.site.facts import Facts
from kg.site.page import Page
from kg.site.things import lists
from kg.site.things.further import statements
from kg.site.things.identifiers import identifiers
from kg.site.things.samples import in_order, row
from kg.site.view import Link, View

SHOWN: Final = ("foaf:page", "rdfs:seeAlso", "schema:sameAs", "owl:sameAs")


@dataclass(frozen=True, slots=True)
class RepoPaper:
    """A paper that is linked to the repository, and what its link says."""

    paper: lists.PaperRow
    is_official: bool | None
    is_in_paper: bool | None
    framework: tuple[Link, ...]


def page(thing: Facts, view: View, address: str, given: Mapping[str, str]) -> Page:
    """Return the page of a repository: the papers, datasets and samples that it serves."""
    papers, has_more_papers = _papers(thing.iri, view)
    found, has_more_samples = lists.some(f"?thing kg:repo <{thing.iri}> ; a kg:Sample", view, 100)
    excerpt = view.said(found)
    loaders, _ = lists.some(f"?thing kg:dataLoader/kg:repo <{thing.iri}>", view)
    name = view.name(thing.iri)
    return Page(
        name,
        "repo.html",
        {
            "pages": [view.link(iri, iri.partition("//")[2]) for iri in thing.iris("foaf:page")],
            "papers": papers,
            "has_more_papers": has_more_papers,
            "samples": in_order(row(excerpt.of(iri), view) for iri in found),
            "has_more_samples": has_more_samples,
            "datasets": view.links(loaders),
            "identifiers": identifiers(thing, view),
            "further": statements(thing, view, SHOWN),
        },
        summary=f"{name}: linked to {wording.count(len(papers), 'paper')}.",
        iri=thing.iri,
    )


def _papers(iri: str, view: View) -> tuple[list[RepoPaper], bool]:
    """Return the papers that link a repository, those of which it is the official one first."""
    rows = view.rows(
        f"""SELECT ?link ?paper {{
          {{ SELECT ?link {{ ?link kg:repo <{iri}> ; a kg:CodeLink }} LIMIT {lists.SHOWN + 1} }}
          ?paper kg:codeLink ?link
        }}"""
    )
    links = {row["link"].value: row["paper"].value for row in rows}
    excerpt = view.said(list(links), "kg:isOfficial", "kg:mentionedInPaper", "kg:framework")
    shown = {
        row.paper.href: row for row in lists.paper_rows(list(dict.fromkeys(links.values())), view)
    }
    found = [
        RepoPaper(
            shown[view.addresses.href(paper)],
            excerpt.of(link).flag("kg:isOfficial"),
            excerpt.of(link).flag("kg:mentionedInPaper"),
            tuple(view.links(excerpt.of(link).iris("kg:framework"))),
        )
        for link, paper in links.items()
    ]
    found.sort(key=lambda one: (one.is_official is not True, one.paper.paper.text.casefold()))
    return found[: lists.SHOWN], len(links) > lists.SHOWN
