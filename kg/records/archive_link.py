"""A row of the archive's dump ``links-between-papers-and-code``: one repository of one paper."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from kg.findings import Finding
from kg.iris import path_slug
from kg.records.fields import Fields
from kg.records.names import Identified, Named


@dataclass(frozen=True, slots=True)
class ArchiveLink:
    """A row of ``links-between-papers-and-code``.

    *id* is what the row names its paper by; *slug* is None where that is no address of a paper on
    Papers with Code. Flags are ``true``, ``false`` or None.
    """

    kind: ClassVar[str] = "links-between-papers-and-code"
    id: str
    paper_url: str | None
    slug: str | None
    paper_title: str | None
    paper_arxiv_id: str | None
    paper_url_abs: str | None
    paper_url_pdf: str | None
    repo_url: str
    is_official: str | None
    mentioned_in_paper: str | None
    mentioned_in_github: str | None
    framework: str | None
    findings: list[Finding] = field(default_factory=list, compare=False)

    OPEN_MAPS: ClassVar[frozenset[str]] = frozenset()
    REPEATED: ClassVar[dict[str, str]] = {}

    def names(self) -> Iterator[Named]:
        """Yield nothing: the row names no task, method or dataset."""
        yield from ()

    def identified(self) -> Iterator[Identified]:
        """Yield what identifies the paper elsewhere, where the row has its slug."""
        if self.slug is not None:
            yield Identified(self.slug, self.paper_arxiv_id, self.paper_url_abs)


def recognises(value: dict[str, object]) -> bool:
    """Say whether a JSON object is a row of the dump."""
    return "repo_url" in value and "paper_url" in value


def read(value: object) -> ArchiveLink:
    """Read a row; :class:`~kg.errors.RecordError` where a field cannot be read."""
    findings: list[Finding] = []
    fields = Fields(value, "", findings)
    url = fields.text("paper_url")
    abstract_page = fields.text("paper_url_abs")
    arxiv_id = fields.text("paper_arxiv_id")
    if url is None and abstract_page is None and arxiv_id is None:
        raise fields.refusal("paper_url", "a link needs a paper: an address or an arXiv identifier")
    record = ArchiveLink(
        id=url or abstract_page or arxiv_id or "",
        paper_url=url,
        slug=path_slug(url, "paper") if url else None,
        paper_title=fields.text("paper_title"),
        paper_arxiv_id=arxiv_id,
        paper_url_abs=abstract_page,
        paper_url_pdf=fields.text("paper_url_pdf"),
        repo_url=fields.required("repo_url"),
        is_official=fields.flag("is_official"),
        mentioned_in_paper=fields.flag("mentioned_in_paper"),
        mentioned_in_github=fields.flag("mentioned_in_github"),
        framework=fields.text("framework"),
        findings=findings,
    )
    fields.done()
    return record
