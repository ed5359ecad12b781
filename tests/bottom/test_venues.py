from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg import values, venues


@pytest.mark.parametrize(
    ("text", "name", "year", "month"),
    [
        ("ACL 2022 5", "ACL", "2022", "5"),
        ("ICLR 2020", "ICLR", "2020", None),
        ("Findings (NAACL) 2022 7", "Findings (NAACL)", "2022", "7"),
        ("BioNLP (ACL) 2022 12", "BioNLP (ACL)", "2022", "12"),
        ("SemEval 2020 Task 5 2021 8", "SemEval 2020 Task 5", "2021", "8"),
        ("COLING 1996 08", "COLING", "1996", "8"),
        ("  WS\t2018  11 ", "WS", "2018", "11"),
    ],
)
def test_venue_year_and_month_are_read(text: str, name: str, year: str, month: str | None) -> None:
    assert venues.parse(text) == venues.Venue(name, year, month)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "ACL",
        "2022",
        "2022 5",
        "ACL 2022 0",
        "ACL 2022 13",
        "ACL 2022 5 22",
        "ACL 2022-05",
        "ACL 1822 5",
        "ACL2022 5",
        "ACL 20221",
        "Nature 582",
        "ACL ٢٠٢٢ 5",
    ],
)
def test_what_reads_otherwise_is_no_venue(text: str) -> None:
    assert venues.parse(text) is None


@given(st.text())
def test_what_is_read_says_the_text_again(text: str) -> None:
    venue = venues.parse(text)
    if venue is not None:
        again = " ".join(part for part in (venue.name, venue.year, venue.month) if part)
        assert venues.parse(again) == venue
        assert values.integer(venue.year) == venue.year
