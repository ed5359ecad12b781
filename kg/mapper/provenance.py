"""The nodes of the source records: licence, attribution, dates and claims travel with the data.

Each record of the site is two source records in the graph: the archive's part, and Syntology's
part, which has another source, date and claim. Licence, attribution and non-affiliation stand on
both.
"""

from __future__ import annotations

from typing import Final

from kg import licences
from kg.mapper.draft import SITE, Draft, Node, node
from kg.records.dataset import DatasetRecord, SyntologyTotals
from kg.records.paper import PaperRecord, Syntology

SYNTOLOGY: Final = "syntology"
SYNTOLOGY_SITE: Final = "https://syntology.ai/"

# A dataset record has no `about` block: what the site says of all its pages is said here.
ATTRIBUTION: Final = f"{SITE}/attribution"
NON_AFFILIATION: Final = (
    "Neither the site nor Syntology is affiliated with, endorsed by, or sponsored by Papers with"
    " Code or Meta."
)


def site_record(draft: Draft, record: PaperRecord, site: str) -> Node:
    """Return the node of the archive's part of a paper record."""
    source = record.source
    return node(
        draft.minter.record("codewithpapers", "paper", record.slug),
        "Record",
        url=draft.page(record.id, "url", site),
        archive=source.archive if source else None,
        snapshot=source.snapshot if source else None,
        row_kind=source.row_kind if source else None,
        **_terms(draft, record),
    )


def syntology_record(draft: Draft, record: PaperRecord, syntology: Syntology) -> Node:
    """Return the node of Syntology's part of a paper record."""
    atlas = draft.address(syntology.atlas_url, "syntology.atlas_url")
    return node(
        draft.minter.record(SYNTOLOGY, "paper", record.slug),
        "Record",
        url=atlas or draft.page(record.id, "url"),
        read_at=syntology.read_at,
        read_at_is=syntology.read_at_is,
        claim=syntology.claim,
        pointer_only_for_licence=syntology.n_pointer_only_for_licence,
        developers=draft.address(syntology.developers, "syntology.developers"),
        **_terms(draft, record) | {"site": SYNTOLOGY_SITE},
    )


def dataset_site_record(draft: Draft, record: DatasetRecord) -> Node:
    """Return the node of the archive's part of a dataset record."""
    source = record.source
    return node(
        draft.minter.record("codewithpapers", "dataset", record.slug),
        "Record",
        url=draft.page(record.id, "url"),
        archive=source.archive if source else None,
        snapshot=source.snapshot if source else None,
        papers_note=record.papers_note,
        **_dataset_terms(record) | {"site": SITE},
    )


def dataset_syntology_record(draft: Draft, record: DatasetRecord, totals: SyntologyTotals) -> Node:
    """Return the node of Syntology's part of a dataset record."""
    return node(
        draft.minter.record(SYNTOLOGY, "dataset", record.slug),
        "Record",
        url=draft.page(record.id, "url"),
        read_at=totals.read_at,
        papers_with_samples=totals.papers_with_samples,
        samples_harvested=totals.samples_harvested,
        samples_ran=totals.samples_ran,
        samples_unverified=totals.samples_unverified,
        pointer_only_for_licence=totals.pointer_only_for_licence,
        papers_with_no_sample_that_ran=totals.papers_with_no_sample_that_ran,
        note=totals.note,
        **_dataset_terms(record) | {"site": SYNTOLOGY_SITE},
    )


def _terms(draft: Draft, record: PaperRecord) -> Node:
    """Return what a paper record says of its site, licence and attribution."""
    about = record.about
    urls = (
        ("about.licence_url", about.licence_url if about else None),
        ("source.licence_url", record.source.licence_url if record.source else None),
    )
    licence_iris = [_licence(draft, url, field) for field, url in urls if url is not None]
    return {
        "site": draft.address(about.site, "about.site") if about else None,
        "non_affiliation": about.non_affiliation if about else None,
        "licence": about.licence if about else None,
        "licence_url": [iri for iri in licence_iris if iri is not None],
        "attribution": draft.address(about.attribution, "about.attribution") if about else None,
        "modified": about.modified if about else None,
    }


def _licence(draft: Draft, url: str, field: str) -> str | None:
    return licences.url_iri(url) if licences.is_cc(url) else draft.address(url, field)


def _dataset_terms(record: DatasetRecord) -> Node:
    name = licences.name_in_archive(record.source.archive or "") if record.source else None
    return {
        "non_affiliation": NON_AFFILIATION,
        "licence": name,
        "licence_url": licences.KNOWN_NAMES[name] if name else None,
        "attribution": ATTRIBUTION,
    }
