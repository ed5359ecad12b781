"""The nodes of a dataset record."""

from __future__ import annotations

import json
from collections import defaultdict

from kg import repos
from kg.findings import FindingKind
from kg.iris import key, short_hash
from kg.mapper.draft import Draft, Node, node
from kg.mapper.provenance import SYNTOLOGY, dataset_records
from kg.records.dataset import DataLoader, DatasetRecord, DatasetTask, IntroducedBy, NamedPage


def dataset_nodes(draft: Draft, record: DatasetRecord) -> list[Node]:
    """Return the nodes of a dataset: itself, the paper that introduces it, its source records."""
    mint = draft.minter
    iri = mint.thing("dataset", record.slug)
    records = [mint.record("codewithpapers", "dataset", record.slug)]
    nodes = dataset_records(draft, record)
    if record.syntology_totals is not None:
        records.append(mint.record(SYNTOLOGY, "dataset", record.slug))
    introduced = record.introduced_by
    addresses = {"url": (record.id, "url"), "homepage": (record.homepage, "homepage")}
    elsewhere: Node = {}
    if introduced is not None:
        if introduced.paper is not None:
            nodes.append(_introducing_paper(draft, iri, introduced.paper, introduced))
        else:
            addresses |= _addresses(introduced, "introduced_by_path", "introduced_by_url")
            elsewhere = {
                "introduced_by_title": introduced.title,
                "introduced_by_first_author": introduced.first_author,
            }
    licence = record.license
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
        data_loaders=loader_nodes(draft, iri, record.data_loaders),
        num_papers_in_archive=record.num_papers_in_archive,
        records=records,
        **(draft.licence(iri, licence.name, licence.url, "license") if licence else {}),
        **draft.places(addresses),
        **elsewhere,
        **draft.dated(
            record.introduced_date,
            "introduced_date",
            ("introduced_date", "introduced_year_month", "introduced_year"),
        ),
    )
    draft.look_at(dataset, "name", record.name, record.full_name, record.description_markdown)
    return [dataset, *nodes]


def _catalogue(draft: Draft, scheme: str, field: str, entries: tuple[NamedPage, ...]) -> list[Node]:
    """Return the concepts of a scheme whose codes are the last segments of their pages."""
    concepts = []
    for entry in entries:
        concept = draft.concept(
            scheme,
            entry.code(scheme) or (draft.code_of(scheme, entry.name) if entry.name else None),
            field,
            **({"name": entry.name} if entry.name else {}),
            **draft.places({"url": (entry.url, f"{field}.url")}),
        )
        if concept is not None:
            concepts.append(concept)
        else:
            draft.note(FindingKind.ODD_VALUE, field, f"neither a name nor a code: {entry.url!r}")
    return concepts


def _task(draft: Draft, task: DatasetTask) -> Node:
    pages = draft.places(
        {
            "url": (task.url, "tasks[].url"),
            "datasets_with_task": (task.datasets_with_task, "tasks[].datasets_with_task"),
        }
    )
    if task.slug is not None:
        thing = draft.called("task", task.slug, task.name)
    else:
        thing = draft.by_name("task", task.name or "", frozenset(), "tasks[].name")
    return thing | pages


def loader_nodes(draft: Draft, dataset: str, loaders: tuple[DataLoader, ...]) -> list[Node]:
    """Return the nodes of the pieces of software that load a *dataset*.

    Their key is their repository, their address, or their frameworks, whichever comes first. Where
    several that differ have one key, the hash of all that each says follows it.
    """
    by_key: dict[str, list[DataLoader]] = defaultdict(list)
    for loader in dict.fromkeys(loaders):
        by_key[_loader_key(loader)].append(loader)
    return [
        _loader_node(draft, f"{dataset}#loader-{own}{_mark(loader, same)}", loader)
        for own, same in by_key.items()
        for loader in same
    ]


def _loader_key(loader: DataLoader) -> str:
    address = repos.parse(loader.repo or "")
    named = loader.repo or loader.url or "\n".join(loader.frameworks)
    return address.key if address else key(named)


def _mark(loader: DataLoader, same: list[DataLoader]) -> str:
    """Return what tells a loader from the others of the *same* key."""
    if len(same) == 1:
        return ""
    said = json.dumps([loader.repo, loader.url, loader.frameworks], ensure_ascii=False)
    return f"~{short_hash(said)}"


def _loader_node(draft: Draft, iri: str, loader: DataLoader) -> Node:
    field = "data_loaders[]"
    address = repos.parse(loader.repo or "")
    if loader.repo is not None and address is None:
        draft.note(FindingKind.ODD_VALUE, f"{field}.repo", f"{loader.repo[:80]!r} is no repository")
    return node(
        iri,
        "DataLoader",
        repo=draft.repo(address) if address else None,
        repo_url=loader.repo,
        **draft.places({"url": (loader.url, f"{field}.url")}),
        frameworks=[
            draft.concept("framework", framework, f"{field}.frameworks[]")
            for framework in loader.frameworks
            if framework
        ],
    )


def _introducing_paper(draft: Draft, dataset: str, slug: str, introduced: IntroducedBy) -> Node:
    return draft.thing(
        "paper",
        slug,
        title=introduced.title,
        first_author=introduced.first_author,
        introduces=dataset,
        **draft.places(_addresses(introduced, "paper_path", "url")),
    )


def _addresses(
    introduced: IntroducedBy, path_key: str, url_key: str
) -> dict[str, tuple[str | None, str]]:
    """Return the two addresses that a record may have of an introducing paper."""
    return {
        path_key: (introduced.paper_path, "introduced_by.paper"),
        url_key: (introduced.url, "introduced_by.url"),
    }
