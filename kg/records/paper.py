"""The paper record of codewithpapers.app.

One page of the site as JSON: the archive's row of a paper with what the archive joins to it
(code links, tasks, methods, results), and what Syntology found when it harvested and ran code
samples from the paper's repositories.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from kg.findings import Finding
from kg.iris import path_slug
from kg.records.consistency import check_paper
from kg.records.fields import Fields
from kg.records.names import Identified, Named, leaderboard_name
from kg.records.parts import (
    NamedSlug,
    Reach,
    on_site,
    read_introduced,
    read_method,
    read_metrics,
    read_reach,
    read_slug,
    read_task,
)


@dataclass(frozen=True, slots=True)
class About:
    """What the site says of itself and of the licence of what it shows."""

    site: str | None
    non_affiliation: str | None
    licence: str | None
    licence_url: str | None
    attribution: str | None
    modified: str | None


@dataclass(frozen=True, slots=True)
class ArchiveSource:
    """Which archive, which snapshot and which kind of row a record was made from."""

    archive: str | None
    snapshot: str | None
    licence_url: str | None
    row_kind: str | None


@dataclass(frozen=True, slots=True)
class CodeLink:
    """A repository that the archive links to the paper; flags are ``true``, ``false`` or None."""

    paper_slug: str | None
    repo_url: str
    is_official: str | None
    mentioned_in_paper: str | None
    mentioned_in_github: str | None
    framework: str | None
    reach: Reach | None


@dataclass(frozen=True, slots=True)
class Result:
    """A row of a leaderboard; *metrics* are ``(name, raw text)`` in the record's order."""

    leaderboard: str | None
    task: str | None
    dataset: str | None
    model: str | None
    rank: str | None
    of: str | None
    metrics: tuple[tuple[str, str], ...]
    uses_additional_data: str | None


@dataclass(frozen=True, slots=True)
class LinkedRepo:
    """A repository that Syntology ties to the paper, and where it knows the tie from."""

    provenance: str | None
    url: str
    reach: Reach | None


@dataclass(frozen=True, slots=True)
class KindCount:
    """The record's own counts for one kind of repository."""

    kind: str
    samples: str | None
    ran: str | None
    repositories: str | None


@dataclass(frozen=True, slots=True)
class Sample:
    """A piece of code from a repository, and what happened when it was run."""

    code_sha256_prefix: str
    entry: str | None
    repo: str
    repo_kind: str | None
    path: str | None
    file_url: str | None
    link_basis: str | None
    language: str | None
    status: str | None
    verification_level: str | None
    contract_check: str | None
    metamorphic_tier: str | None
    behaviour_fingerprint: str | None
    licence: str | None
    inline_ok: str | None
    get_code_sha256: str | None


@dataclass(frozen=True, slots=True)
class Syntology:
    """What Syntology knows of the paper's code: repositories, samples, its claim and its counts."""

    atlas_url: str | None
    get_harvested_code_arxiv_id: str | None
    developers: str | None
    read_at: str | None
    read_at_is: str | None
    claim: str | None
    repos: tuple[LinkedRepo, ...]
    summary: tuple[tuple[str, str], ...]
    by_repo_kind: tuple[KindCount, ...]
    repo_kind_vocabulary: tuple[tuple[str, str], ...]
    n_pointer_only_for_licence: str | None
    samples: tuple[Sample, ...]


@dataclass(frozen=True, slots=True)
class PaperRecord:
    """A paper record of codewithpapers.app; *id* is its path on the site."""

    kind: ClassVar[str] = "paper"
    id: str
    slug: str
    about: About | None
    title: str
    arxiv_id: str | None
    date: str | None
    proceeding: str | None
    authors: tuple[str, ...]
    abstract: str | None
    url_abs: str | None
    url_pdf: str | None
    source: ArchiveSource | None
    code_links: tuple[CodeLink, ...]
    tasks: tuple[NamedSlug, ...]
    methods: tuple[NamedSlug, ...]
    datasets_introduced: tuple[NamedSlug, ...]
    methods_introduced: tuple[NamedSlug, ...]
    results: tuple[Result, ...]
    syntology: Syntology | None
    findings: list[Finding] = field(default_factory=list, compare=False)

    OPEN_MAPS: ClassVar[frozenset[str]] = frozenset(
        {
            "results[].metrics",
            "syntology.summary",
            "syntology.by_repo_kind",
            "syntology.repo_kind_vocabulary",
        }
    )
    """Key paths of the objects whose keys are data: names of metrics, statuses, kinds."""

    REPEATED: ClassVar[dict[str, str]] = {
        "syntology.mcp.get_harvested_code_for_paper.arxiv_id": (
            "argument of a tool call; repeats arxiv_id (checked against it)"
        ),
        "syntology.samples[].mcp_get_code.code_sha256": (
            "argument of a tool call; repeats code_sha256_prefix (checked against it)"
        ),
    }
    """Key paths that are no data but say again what stands elsewhere in the record, and how."""

    def names(self) -> Iterator[Named]:
        """Yield what the record names with its slug."""
        for kind, things in (
            ("task", self.tasks),
            ("method", self.methods + self.methods_introduced),
            ("dataset", self.datasets_introduced),
        ):
            for thing in things:
                if thing.slug is not None and thing.name is not None:
                    yield Named(kind, thing.slug, thing.name)
        for row in self.results:
            slug = path_slug(row.leaderboard, "sota") if row.leaderboard else None
            if slug is not None and row.task is not None and row.dataset is not None:
                yield Named("leaderboard", slug, leaderboard_name(row.task, row.dataset))

    def identified(self) -> Iterator[Identified]:
        """Yield what identifies the paper elsewhere."""
        yield Identified(self.slug, self.arxiv_id, self.url_abs)


