"""The page of a dataset."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from kg.site import citation, schema_org, wording
from kg.site.descriptions import described, summary
from kg.site.facts import Facts
from kg.site.page import Page
from kg.site.things import lists
from kg.site.things.further import statements
from kg.site.things.identifiers import identifiers
from kg.site.things.origin import origins
from kg.site.things.related import Related, related
from kg.site.view import Link, View

SHOWN: Final = (
    *("rdfs:label", "kg:fullName", "dct:description", "kg:shortDescription", "dct:license"),
    "dct:rights",
    *("kg:descriptionWithheld", "dcat:landingPage", "kg:modality", "kg:language", "kg:task"),
    *("kg:variantName", "kg:dataLoader", "kg:paperCount", "dct:issued", "kg:issuedNote"),
    *("kg:introducedByTitle", "kg:introducedByPage", "kg:introducedByFirstAuthor", "foaf:page"),
    *("rdfs:seeAlso", "schema:sameAs", "owl:sameAs", "skos:exactMatch", "kg:subdatasetOf"),
)
_TOTALS: Final = (
    ("papers with samples", "kg:papersWithSamples"),
    ("samples harvested", "kg:samplesHarvested"),
    ("samples that ran", "kg:samplesRan"),
    ("samples not verified", "kg:samplesUnverified"),
    ("samples only pointed at", "kg:pointerOnlyCount"),
    ("papers with no sample that ran", "kg:papersWithNoSampleThatRan"),
)


@dataclass(frozen=True, slots=True)
class Loader:
    """Code that loads the dataset."""

    repo: Link
    page: Link
    frameworks: tuple[Link, ...]
    anchor: str | None


def page(thing: Facts, view: View, address: str, given: Mapping[str, str]) -> Page:
    """Return the page of a dataset, which has the *address*."""
    boards = related("leaderboard", "dataset", thing.iri, view)
    introducing, _ = lists.some(f"?thing kg:introduces <{thing.iri}> ; a kg:Paper", view)
    papers = related("paper", "dataset", thing.iri, view)
    within = related("dataset", "dataset", thing.iri, view)
    introduced_by = _with_authors(introducing, view)
    cited = citation.in_words(introduced_by[0]) if introduced_by else None
    name = view.name(thing.iri)
    return Page(
        name,
        "dataset.html",
        {
            "meta": _meta(thing, boards),
            "full_name": thing.text("kg:fullName") if thing.text("kg:fullName") != name else None,
            "description": described(thing, view),
            "short": thing.text("kg:shortDescription"),
            "withheld": thing.texts("kg:descriptionWithheld"),
            "homepages": [
                view.link(iri, wording.shorter(iri.partition("//")[2], 60))
                for iri in thing.iris("dcat:landingPage")
            ],
            "licences": _licences(thing, view),
            "modalities": view.links(thing.iris("kg:modality")),
            "languages": view.links(thing.iris("kg:language")),
            "tasks": view.links(thing.iris("kg:task")),
            "variants": [text for text in thing.texts("kg:variantName") if text != name],
            "parents": view.links(thing.iris("kg:subdatasetOf")),
            "within": within,
            "within_links": view.links(within.iris),
            "introduced_notes": thing.texts("kg:issuedNote"),
            "introduced_by": view.links(introducing) or _introduced_elsewhere(thing, view),
            "first_author": _first_author(thing, introduced_by),
            "loaders": [_loader(part, view) for part in thing.parts("kg:dataLoader")],
            "boards": boards,
            "board_rows": lists.board_rows(boards.iris, view),
            "papers": papers,
            "paper_rows": lists.paper_rows(papers.iris, view),
            "totals": _totals(thing, view),
            "pages": [view.link(iri, wording.host(iri)) for iri in thing.iris("foaf:page")],
            "identifiers": identifiers(thing, view),
            "records": origins(thing, view),
            "citation": cited,
            "further": statements(thing, view, SHOWN),
        },
        summary=summary(thing) or f"{name}: a dataset with {boards.counted}.",
        json_ld=schema_org.dataset(thing, view, address, introduced_by, cited),
        iri=thing.iri,
    )


def _meta(thing: Facts, boards: Related) -> list[str]:
    papers = thing.number("kg:paperCount")
    return [
        *(f"introduced {wording.day(text)}" for text in thing.texts("dct:issued")),
        *([f"{wording.count(papers, 'paper')} in the archive"] if papers is not None else []),
        *([boards.counted] if boards.count else []),
    ]


def _with_authors(iris: list[str], view: View) -> list[Facts]:
    """Return what is said of papers, as far as they are cited, and of their authorships."""
    cited = ("dct:title", "dct:issued", "kg:venue", "kg:venueYear", "kg:arxivId", "kg:authorship")
    papers = view.said(iris, *cited, "kg:firstAuthorName")
    authorships = [one for iri in iris for one in papers.of(iri).iris("kg:authorship")]
    papers.add(view.triples(authorships))
    return [papers.of(iri) for iri in iris]


def _licences(thing: Facts, view: View) -> list[Link]:
    """Return the licences: a name leads to the text, where the record says where that is."""
    found = [
        view.link(one.iri_of("foaf:page") or one.iri, one.text("rdfs:label"))
        for one in thing.parts("dct:license")
    ]
    named = {link.text for link in found}
    return found + [Link(text, None) for text in thing.texts("dct:rights") if text not in named]


def _introduced_elsewhere(thing: Facts, view: View) -> list[Link]:
    """Return the paper that a record tells of by its title, which the graph does not have."""
    page_ = thing.iri_of("kg:introducedByPage")
    return [
        view.link(page_, title) if page_ else Link(title, None)
        for title in thing.texts("kg:introducedByTitle")
    ]


def _first_author(thing: Facts, papers: list[Facts]) -> str | None:
    names = [name for paper in papers for name in citation.authors(paper)[:1]]
    return next(iter([*names, *thing.texts("kg:introducedByFirstAuthor")]), None)


def _loader(loader: Facts, view: View) -> Loader:
    repo, address = loader.iri_of("kg:repo"), loader.iri_of("foaf:page")
    given = loader.text("kg:url") or (address or "")
    return Loader(
        view.link(repo) if repo else Link("", None),
        view.link(address, wording.shorter(address.partition("//")[2], 70))
        if address
        else Link(given, None),
        tuple(view.links(loader.iris("kg:framework"))),
        loader.iri.partition("#")[2] or None,
    )


def _totals(thing: Facts, view: View) -> list[tuple[str, int]]:
    """Return what Syntology's record counts of the samples of the dataset's papers."""
    iris = thing.iris("prov:wasDerivedFrom")
    excerpt = view.said(iris, *(property_ for _, property_ in _TOTALS))
    return [
        (words, number)
        for record in map(excerpt.of, iris)
        for words, property_ in _TOTALS
        if record.terms("kg:papersWithSamples") and (number := record.number(property_)) is not None
    ]
