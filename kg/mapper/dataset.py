"""The nodes of a dataset record."""

from __future__ import annotations

from kg import repos
from kg.findings import FindingKind
from kg.iris import key, path_slug
from kg.mapper.draft import Draft, Node, node
from kg.mapper.provenance import SYNTOLOGY, dataset_site_record, dataset_syntology_record
from kg.records.dataset import DataLoader, DatasetRecord, DatasetTask, IntroducedBy, NamedPage


def dataset_nodes(draft: Draft, record: DatasetRecord) -> list[Node]:
    """Return the nodes of a dataset: itself, the paper that introduces it, its source records."""
    mint = draft.minter
    iri = mint.thing("dataset", record.slug)
    records = [mint.record("codewithpapers", "dataset", record.slug)]
    nodes = [dataset_site_record(draft, record)]
    if record.syntology_totals is not None:
        records.append(mint.record(SYNTOLOGY, "dataset", record.slug))
        nodes.append(dataset_syntology_record(draft, record, record.syntology_totals))
    introduced = record.introduced_by
    dataset = draft.thing(
        "dataset",
        record.slug,
        name=record.name,
        full_name=record.full_name,
        description_markdown=record.description_markdown,
        description_withheld=record.description_withheld,
        introduced_date_note=record.introduced_date_note,
        modalities=_catalogue(draft, "modality", "modalities[]", record.modalities),
        languages=_catalogue(draft, "language", "languages[]", record.languages),
        tasks=[_task(draft, task) for task in record.tasks],
        variants=list(record.variants),
        data_loaders=[_loader(draft, iri, loader) for loader in record.data_loaders],
        num_papers_in_archive=record.num_papers_in_archive,
        records=records,
        url=draft.page(record.id, "url"),
        license=record.license
        and draft.licence(iri, record.license.name, record.license.url, "license"),
        **draft.placed("homepage", record.homepage, "homepage"),
        **draft.dated(
            record.introduced_date,
            "introduced_date",
            ("introduced_date", "introduced_year_month", "introduced_year"),
        ),
    )
    if introduced is not None:
        if introduced.paper is not None:
            nodes.append(_introducing_paper(draft, iri, introduced.paper, introduced))
        else:
            dataset |= _introduced_elsewhere(draft, introduced)
    return [dataset, *nodes]


def _catalogue(draft: Draft, scheme: str, field: str, entries: tuple[NamedPage, ...]) -> list[Node]:
    """Return the concepts of a scheme whose codes are the last segments of their pages."""
    concepts = []
    for entry in entries:
        code = path_slug(entry.url or "", f"datasets/{scheme}") or (entry.name and key(entry.name))
        concept = draft.concept(
            scheme,
            code,
            field,
            **({"name": entry.name} if entry.name else {}),
            **draft.placed("url", entry.url, f"{field}.url"),
        )
        if concept is not None:
            concepts.append(concept)
    return concepts


def _task(draft: Draft, task: DatasetTask) -> Node:
    pages = draft.placed("url", task.url, "tasks[].url") | draft.placed(
        "datasets_with_task", task.datasets_with_task, "tasks[].datasets_with_task"
    )
    if task.slug is not None:
        thing = draft.thing("task", task.slug, name=task.name)
    else:
        thing = draft.by_name("task", task.name or "", frozenset(), "tasks[].name")
    return thing | pages


def _loader(draft: Draft, dataset: str, loader: DataLoader) -> Node:
    field = "data_loaders[]"
    given = loader.repo or loader.url or ""
    address = repos.parse(loader.repo or "")
    if loader.repo is not None and address is None:
        draft.note(FindingKind.ODD_VALUE, f"{field}.repo", f"{loader.repo[:80]!r} is no repository")
    return node(
        f"{dataset}#loader-{address.key if address else key(given)}",
        "DataLoader",
        repo=draft.repo(address) if address else None,
        repo_url=loader.repo,
        **draft.placed("url", loader.url, f"{field}.url"),
        frameworks=[
            draft.concept("framework", framework, f"{field}.frameworks[]")
            for framework in loader.frameworks
            if framework
        ],
    )


def _introducing_paper(draft: Draft, dataset: str, slug: str, introduced: IntroducedBy) -> Node:
    pages = [
        page
        for page in (
            draft.page(introduced.paper_path, "introduced_by.paper"),
            draft.page(introduced.url, "introduced_by.url"),
        )
        if page is not None
    ]
    return draft.thing(
        "paper",
        slug,
        url=pages,
        title=introduced.title,
        first_author=introduced.first_author,
        introduces=dataset,
    )


def _introduced_elsewhere(draft: Draft, introduced: IntroducedBy) -> Node:
    found = {
        "introduced_by_title": introduced.title,
        "introduced_by_first_author": introduced.first_author,
        "introduced_by_url": draft.page(
            introduced.url or introduced.paper_path, "introduced_by.url"
        ),
    }
    return {name: value for name, value in found.items() if value is not None}