def recognises(value: dict[str, object]) -> bool:
    """Say whether a JSON object is a paper record of the site."""
    return on_site(value, "paper")


def read(value: object) -> PaperRecord:
    """Read a paper record; :class:`~kg.errors.RecordError` where a field cannot be read."""
    findings: list[Finding] = []
    fields = Fields(value, "", findings)
    record = PaperRecord(
        id=fields.required("url"),
        slug=read_slug(fields, "url", "paper"),
        about=fields.one("about", _about),
        title=fields.required("title"),
        arxiv_id=fields.text("arxiv_id"),
        date=fields.text("date"),
        proceeding=fields.text("proceeding"),
        authors=fields.texts("authors"),
        abstract=fields.text("abstract"),
        url_abs=fields.text("url_abs"),
        url_pdf=fields.text("url_pdf"),
        source=fields.one("source", _source),
        code_links=fields.many("code_links", _code_link),
        tasks=fields.many("tasks", read_task),
        methods=fields.many("methods", read_method),
        datasets_introduced=fields.many("datasets_introduced", read_introduced),
        methods_introduced=fields.many("methods_introduced", read_introduced),
        results=fields.many("results", _result),
        syntology=fields.one("syntology", _syntology),
        findings=findings,
    )
    fields.done()
    check_paper(record)
    return record


def _about(fields: Fields) -> About:
    return About(
        site=fields.text("site"),
        non_affiliation=fields.text("non_affiliation"),
        licence=fields.text("licence"),
        licence_url=fields.text("licence_url"),
        attribution=fields.text("attribution"),
        modified=fields.text("modified"),
    )


def _source(fields: Fields) -> ArchiveSource:
    return ArchiveSource(
        archive=fields.text("archive"),
        snapshot=fields.text("snapshot"),
        licence_url=fields.text("licence_url"),
        row_kind=fields.text("row_kind"),
    )


def _code_link(fields: Fields) -> CodeLink | None:
    repo_url = fields.address("repo_url")
    if repo_url is None:
        return None
    return CodeLink(
        paper_slug=fields.text("paper_slug"),
        repo_url=repo_url,
        is_official=fields.flag("is_official"),
        mentioned_in_paper=fields.flag("mentioned_in_paper"),
        mentioned_in_github=fields.flag("mentioned_in_github"),
        framework=fields.text("framework"),
        reach=fields.one("reach", read_reach),
    )


def _result(fields: Fields) -> Result:
    return Result(
        leaderboard=fields.text("leaderboard"),
        task=fields.name("task"),
        dataset=fields.name("dataset"),
        model=fields.name("model"),
        rank=fields.integer("rank_in_archive_order"),
        of=fields.integer("of"),
        metrics=read_metrics(fields, "metrics"),
        uses_additional_data=fields.flag("uses_additional_data"),
    )


def _syntology(fields: Fields) -> Syntology:
    return Syntology(
        atlas_url=fields.text("atlas_url"),
        get_harvested_code_arxiv_id=fields.one("mcp", _mcp),
        developers=fields.text("developers"),
        read_at=fields.text("read_at"),
        read_at_is=fields.text("read_at_is"),
        claim=fields.text("claim"),
        repos=fields.many("repos", _linked_repo),
        summary=tuple(
            (status, fields.entry_text("summary", count))
            for status, count in fields.entries("summary")
        ),
        by_repo_kind=tuple(
            fields.sub("by_repo_kind", kind, counts, _kind_count)
            for kind, counts in fields.entries("by_repo_kind")
        ),
        repo_kind_vocabulary=tuple(
            (code, fields.entry_text("repo_kind_vocabulary", definition))
            for code, definition in fields.entries("repo_kind_vocabulary")
        ),
        n_pointer_only_for_licence=fields.integer("n_pointer_only_for_licence"),
        samples=fields.many("samples", _sample),
    )


def _mcp(fields: Fields) -> str | None:
    return fields.one("get_harvested_code_for_paper", lambda call: call.text("arxiv_id"))


def _linked_repo(fields: Fields) -> LinkedRepo | None:
    url = fields.address("url")
    if url is None:
        return None
    return LinkedRepo(
        provenance=fields.text("provenance"),
        url=url,
        reach=fields.one("reach", read_reach),
    )


def _kind_count(kind: str, fields: Fields) -> KindCount:
    return KindCount(
        kind=kind,
        samples=fields.integer("samples"),
        ran=fields.integer("ran"),
        repositories=fields.integer("repositories"),
    )


def _sample(fields: Fields) -> Sample:
    return Sample(
        code_sha256_prefix=fields.matching(
            "code_sha256_prefix", r"[0-9a-f]{16}", "16 lower-case hexadecimal digits"
        ),
        entry=fields.name("entry"),
        repo=fields.required("repo"),
        repo_kind=fields.text("repo_kind"),
        path=fields.text("path"),
        file_url=fields.text("file_url"),
        link_basis=fields.text("link_basis"),
        language=fields.text("language"),
        status=fields.text("status"),
        verification_level=fields.integer("verification_level"),
        contract_check=fields.text("contract_check"),
        metamorphic_tier=fields.text("metamorphic_tier"),
        behaviour_fingerprint=fields.flag("behaviour_fingerprint"),
        licence=fields.text("licence"),
        inline_ok=fields.flag("inline_ok"),
        get_code_sha256=fields.one("mcp_get_code", lambda call: call.text("code_sha256")),
    )
