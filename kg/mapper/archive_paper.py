"""The nodes of a row of ``papers-with-abstracts``."""

from __future__ import annotations

from kg.mapper.archive import archive_record, introduced_year
from kg.mapper.draft import Draft, Node, node
from kg.mapper.papers import authorships, identify, published
from kg.records.archive_paper import ArchivePaper, MainCollection, MethodCopy


def archive_paper_nodes(draft: Draft, record: ArchivePaper) -> list[Node]:
    """Return the nodes of a paper of the archive, and its source record."""
    source = archive_record(draft, record.kind, record.slug, record.id)
    addresses = {
        "paper_url": (record.id, "paper_url"),
        "url_abs": (record.url_abs, "url_abs"),
        "url_pdf": (record.url_pdf, "url_pdf"),
        "conference_url_abs": (record.conference_url_abs, "conference_url_abs"),
        "conference_url_pdf": (record.conference_url_pdf, "conference_url_pdf"),
    }
    paper = draft.thing(
        "paper",
        record.slug,
        title=record.title,
        abstract=record.abstract,
        short_abstract=record.short_abstract,
        nips_id=record.nips_id,
        openreview_id=record.openreview_id,
        proceeding=record.proceeding,
        conference=record.conference,
        authors=authorships(draft.minter.thing("paper", record.slug), record.authors),
        tasks=[draft.by_name("task", name, frozenset(), "tasks[]") for name in record.tasks],
        methods=[_method(draft, method) for method in record.methods],
        records=source["@id"],
        **draft.places(addresses),
        **draft.dated(record.date, "date", ("date", "year_month", "year")),
        **published(record.proceeding),
    )
    identify(draft, paper, record.arxiv_id, record.url_abs, "arxiv_id")
    return [paper, source]


def _method(draft: Draft, method: MethodCopy) -> Node:
    """Return the node of a method; the rows of all papers that use it repeat the same copy."""
    return draft.shared(lambda: _copy(draft, method), "copy", method)


def _copy(draft: Draft, method: MethodCopy) -> Node:
    field = "methods[]"
    named = draft.by_name("method", method.name, frozenset(), f"{field}.name")
    texts = (method.name, method.full_name, method.description)
    draft.look_at(named, field, *texts, is_listed="slug" in named)
    addresses = {
        "source_url": (method.source_url, f"{field}.source_url"),
        "code_snippet_url": (method.code_snippet_url, f"{field}.code_snippet_url"),
    }
    return named | node(
        str(named["@id"]),
        "Method",
        full_name=method.full_name,
        description=method.description,
        source_title=method.source_title,
        collections=_collections(draft, method.main_collection, f"{field}.main_collection"),
        **introduced_year(draft, method.introduced_year, f"{field}.introduced_year"),
        **draft.places(addresses),
    )


def _collections(draft: Draft, collection: MainCollection | None, field: str) -> list[Node]:
    if collection is None or collection.name is None:
        return []
    said: Node = {} if collection.description is None else {"definition": collection.description}
    broader = [
        draft.named_concept(scheme, name, f"{field}.{part}")
        for scheme, name, part in (
            ("collection", collection.parent, "parent"),
            ("area", collection.area, "area"),
        )
        if name is not None
    ]
    if broader:
        said["broader"] = broader
    return [draft.named_concept("collection", collection.name, f"{field}.name", **said)]
