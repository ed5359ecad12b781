"""What a record says twice must agree: its own counts, ranks and repeated identifiers.

A record that contradicts itself is kept as it is; each contradiction is a finding.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from kg import arxiv, repos
from kg.findings import Finding, FindingKind
from kg.values import magnitude

if TYPE_CHECKING:
    from kg.records.paper import PaperRecord, Syntology

UNVERIFIED: Final = "unverified"
_IN_ARCHIVE_LINKS: Final = frozenset({"official", "named_in_paper", "listed"})


def check_paper(record: PaperRecord) -> None:
    """Add a finding to *record* for everything in which it contradicts itself."""

    def note(field: str, message: str) -> None:
        record.findings.append(Finding(FindingKind.INCONSISTENT, field, message))

    for link in record.code_links:
        if link.paper_slug is not None and link.paper_slug != record.slug:
            note(
                "code_links[].paper_slug",
                f"{link.paper_slug!r} is not the paper's own slug {record.slug!r}",
            )
    for result in record.results:
        rank, of = result.rank, result.of
        if rank is not None and of is not None and magnitude(rank) > magnitude(of):
            note(
                "results[].rank_in_archive_order",
                f"rank {rank} of {of} (model {result.model!r})",
            )
    if record.syntology is not None:
        for field, message in _syntology(record, record.syntology):
            note(f"syntology.{field}", message)


def _syntology(record: PaperRecord, syntology: Syntology) -> list[tuple[str, str]]:
    found = _counts(syntology)
    called_with = syntology.get_harvested_code_arxiv_id
    if called_with is not None and not _same_arxiv(called_with, record.arxiv_id):
        found.append(
            (
                "mcp.get_harvested_code_for_paper.arxiv_id",
                f"{called_with!r} is not the paper's arxiv_id {record.arxiv_id!r}",
            )
        )
    linked = {address.key for link in record.code_links if (address := repos.parse(link.repo_url))}
    for sample in syntology.samples:
        name = f"sample {sample.code_sha256_prefix}"
        if sample.get_code_sha256 not in (None, sample.code_sha256_prefix):
            found.append(
                (
                    "samples[].mcp_get_code.code_sha256",
                    f"{sample.get_code_sha256!r} is not the prefix of {name}",
                )
            )
        if sample.verification_level is not None and sample.status is not None:
            unverified, level = sample.status == UNVERIFIED, sample.verification_level
            if unverified != (level == "0"):
                found.append(
                    (
                        "samples[].verification_level",
                        f"{name} has the status {sample.status!r} at level {level}",
                    )
                )
        address = repos.of_owner_name(sample.repo, sample.file_url)
        if sample.repo_kind in _IN_ARCHIVE_LINKS and (address is None or address.key not in linked):
            found.append(
                (
                    "samples[].repo",
                    f"{sample.repo!r} of {name} is {sample.repo_kind}, but in no code link",
                )
            )
    return found


def _counts(syntology: Syntology) -> list[tuple[str, str]]:
    found = []
    statuses = Counter(sample.status for sample in syntology.samples)
    told = dict(syntology.summary)
    for status in sorted(told.keys() | {status for status in statuses if status is not None}):
        count = statuses[status]
        if told.get(status, "0") != str(count):
            found.append(
                (
                    f"summary.{status}",
                    f"says {told.get(status, 'nothing')}, the samples are {count}",
                )
            )
    for counts in syntology.by_repo_kind:
        ours = [sample for sample in syntology.samples if sample.repo_kind == counts.kind]
        ran = sum(sample.status not in (None, UNVERIFIED) for sample in ours)
        repositories = len({sample.repo.lower() for sample in ours})
        for key, says, is_ in (
            ("samples", counts.samples, len(ours)),
            ("ran", counts.ran, ran),
            ("repositories", counts.repositories, repositories),
        ):
            if says is not None and says != str(is_):
                found.append(
                    (
                        f"by_repo_kind.{counts.kind}.{key}",
                        f"says {says}, the samples give {is_}",
                    )
                )
    return found


def _same_arxiv(one: str, other: str | None) -> bool:
    if other is None:
        return False
    first, second = arxiv.parse(one), arxiv.parse(other)
    return one == other if first is None or second is None else first.id == second.id
