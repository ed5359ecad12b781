"""The nodes of a row of ``links-between-papers-and-code``."""

from __future__ import annotations

from kg.mapper.archive import archive_record, unknown_paper_key
from kg.mapper.code import code_link
from kg.mapper.draft import Draft, Node, node
from kg.mapper.papers import identify
from kg.records.archive_link import ArchiveLink


def archive_link_nodes(draft: Draft, record: ArchiveLink) -> list[Node]:
    """Return the nodes of a link: its paper with the link in it, and the source record.

    All rows of one paper have one source record. A paper that nothing of the corpus describes has
    a key space of its own.
    """
    slug = draft.known_paper(record.paper_url, record.paper_arxiv_id)
    if slug is None and record.paper_url_abs is not None:
        slug = draft.known_paper(record.paper_url_abs)
    if slug is not None:
        paper, name = draft.thing("paper", slug), slug
    else:
        name = unknown_paper_key(record.paper_url or record.paper_url_abs, record.paper_arxiv_id)
        paper = node(draft.minter.unknown_paper(name), "Paper")
    source = archive_record(draft, record.kind, name, None)
    link = code_link(
        draft,
        str(paper["@id"]),
        record.repo_url,
        "repo_url",
        None,
        is_official=record.is_official,
        mentioned_in_paper=record.mentioned_in_paper,
        mentioned_in_github=record.mentioned_in_github,
        framework=draft.concept("framework", record.framework, "framework"),
        records=source["@id"],
    )
    addresses = {
        "paper_url": (record.paper_url, "paper_url"),
        "paper_url_abs": (record.paper_url_abs, "paper_url_abs"),
        "paper_url_pdf": (record.paper_url_pdf, "paper_url_pdf"),
    }
    paper |= draft.places(addresses) | {"code_links": link}
    if record.paper_title is not None:
        paper["paper_title"] = record.paper_title
    page = record.paper_url_abs or record.paper_url
    identify(draft, paper, record.paper_arxiv_id, page, "paper_arxiv_id")
    return [paper, source]
