from __future__ import annotations

from decimal import Decimal

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg import licences, values
from kg.namespaces import XSD


def stored(text: str, datatype: str) -> str:
    """Return what the store makes of a literal."""
    place = ox.NamedNode("http://e.org/x")
    store = ox.Store()
    store.add(ox.Quad(place, place, ox.Literal(text, datatype=ox.NamedNode(XSD + datatype))))
    (quad,) = store
    assert isinstance(quad.object, ox.Literal)
    return quad.object.value


NUMBERS = st.from_regex(r"[+-]?([0-9]{0,40}\.?[0-9]{1,40})([eE][+-]?[0-9]{1,2})?", fullmatch=True)


@given(NUMBERS)
def test_a_decimal_keeps_its_value_to_the_last_digit(text: str) -> None:
    found = values.decimal(text)
    assert found is not None
    assert Decimal(found) == Decimal(text)


@given(st.from_regex(r"[+-]?[0-9]{0,15}\.?[0-9]{1,15}", fullmatch=True))
def test_a_decimal_is_what_the_store_would_write(text: str) -> None:
    found = values.decimal(text)
    assert found is not None
    assert stored(found, "decimal") == found


@pytest.mark.parametrize("text", ["85.0", "85", "85.00", "+85", "085"])
def test_one_number_has_one_decimal(text: str) -> None:
    assert values.decimal(text) == "85"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-",
        ".",
        "NaN",
        "Infinity",
        "-Infinity",
        "INF",
        "1,000",
        "85%",
        "1e",
        "1_000",
        "٣",
        "0x10",
        "1e9999",
    ],
)
def test_what_is_no_plain_number_has_no_decimal(text: str) -> None:
    assert values.decimal(text) is None


@given(st.integers(min_value=-(10**40), max_value=10**40))
def test_an_integer_keeps_every_digit(number: int) -> None:
    assert values.integer(f"{number}") == str(number)
    assert values.integer(f"{number}.0") == str(number)


@pytest.mark.parametrize("text", ["", "1.5", "1e3", "x", "1.", "--1", "true"])
def test_what_is_no_integer_is_none(text: str) -> None:
    assert values.integer(text) is None


@pytest.mark.parametrize(
    ("text", "is_"),
    [
        ("1", "true"),
        ("true", "true"),
        ("True", "true"),
        ("0", "false"),
        ("False", "false"),
        ("yes", None),
        ("", None),
        ("2", None),
    ],
)
def test_booleans_are_read_in_their_known_spellings_only(text: str, is_: str | None) -> None:
    assert values.boolean(text) == is_


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2021-06-15", ("date", "2021-06-15")),
        ("2021-06", ("gYearMonth", "2021-06")),
        ("2021", ("gYear", "2021")),
        ("2222-01-01", ("date", "2222-01-01")),
        ("2020-02-29", ("date", "2020-02-29")),
        ("2021-02-29", None),
        ("2021-13", None),
        ("2021-00-01", None),
        ("0000", None),
        ("21-06-15", None),
        ("2021-6-15", None),
        ("June 2021", None),
    ],
)
def test_dates_are_days_months_or_years_that_exist(
    text: str, found: tuple[str, str] | None
) -> None:
    assert values.calendar_value(text) == found
    if found:
        assert stored(found[1], found[0]) == found[1]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2026-09-24T18:15:14+00:00", "2026-09-24T18:15:14Z"),
        ("2026-09-24T18:15:14.500+02:00", "2026-09-24T18:15:14.5+02:00"),
        ("2026-09-24T18:15:14.000Z", "2026-09-24T18:15:14Z"),
        ("2026-09-24T18:15:14", "2026-09-24T18:15:14"),
        ("2026-09-31T18:15:14Z", None),
        ("2026-09-24T24:15:14Z", None),
        ("2026-09-24 18:15:14", None),
    ],
)
def test_times_are_canonical_as_the_store_writes_them(text: str, found: str | None) -> None:
    assert values.date_time(text) == found
    if found:
        assert stored(found, "dateTime") == found


def test_only_lone_surrogates_are_altered() -> None:
    assert values.scalar_text("half \ud835 NUL \x00 VT \x0b \u2028 \ufeff") == (
        "half \ufffd NUL \x00 VT \x0b \u2028 \ufeff",
        True,
    )
    assert values.scalar_text("whole \U0001d465") == ("whole \U0001d465", False)


@pytest.mark.parametrize(
    ("url", "iri"),
    [
        (
            "https://creativecommons.org/licenses/by-sa/4.0/legalcode",
            "https://creativecommons.org/licenses/by-sa/4.0/",
        ),
        (
            "http://creativecommons.org/licenses/by/4.0",
            "https://creativecommons.org/licenses/by/4.0/",
        ),
        (
            "https://creativecommons.org/publicdomain/zero/1.0/deed.de",
            "https://creativecommons.org/publicdomain/zero/1.0/",
        ),
        (
            "https://creativecommons.org/licenses/by/3.0/us/",
            "https://creativecommons.org/licenses/by/3.0/us/",
        ),
        ("https://e.org/licence", "https://e.org/licence"),
    ],
)
def test_creative_commons_addresses_become_the_licences_iri(url: str, iri: str) -> None:
    assert licences.url_iri(url) == iri


@pytest.mark.parametrize(
    "archive", ["pwc-archive (Hugging Face)", "a, CC BY-SA 4.0 or later", "", "CC BY-SA 4.0,"]
)
def test_a_licence_is_named_only_by_its_exact_name(archive: str) -> None:
    assert licences.name_in_archive(archive) is None
