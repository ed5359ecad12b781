from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.media_types import MediaType, choose

JSON, XML, CSV = "application/sparql-results+json", "application/sparql-results+xml", "text/csv"
OFFERED = [JSON, XML, CSV]


# One rule of RFC 9110, section 12.5.1 (or a gentleness of ours), a line.
@pytest.mark.parametrize(
    ("rule", "accept", "chosen"),
    [
        ("no header: the first on offer", [], JSON),
        ("an empty header says nothing", [""], JSON),
        ("anything", ["*/*"], JSON),
        ("one type", [CSV], CSV),
        ("a type in any case", ["Text/CSV"], CSV),
        ("nothing that is on offer", ["image/png"], None),
        ("the weight counts", [f"{JSON};q=0.2, {XML};q=0.9"], XML),
        ("three decimals", [f"{JSON};q=0.001,{XML};q=0.002"], XML),
        ("no weight is 1", [f"{JSON};q=0.9, {XML}"], XML),
        ("white space around ; and ,", [f"{JSON} ; q=0.1 \t,\t{XML} ;\tq=0.2"], XML),
        ("Q as well as q", [f"{JSON};Q=0.2, {XML};Q=0.9"], XML),
        ("equal weights: the first on offer, whatever the order", [f"{CSV}, {JSON}"], JSON),
        ("q=0 excludes", [f"{JSON};q=0, */*;q=0.5"], XML),
        ("q=0.000 excludes", [f"{JSON};q=0.000, */*;q=0.5"], XML),
        ("everything excluded", ["*/*;q=0"], None),
        ("q=0 of a range, a type in it allowed", [f"application/*;q=0, {XML};q=0.1"], XML),
        ("a range of subtypes", ["text/*"], CSV),
        ("a type is more specific than its range", [f"application/*;q=0.9, {JSON};q=0.1"], XML),
        ("a range is more specific than all", ["*/*;q=0.9, application/*;q=0.1"], CSV),
        ("the order of ranges means nothing", [f"{JSON};q=0.1, application/*;q=0.9"], XML),
        ("several lines are one list", ["image/png", XML], XML),
        ("a weight of another line", [f"{JSON};q=0.5", f"{XML};q=0.6"], XML),
        ("empty elements", [f"image/png;q=0.1,, ,{XML}"], XML),
        ("charset=utf-8 fits", [f"{CSV};charset=utf-8"], CSV),
        ("charset in any case and quoted", [f'{CSV};Charset="UTF-8"'], CSV),
        ("another charset does not", [f"{CSV};charset=iso-8859-1"], None),
        ("an unknown parameter excludes nothing", [f"{CSV};version=1.1;header=present"], CSV),
        (
            "a parameter is more specific than none",
            [f"{CSV};q=0.9, {CSV};a=b;q=0.1, {XML};q=.5"],
            XML,
        ),
        ("a comma in a quoted parameter", [f'{CSV};a="x,{JSON}"'], CSV),
        ("a quote in a quoted parameter", [f'{CSV};a="x\\",{JSON},\\""'], CSV),
        ("a weight before other parameters", [f"{JSON};q=0.1;a=b, {XML};q=0.2"], XML),
        ("an element that is no range is passed over", [f"garbage, {XML}"], XML),
        ("an impossible weight: its element is passed over", [f"{JSON};q=7, {XML};q=0.1"], XML),
        ("nothing but garbage is no header", ["garbage;;;="], JSON),
        ("a bare * is everything", ["text/html, image/gif, *; q=.2, */*; q=.2"], JSON),
        ("*/csv is no range", ["*/csv"], None),
        ("a trailing dot", [f"{JSON};q=0., {XML};q=1."], XML),
    ],
)
def test_negotiation(rule: str, accept: list[str], chosen: str | None) -> None:
    assert choose(accept, OFFERED) == chosen, rule


@pytest.mark.parametrize(
    "text", ["", "text", "text/", "/csv", "te xt/csv", "a/b;c", 'a/b;c="', "a/b/c"]
)
def test_what_is_no_media_type(text: str) -> None:
    with pytest.raises(ValueError, match="media type"):
        MediaType.parse(text)


@given(st.text(alphabet='ab/*;,="\\q0.1 \t', max_size=60))
def test_no_accept_header_breaks_it(header: str) -> None:
    assert choose([header], OFFERED) in {*OFFERED, None}


@given(st.permutations([f"{JSON};q=0.3", f"{XML};q=0.7", "text/*;q=0.5", "*/*;q=0.1"]))
def test_the_order_of_elements_never_matters(elements: list[str]) -> None:
    assert choose([", ".join(elements)], OFFERED) == XML
    assert choose(elements, OFFERED) == XML


def test_a_long_header_of_open_quotes_is_read_in_no_time() -> None:
    assert choose(['"\\' * 100_000], OFFERED) == JSON
