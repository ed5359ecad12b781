"""The forms of a DOI; case LNK-03."""

from __future__ import annotations

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg import dois


@pytest.mark.parametrize(
    "text",
    [
        "10.1234/ABC.5",
        "10.1234/abc.5",
        "https://doi.org/10.1234/Abc.5",
        "http://dx.doi.org/10.1234/abc.5",
        "https://www.doi.org/10.1234/abc.5?a=b#c",
        "HTTPS://DOI.ORG/10.1234/ABC%2e5",
        "doi:10.1234/ABC.5",
        "DOI: 10.1234/abc.5",
        "DOI 10.1234/abc.5.",
        "info:doi/10.1234/abc.5",
        " 10.1234/abc.5, ",
    ],
)
def test_all_forms_of_one_doi_are_one(text: str) -> None:
    doi = dois.parse(text)
    assert doi == dois.Doi("10.1234/abc.5")
    assert doi is not None
    assert doi.iri == "https://doi.org/10.1234/abc.5"


def test_only_ascii_letters_fold() -> None:
    first, second = dois.parse("10.1234/\u00c91"), dois.parse("10.1234/\u00e91")
    assert first is not None
    assert second is not None
    assert (first.id, second.id) == ("10.1234/\u00c91", "10.1234/\u00e91")
    assert first.iri != second.iri
    assert dois.parse("https://doi.org/10.1234/%C3%891") == first


@pytest.mark.parametrize(
    "text",
    [
        "",
        "10.1234/",
        "10.1234",
        "10.12/x",
        "11.1234/x",
        "10.1234/.",
        "10.1234/a b",
        "10.1234/a\u00a0b",
        "https://doi.org/10.1234/%00",
        "see 10.1234/x",
        "https://e.org/10.1234/x",
        "https://doi.org/",
        "1706.03762",
    ],
)
def test_what_is_no_doi_is_none(text: str) -> None:
    assert dois.parse(text) is None


@given(st.text(st.characters(exclude_categories=["Cs", "Z", "Cc"]), min_size=1))
def test_a_doi_stays_the_same_through_its_address(suffix: str) -> None:
    doi = dois.parse(f"10.1234/{suffix}")
    if doi is not None:
        assert dois.parse(doi.id) == doi
        assert dois.parse(ox.NamedNode(doi.iri).value) == doi
