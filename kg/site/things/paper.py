"""The page of a paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from kg.site import citation, markdown, schema_org, wording
from kg.site.facts import Facts
from kg.site.page import Page
from kg.site.things.further import statements
from kg.site.things.identifiers import identifiers
from kg.site.things.linked_code import CodeRow, code_rows
from kg.site.things.measured import Score, scores
from kg.site.things.origin import origins
from kg.site.things.samples import SampleRow, sample_rows
from kg.site.view import Link, View

SHOWN: Final = (
    *("dct:title", "dct:abstract", "dct:issued", "kg:arxivId", "kg:arxivVersion", "kg:proceeding"),
    *("kg:venue", "kg:venueYear", "kg:venueMonth", "kg:authorship", "kg:firstAuthorName"),
    *("kg:task", "kg:method", "kg:introduces", "kg:codeLink", "kg:sampleLink", "kg:abstractPage"),
    *("kg:pdf", "kg:shortAbstract", "foaf:page", "bibo:doi", "schema:sameAs", "rdfs:seeAlso"),
    *("owl:sameAs", "skos:exactMatch"),
)


@dataclass(frozen=True, slots=True)
class Author:
    """One name of the list: *anchor* is the fragment of its authorship."""

    name: Link
    anchor: str | None


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One row of a leaderboard that the paper reports; *place* is where it stands there."""

    task: Link
    dataset: Link
    result: Link
    place: Link
    scores: tuple[Score, ...]
    uses_additional_data: bool | None


def page(thing: Facts, view: View, address: str, given: Mapping[str, str]) -> Page:
    """Return the page of a paper, which has the *address*."""
    title = thing.text("dct:title") or view.name(thing.iri)
    records = origins(thing, view)
    samples = sample_rows(thing, view)
    return Page(
        title,
        "paper.html",
        {
            "authors": _authors(thing, view),
            "knows_first_author_only": not thing.parts("kg:authorship"),
            "published": _published(thing),
            "abstract": [markdown.plain(text) for text in thing.texts("dct:abstract")],
            "short_abstract": thing.text("kg:shortAbstract"),
            "links": _links(thing, view),
            "tasks": view.links(thing.iris("kg:task")),
            "methods": view.links(thing.iris("kg:method")),
            "introduces": view.links(thing.iris("kg:introduces")),
            "code": code_rows(thing, view),
            "results": _results(thing, view),
            "samples": samples,
            "sample_counts": _counted(samples),
            "claims": list(dict.fromkeys(one.claim for one in records if one.claim)),
            "records": records,
            "identifiers": identifiers(thing, view),
            "citation": citation.in_words(thing),
            "bibtex": citation.bibtex(thing),
            "further": statements(thing, view, SHOWN),
            "slug": thing.text("kg:slug"),
        },
        summary=wording.shorter(thing.text("dct:abstract") or title, 200),
        json_ld=schema_org.paper(thing, view, address),
        iri=thing.iri,
    )


def _authors(thing: Facts, view: View) -> list[Author]:
    listed = sorted(thing.parts("kg:authorship"), key=lambda one: one.number("kg:position") or 0)
    named = [(one.text("kg:authorName") or "", one.iri.partition("#")[2]) for one in listed]
    if not named:
        named = [(name, "") for name in thing.texts("kg:firstAuthorName")]
    here = view.addresses.here("/queries/author-papers")
    return [
        Author(Link(name, f"{here}?{urlencode({'author': name})}"), anchor or None)
        for name, anchor in named
        if name
    ]


def _published(thing: Facts) -> list[str]:
    """Return when and where it came out, in words."""
    parts = [wording.day(text) for text in thing.texts("dct:issued")]
    venue = thing.text("kg:venue")
    if venue is not None:
        number = thing.number("kg:venueMonth")
        month = f"{wording.month(number)} " if number is not None else ""
        parts.append(f"{venue}, {month}{thing.text('kg:venueYear') or ''}".rstrip(" ,"))
    else:
        parts += thing.texts("kg:proceeding")
    return parts


def _links(thing: Facts, view: View) -> list[Link]:
    version = thing.text("kg:arxivVersion")
    arxiv = thing.text("kg:arxivId")
    name = f"arXiv:{arxiv}{'v' + version if version else ''}" if arxiv else "abstract"
    return [
        *(view.link(iri, name) for iri in thing.iris("kg:abstractPage")),
        *(view.link(iri, "PDF") for iri in thing.iris("kg:pdf")),
        *(view.link(iri, wording.host(iri)) for iri in thing.iris("foaf:page")),
    ]


def _results(thing: Facts, view: View) -> list[ResultRow]:
    """Return the rows by task, dataset and place."""
    rows = []
    for result in thing.pointing("kg:paper"):
        place, of = result.text("kg:archiveRank"), result.text("kg:archiveRankOf")
        words = f"{place} of {of}" if place and of else place or "listed"
        rows.append(
            ResultRow(
                view.link(result.iri_of("kg:task")),
                view.link(result.iri_of("kg:dataset")),
                view.link(result.iri, result.text("kg:modelName") or "result"),
                view.link(result.iri_of("kg:leaderboard"), words),
                scores(result, view),
                result.flag("kg:usesAdditionalData"),
            )
        )
    return sorted(
        rows,
        key=lambda row: (row.task.text.casefold(), row.dataset.text.casefold(), row.place.text),
    )


def _counted(samples: list[SampleRow]) -> list[tuple[Link, int]]:
    """Return the statuses of samples, the most frequent first."""
    counted = Counter(row.status for row in samples)
    return sorted(counted.items(), key=lambda pair: (-pair[1], pair[0].text))


__all__ = ["SHOWN", "Author", "CodeRow", "ResultRow", "page"]
