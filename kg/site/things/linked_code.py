"""The code of a paper: the repositories that are linked to it."""

from __future__ import annotations

from dataclasses import dataclass

from kg.site.facts import Facts
from kg.site.view import Link, View


@dataclass(frozen=True, slots=True)
class CodeRow:
    """One repository linked to a paper; what nobody says is None, which is not no.

    *anchor* is the fragment of the link, *pages* where the repository stands.
    """

    repo: Link
    pages: tuple[Link, ...]
    anchor: str | None
    is_official: bool | None
    is_in_paper: bool | None
    is_in_repo: bool | None
    framework: tuple[Link, ...]
    licence: tuple[Link, ...]
    reach: tuple[Link, ...]
    paths: tuple[str, ...]


def code_rows(thing: Facts, view: View) -> list[CodeRow]:
    """Return the code of a paper: official first, then what the paper mentions."""
    links = thing.parts("kg:codeLink")
    repos = view.said([iri for link in links for iri in link.iris("kg:repo")])
    rows = []
    for link in links:
        repo = link.iri_of("kg:repo")
        pages = repos.of(repo).iris("foaf:page") if repo else []
        shown = view.link(repo) if repo else Link(link.text("kg:url") or "address", None)
        rows.append(
            CodeRow(
                shown,
                tuple(view.link(page, "visit") for page in pages),
                link.iri.partition("#")[2] or None,
                link.flag("kg:isOfficial"),
                link.flag("kg:mentionedInPaper"),
                link.flag("kg:mentionedInRepo"),
                tuple(view.links(link.iris("kg:framework"))),
                tuple(view.links(link.iris("dct:license"))),
                tuple(view.links(link.iris("kg:reach"))),
                tuple(link.texts("kg:repoPath")),
            )
        )
    return sorted(
        rows,
        key=lambda row: (row.is_official is not True, row.is_in_paper is not True, row.repo.text),
    )
