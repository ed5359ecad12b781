"""The nodes of a row of ``datasets``."""

from __future__ import annotations

from kg.mapper.archive import archive_record, introduced_by, merge
from kg.mapper.dataset import loader_nodes
from kg.mapper.draft import Draft, Node
from kg.records.archive_dataset import ArchiveDataset, ArchiveTask
from kg.records.archive_parts import SITE

_ADDRESSES = (
    "homepage",
    "image",
    "audio",
    "thumbnail",
    "default_image",
    "verified_image",
    "default_youtube_link",
)


def archive_dataset_nodes(draft: Draft, record: ArchiveDataset) -> list[Node]:
    """Return the nodes of a dataset, of the paper that introduces it, and its source record."""
    source = archive_record(draft, record.kind, record.slug, record.id)
    iri = draft.minter.thing("dataset", record.slug)
    addresses = {name: (getattr(record, name), name) for name in _ADDRESSES}
    dataset = draft.thing(
        "dataset",
        record.slug,
        name=record.name,
        full_name=record.full_name,
        description=record.description,
        short_description=record.short_description,
        parent_dataset=record.parent_dataset,
        mention_count=record.mention_count,
        verified_name=record.verified_name,
        warning=record.warning,
        modalities=[
            draft.named_concept("modality", name, "modalities[]") for name in record.modalities
        ],
        languages=[
            draft.named_concept("language", name, "languages[]") for name in record.languages
        ],
        tasks=[_task(draft, task) for task in record.tasks],
        variants=list(record.variants),
        num_papers=record.num_papers,
        data_loaders=loader_nodes(draft, iri, record.data_loaders),
        records=source["@id"],
        **draft.licence(iri, record.license_name, record.license_url, "license"),
        **draft.places(addresses | {"url": (record.id, "url")}, SITE),
        **draft.dated(
            record.introduced_date,
            "introduced_date",
            ("introduced_date", "introduced_year_month", "introduced_year"),
        ),
    )
    draft.look_at(
        dataset, "name", record.name, record.full_name, record.description, record.short_description
    )
    nodes = [dataset, *introduced_by(draft, dataset, record.paper, "paper"), source]
    verified = record.verified_paper
    if verified is not None:
        slug = draft.known_paper(verified.url) if verified.url else None
        if slug is not None:
            dataset["verified_paper"] = draft.minter.thing("paper", slug)
            nodes.append(draft.thing("paper", slug, title=verified.title))
        else:
            places = draft.places({"verified_paper": (verified.url, "verified_paper.url")}, SITE)
            merge(dataset, places)
            if verified.title is not None:
                dataset["verified_paper_title"] = verified.title
    return nodes


def _task(draft: Draft, task: ArchiveTask) -> Node:
    if task.slug is not None:
        thing = draft.called("task", task.slug, task.task)
    else:
        thing = draft.by_name("task", task.task or "", frozenset(), "tasks[].task")
    return thing | draft.places({"url": (task.url, "tasks[].url")}, SITE)
