"""The nodes of a row of ``methods``."""

from __future__ import annotations

from kg.mapper.archive import archive_record, introduced_by, introduced_year
from kg.mapper.draft import Draft, Node
from kg.records.archive_parts import SITE
from kg.records.method import Collection, MethodRecord


def method_nodes(draft: Draft, record: MethodRecord) -> list[Node]:
    """Return the nodes of a method, of the paper that introduces it, and its source record."""
    source = archive_record(draft, record.kind, record.slug, record.id)
    addresses = {
        "url": (record.id, "url"),
        "source_url": (record.source_url, "source_url"),
        "code_snippet_url": (record.code_snippet_url, "code_snippet_url"),
    }
    collections = (_collection(draft, one) for one in record.collections)
    method = draft.thing(
        "method",
        record.slug,
        name=record.name,
        full_name=record.full_name,
        description=record.description,
        source_title=record.source_title,
        num_papers=record.num_papers,
        collections=[one for one in collections if one is not None],
        records=source["@id"],
        **introduced_year(draft, record.introduced_year, "introduced_year"),
        **draft.places(addresses, SITE),
    )
    draft.look_at(method, "name", record.name, record.full_name, record.description)
    return [method, *introduced_by(draft, method, record.paper, "paper"), source]


def _collection(draft: Draft, collection: Collection) -> Node | None:
    """Return the concept of a collection below its area, or that of the area alone."""
    field = "collections[]"
    area = None
    if collection.area_id is not None:
        named: Node = {"name": collection.area} if collection.area is not None else {}
        area = draft.concept("area", collection.area_id, f"{field}.area_id", **named)
    elif collection.area is not None:
        area = draft.named_concept("area", collection.area, f"{field}.area")
    if collection.collection is None:
        return area
    said: Node = {"broader": [area]} if area is not None else {}
    return draft.named_concept("collection", collection.collection, f"{field}.collection", **said)
