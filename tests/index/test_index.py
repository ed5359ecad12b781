from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.index import BY_ADDRESS, BY_ARXIV, BY_DOI, BY_PAGE, FoundPaper, Index
from kg.records import Record
from kg.records.names import Identified, Named


@dataclass
class Told:
    """As much of a record as the index asks for."""

    named: list[Named] = field(default_factory=list)
    papers: list[Identified] = field(default_factory=list)

    def names(self) -> Iterator[Named]:
        yield from self.named

    def identified(self) -> Iterator[Identified]:
        yield from self.papers


def index_of(*records: Told, path: Path | None = None) -> Index:
    index = Index(path)
    for record in records:
        index.learn(cast("Record", record))
    return index


ATTENTION = Told(
    papers=[Identified("attention", "1706.03762", "http://arxiv.org/abs/1706.03762v5")]
)
PUBLISHED = Told(papers=[Identified("published", None, "http://dx.doi.org/10.1234/Abc.5")])
ELSEWHERE = Told(papers=[Identified("else", None, "https://www.example.org/P/1/?a=b#c")])


@pytest.mark.parametrize(
    ("url", "arxiv_id", "found"),
    [
        ("https://paperswithcode.com/paper/any", None, FoundPaper("any", BY_ADDRESS)),
        ("/paper/any", None, FoundPaper("any", BY_ADDRESS)),
        ("https://arxiv.org/abs/1706.03762", None, FoundPaper("attention", BY_ARXIV)),
        ("http://arxiv.org/pdf/1706.03762v2.pdf", None, FoundPaper("attention", BY_ARXIV)),
        (None, "arXiv:1706.03762v9", FoundPaper("attention", BY_ARXIV)),
        ("https://unknown.example/x", "1706.03762", FoundPaper("attention", BY_ARXIV)),
        ("doi:10.1234/ABC.5", None, FoundPaper("published", BY_DOI)),
        ("https://doi.org/10.1234/abc.5", None, FoundPaper("published", BY_DOI)),
        ("https://doi.org/10.48550/arXiv.1706.03762", None, FoundPaper("attention", BY_ARXIV)),
        ("https://doi.org/10.1234/abc.6", None, None),
        ("http://example.org/P/1/?a=b", None, FoundPaper("else", BY_PAGE)),
        ("https://EXAMPLE.org/P/1/?a=b#other", None, FoundPaper("else", BY_PAGE)),
        ("https://example.org/p/1/?a=b", None, None),
        ("https://example.org/paper/any", None, None),
        ("https://arxiv.org/abs/1706.03763", None, None),
        ("", None, None),
        (None, None, None),
    ],
)
@pytest.mark.parametrize("on_disk", [False, True])
def test_a_paper_is_found_by_what_identifies_it(
    url: str | None, arxiv_id: str | None, found: FoundPaper | None, on_disk: bool, tmp_path: Path
) -> None:
    index = index_of(ATTENTION, PUBLISHED, ELSEWHERE, path=tmp_path / "i" if on_disk else None)
    assert index.paper(url, arxiv_id) == found
    index.close()


def test_what_two_papers_claim_finds_neither_and_what_one_claims_twice_finds_it() -> None:
    twin = Told(papers=[Identified("twin", "1706.03762", None)])
    assert index_of(ATTENTION, ATTENTION).paper(None, "1706.03762") is not None
    assert index_of(ATTENTION, twin).paper(None, "1706.03762") is None


def test_what_is_learned_after_a_look_up_is_found_too() -> None:
    index = index_of(ELSEWHERE)
    assert index.paper(None, "1706.03762") is None
    index.learn(cast("Record", ATTENTION))
    assert index.paper(None, "1706.03762") == FoundPaper("attention", BY_ARXIV)


def test_a_name_has_all_slugs_that_records_give_it_by_kind() -> None:
    index = index_of(
        Told([Named("task", "ner", "NER"), Named("task", "ner-1", "NER")]),
        Told([Named("dataset", "ner", "NER")]),
    )
    assert index.slugs("task", "NER") == {"ner", "ner-1"}
    assert index.slugs("dataset", "NER") == {"ner"}
    assert index.slugs("method", "NER") == frozenset()


@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.sampled_from(["1706.03762", "2101.00001", None])),
        max_size=12,
    )
)
def test_a_paper_is_found_where_exactly_one_slug_has_the_identifier(
    told: list[tuple[str, str | None]],
) -> None:
    index = index_of(Told(papers=[Identified(slug, arxiv_id, None) for slug, arxiv_id in told]))
    for arxiv_id in ("1706.03762", "2101.00001"):
        slugs = {slug for slug, one in told if one == arxiv_id}
        found = index.paper(None, arxiv_id)
        assert (found.slug if found else None) == (next(iter(slugs)) if len(slugs) == 1 else None)
