from __future__ import annotations

import pytest

from kg import arxiv


@pytest.mark.parametrize(
    ("text", "id_", "version"),
    [
        ("2106.08087", "2106.08087", None),
        ("arXiv:2106.08087v6", "2106.08087", "6"),
        ("https://arxiv.org/abs/2106.08087v6", "2106.08087", "6"),
        ("http://arxiv.org/pdf/2106.08087v6.pdf", "2106.08087", "6"),
        ("0704.0001", "0704.0001", None),
        ("1412.9999", "1412.9999", None),
        ("1501.00001v1", "1501.00001", "1"),
        ("1901.00010", "1901.00010", None),
        ("2012.99999", "2012.99999", None),
        ("hep-th/9107001", "hep-th/9107001", None),
        ("cs/0703999", "cs/0703999", None),
        ("cs.AI/0001001", "cs/0001001", None),
        ("https://arxiv.org/abs/cs/9901001v1", "cs/9901001", "1"),
        ("https://arxiv.org/abs/math/9901001v1", "math/9901001", "1"),
        ("arXiv:hep-th/9901001", "hep-th/9901001", None),
        ("math.GT/0309136", "math/0309136", None),
        ("https://arxiv.org/pdf/cs/9901001", "cs/9901001", None),
        ("arXiv:hep-th/1601.07616", "1601.07616", None),
        ("https://doi.org/10.48550/arXiv.2106.08087", "2106.08087", None),
        ("https://www.doi.org/10.48550/arXiv.2106.08087v2", "2106.08087", "2"),
        ("DOI 10.48550/arXiv.2106.08087", "2106.08087", None),
        ("info:doi/10.48550/arXiv.2106.08087", "2106.08087", None),
    ],
)
def test_each_form_of_an_identifier_is_read(text: str, id_: str, version: str | None) -> None:
    assert arxiv.parse(text) == arxiv.ArxivId(id_, version)


@pytest.mark.parametrize(
    "text",
    [
        "9901001",
        "2113.00001",
        "2100.00001",
        "1401.12345",
        "1501.1234",
        "2106.080871",
        "",
        "cs/9913001",
        "https://e.org/abs/2106.08087",
        "10.1000/182",
        "2106.08087v0",
        "2106.00000",
        "0704.0000",
        "0703.0001",
        "9901.12345",
        "9912.0001",
        "9101.12345",
        "0004.00001",
        "hep-th/9106001",
        "hep-th/9901000",
        "hep-th/0704001",
        "hep-th/2106001",
        "https://arxiv.org/abs/2106.00000",
    ],
)
def test_what_is_no_identifier_is_none(text: str) -> None:
    assert arxiv.parse(text) is None


def test_the_iris_keep_the_slash_of_an_old_identifier() -> None:
    parsed = arxiv.parse("math.GT/0309136")
    assert parsed is not None
    assert parsed.iri == "https://arxiv.org/abs/math/0309136"
    assert parsed.doi_iri == "https://doi.org/10.48550/arxiv.math/0309136"
