"""The nodes of a paper record of codewithpapers.app."""

from __future__ import annotations

from collections import defaultdict

from kg.findings import FindingKind
from kg.iris import outside_iri, path_slug, slug_key
from kg.mapper.code import code_link, sample_link
from kg.mapper.draft import SITE, Draft, Node, node, node_values
from kg.mapper.papers import authorships, identify, published
from kg.mapper.provenance import SYNTOLOGY, paper_records
from kg.mapper.results import Row, result_nodes
from kg.records.paper import PaperRecord, Result, Syntology


def paper_nodes(draft: Draft, record: PaperRecord) -> list[Node]:
    """Return the nodes of a paper: itself with all its parts, its results, its source records."""
    site = (record.about and outside_iri(record.about.site or "")) or SITE
    nodes = [_paper(draft, record, site), *_results(draft, record, site)]
    nodes += paper_records(draft, record, site)
    if record.syntology is not None:
        nodes += _definitions(draft, record.syntology)
    return nodes


def _paper(draft: Draft, record: PaperRecord, site: str) -> Node:
    iri = draft.minter.thing("paper", record.slug)
    records = [_archive_record(draft, record)]
    links = [
        code_link(
            draft,
            iri,
            link.repo_url,
            "code_links[]",
            link.reach,
            is_official=link.is_official,
            mentioned_in_paper=link.mentioned_in_paper,
            mentioned_in_github=link.mentioned_in_github,
            framework=draft.concept("framework", link.framework, "code_links[].framework"),
            records=records[0],
        )
        for link in record.code_links
    ]
    samples: list[Node] = []
    if record.syntology is not None:
        other = draft.minter.record(SYNTOLOGY, "paper", record.slug)
        records.append(other)
        links += [
            code_link(
                draft,
                iri,
                repo.url,
                "syntology.repos[]",
                repo.reach,
                provenance=repo.provenance,
                records=other,
            )
            for repo in record.syntology.repos
        ]
        samples = [sample_link(draft, iri, one, other) for one in record.syntology.samples]
    addresses = {
        "url": (record.id, "url"),
        "url_abs": (record.url_abs, "url_abs"),
        "url_pdf": (record.url_pdf, "url_pdf"),
    }
    paper = draft.thing(
        "paper",
        record.slug,
        title=record.title,
        abstract=record.abstract,
        proceeding=record.proceeding,
        authors=authorships(iri, record.authors),
        code_links=links,
        samples=samples,
        records=records,
        **_named_things(draft, record),
        **draft.places(addresses, site),
        **draft.dated(record.date, "date", ("date", "year_month", "year")),
        **published(record.proceeding),
    )
    identify(draft, paper, record.arxiv_id, record.url_abs, "arxiv_id")
    return paper


def _archive_record(draft: Draft, record: PaperRecord) -> str:
    return draft.minter.record("codewithpapers", "paper", record.slug)


def _named_things(draft: Draft, record: PaperRecord) -> Node:
    """Return the tasks and methods of a paper, and the datasets and methods it introduces."""
    found: Node = {}
    for kind, field in (
        ("task", "tasks"),
        ("method", "methods"),
        ("dataset", "datasets_introduced"),
        ("method", "methods_introduced"),
    ):
        found[field] = [
            draft.named(kind, thing, f"{field}[]", **node_values({"full_name": thing.full_name}))
            for thing in getattr(record, field)
        ]
    return found


def _definitions(draft: Draft, syntology: Syntology) -> list[Node]:
    field = "syntology.repo_kind_vocabulary.*"
    concepts = (
        draft.concept("repo-kind", code, field, definition=definition)
        for code, definition in syntology.repo_kind_vocabulary
    )
    return [concept for concept in concepts if concept is not None]


def _results(draft: Draft, record: PaperRecord, site: str) -> list[Node]:
    own_tasks: dict[str | None, set[str]] = defaultdict(set)
    for task in record.tasks:
        if task.slug is not None:
            own_tasks[task.name].add(task.slug)
    rows = (_row(draft, record, row, site, own_tasks) for row in record.results)
    return result_nodes(draft, rows, "results[]")


def _row(
    draft: Draft,
    record: PaperRecord,
    row: Result,
    site: str,
    own_tasks: dict[str | None, set[str]],
) -> Row:
    task = dataset = None
    if row.task is not None:
        own = frozenset(own_tasks.get(row.task, ()))
        task = draft.by_name("task", row.task, own, "results[].task")
    if row.dataset is not None:
        dataset = draft.by_name("dataset", row.dataset, frozenset(), "results[].dataset")
    board = _leaderboard(draft, row, task, dataset, site)
    iri = draft.minter.result(
        draft.minter.key_of("leaderboard", str(board["@id"])),
        slug_key(record.slug),
        row.model or "",
        extra=row.uses_additional_data == "true",
    )
    said = {
        "leaderboard": board,
        "paper": draft.minter.thing("paper", record.slug),
        "task": task,
        "dataset": dataset,
        "model": row.model,
        "of": row.of,
        "uses_additional_data": row.uses_additional_data,
        "records": _archive_record(draft, record),
    }
    return Row(iri, row.metrics, row.rank, node_values(said))


def _leaderboard(
    draft: Draft, row: Result, task: Node | None, dataset: Node | None, site: str
) -> Node:
    """Return a leaderboard by its slug, or where it has none by its task and dataset."""
    slug = path_slug(row.leaderboard, "sota") if row.leaderboard else None
    if slug is not None:
        iri = draft.minter.thing("leaderboard", slug)
    else:
        iri = draft.minter.nameless_leaderboard(
            str(task["@id"]) if task else None, str(dataset["@id"]) if dataset else None
        )
        if row.leaderboard is not None:
            draft.note(
                FindingKind.ODD_VALUE,
                "results[].leaderboard",
                f"expected a path like /sota/some-slug: {row.leaderboard[:60]!r}",
            )
    places = draft.places({"url": (row.leaderboard, "results[].leaderboard")}, site)
    return node(iri, "Leaderboard", slug=slug, task=task, dataset=dataset, **places)
