"""The nodes of the source records: licence, attribution, dates and claims travel with the data.

Each record of the site is two source records in the graph: the archive's part, and Syntology's
part, which has another source, date and claim. Licence, attribution and non-affiliation stand on
both.
"""

from __future__ import annotations

from typing import Final

from kg import licences
from kg.mapper.draft import SITE, Draft, Node, node, node_values
from kg.records.dataset import DatasetRecord
from kg.records.paper import PaperRecord

SYNTOLOGY: Final = "syntology"
SYNTOLOGY_SITE: Final = "https://syntology.ai/"

# A dataset record has no `about` block: what the site says of all its pages is said here.
ATTRIBUTION: Final = f"{SITE}/attribution"
NON_AFFILIATION: Final = (
    "Code with Papers and Syntology are not affiliated with, endorsed by, or sponsored by Papers"
    " with Code or Meta."
)


def paper_records(draft: Draft, record: PaperRecord, site: str) -> list[Node]:
    """Return the source records of a paper record: the archive's part, and Syntology's if any."""
    source, syntology = record.source, record.syntology
    terms, own_site = _terms(draft, record)
    said = terms | own_site
    if source is not None:
        said |= node_values({"archive": source.archive, "row_kind": source.row_kind})
        said |= draft.typed("snapshot", source.snapshot, "source.snapshot")
    page = draft.page(record.id, "url", site)
    mint = draft.minter
    nodes = [node(mint.record("codewithpapers", "paper", record.slug), "Record", url=page, **said)]
    if syntology is not None:
        places = draft.places(
            {
                "url": (syntology.atlas_url, "syntology.atlas_url"),
                "developers": (syntology.developers, "syntology.developers"),
            }
        )
        said = {
            "read_at_is": syntology.read_at_is,
            "claim": syntology.claim,
            "pointer_only_for_licence": syntology.n_pointer_only_for_licence,
            "site": SYNTOLOGY_SITE,
        }
        said |= draft.typed("read_at", syntology.read_at, "syntology.read_at")
        iri = mint.record(SYNTOLOGY, "paper", record.slug)
        nodes.append(node(iri, "Record", **{"url": page} | terms | places | said))
    return nodes


def dataset_records(draft: Draft, record: DatasetRecord) -> list[Node]:
    """Return the source records of a dataset record: the archive's part, and Syntology's if any."""
    source, totals = record.source, record.syntology_totals
    name = licences.name_in_archive(source.archive or "") if source else None
    terms = {
        "url": draft.page(record.id, "url"),
        "non_affiliation": NON_AFFILIATION,
        "licence": name,
        "licence_url": licences.KNOWN_NAMES[name] if name else None,
        "attribution": ATTRIBUTION,
    }
    said: Node = {"site": SITE, "papers_note": record.papers_note}
    if source is not None:
        said |= {"archive": source.archive}
        said |= draft.typed("snapshot", source.snapshot, "source.snapshot")
    mint = draft.minter
    nodes = [node(mint.record("codewithpapers", "dataset", record.slug), "Record", **terms | said)]
    if totals is not None:
        said = {
            "site": SYNTOLOGY_SITE,
            "papers_with_samples": totals.papers_with_samples,
            "samples_harvested": totals.samples_harvested,
            "samples_ran": totals.samples_ran,
            "samples_unverified": totals.samples_unverified,
            "pointer_only_for_licence": totals.pointer_only_for_licence,
            "papers_with_no_sample_that_ran": totals.papers_with_no_sample_that_ran,
            "note": totals.note,
        }
        said |= draft.typed("read_at", totals.read_at, "syntology_totals.read_at")
        nodes.append(node(mint.record(SYNTOLOGY, "dataset", record.slug), "Record", **terms | said))
    return nodes


def _terms(draft: Draft, record: PaperRecord) -> tuple[Node, Node]:
    """Return what a paper record says of its licence and attribution, and of its site.

    The terms stand on both source records; what is no address stands with the site, once.
    """
    about, source = record.about, record.source
    given = {
        "site": (about.site if about else None, "about.site"),
        "attribution": (about.attribution if about else None, "about.attribution"),
        "about_licence": (about.licence_url if about else None, "about.licence_url"),
        "source_licence": (source.licence_url if source else None, "source.licence_url"),
    }
    places = draft.places(given)
    own: Node = {name: places.pop(name) for name in ("site", "raw_url") if name in places}
    named = (places.pop(name, None) for name in ("about_licence", "source_licence"))
    iris = dict.fromkeys(licences.url_iri(str(url)) for url in named if url)
    said = {
        "non_affiliation": about.non_affiliation if about else None,
        "licence": about.licence if about else None,
        "modified": about.modified if about else None,
        "licence_url": list(iris),
    }
    return node_values(said) | places, own
