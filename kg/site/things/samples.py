"""Samples of code as rows of a table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kg.site.facts import Facts
from kg.site.view import Link, View


@dataclass(frozen=True, slots=True)
class SampleRow:
    """A sample; *status*, *level*, *check* and *tier* are separate observations about its code.

    *code* is the short name of its status (``ran_honours``), *kind* of which kind its repository is
    for the paper and *basis* on what ground it is tied to it, where a paper ties it.
    """

    sample: Link
    file: Link
    status: Link
    code: str
    level: int | None
    check: Link
    tier: Link
    licence: tuple[Link, ...]
    kind: Link
    basis: Link
    anchor: str | None = None


def sample_rows(paper: Facts, view: View) -> list[SampleRow]:
    """Return the samples of a paper, those with the highest level of verification first."""
    links = paper.parts("kg:sampleLink")
    # A sample of several papers is no part of this one, and not told with it.
    elsewhere = view.said(
        [iri for one in links for iri in one.iris("kg:sample") if not one.part("kg:sample")]
    )
    rows = []
    for link in links:
        sample = link.part("kg:sample") or elsewhere.of(link.iri_of("kg:sample") or "")
        rows.append(row(sample, view, link))
    return in_order(rows)


def row(sample: Facts, view: View, link: Facts | None = None) -> SampleRow:
    """Return one *sample*, and what the *link* of a paper to it says."""
    status = sample.iri_of("kg:status")
    path = sample.text("kg:filePath")
    return SampleRow(
        view.link(sample.iri, sample.text("kg:entryPoint")),
        view.link(sample.iri_of("kg:fileUrl"), path or "file")
        if path or sample.iri_of("kg:fileUrl")
        else Link("", None),
        view.link(status),
        (status or "").rpartition("/")[2],
        sample.number("kg:verificationLevel"),
        view.link(sample.iri_of("kg:contractCheck")),
        view.link(sample.iri_of("kg:metamorphicTier")),
        tuple(view.links(sample.iris("dct:license"))),
        view.link(link.iri_of("kg:repoKind")) if link else Link("", None),
        view.link(link.iri_of("kg:linkBasis")) if link else Link("", None),
        (link.iri.partition("#")[2] or None) if link else None,
    )


def in_order(rows: Iterable[SampleRow]) -> list[SampleRow]:
    """Return *rows* by level of verification, status and name."""
    return sorted(rows, key=lambda one: (-(one.level or 0), one.code, one.sample.text.casefold()))
