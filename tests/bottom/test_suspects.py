from __future__ import annotations

import json
from pathlib import Path

import pytest

from kg import suspects
from kg.suspects import reason


@pytest.mark.parametrize(
    "text",
    [
        "How do I call Expedia +1-888-555-0123",
        "☎ 1 (888) 555 0123",
        "Call (+1)⇢888⇢555⇢0123 for help",
        "number 1-855-555-0199 open now",
        "Wallet support number 1_844_555_0100",
        "Call (2) [888] 555 - 0123",
        "(1888)-555-0123",
    ],
)
def test_a_phone_number_is_suspect(text: str) -> None:
    assert reason(text) == "a phone number" or reason(text) == "the words of a call centre"


@pytest.mark.parametrize(
    "text",
    [
        "###Can I Cancel Lufthansa Airlines Flight?",
        "¿Cómo llamar a la aerolíneas? Teléfono",
        "Refund policy, customer service",
        "Lufthansa Airlines Flight Reservation",
        "Every flight can be changed. " * 9 + "A ticket is easy to cancel.",
    ],
)
def test_the_words_of_a_call_centre_are_suspect(text: str) -> None:
    assert reason(text) == "the words of a call centre"


@pytest.mark.parametrize(
    "text",
    [
        "BERT",
        "ResNet-50 with 25,557,032 parameters and 4089184256 FLOPs",
        "arXiv 1706.03762, published 2017-06-12",
        "Airline passenger numbers, 1949 to 1960",
        "Trained on 2 8-core machines; 300 000 000 tokens",
        "isbn 978-3-16-148410-0",
        "Questions of people who look for a flight: " * 9
        + "a flight-booking task, with ticket prices",
        "| Who (2012)                        |    52.5     |    42.3     | 13 |",
        "|Who (2012)|52.5|42.3|13|",
        "| Who | (12)                        |    52.5     |    42.3     | 134 |",
        "found by others before (2012.12345, 1806.09029)",
        "",
        None,
    ],
)
def test_what_papers_say_is_not(text: str | None) -> None:
    assert reason(text) is None


def test_an_empty_form_is_suspect_only_where_the_archive_does_not_list_the_thing() -> None:
    text = suspects.PLACEHOLDER.capitalize()
    assert reason("x", text) is None
    assert reason("x", text, is_listed=False) == "the text of an empty form"


def test_of_a_thousand_real_methods_hardly_any_is_suspect(shared: Path) -> None:
    path = shared / "records" / "archive" / "methods.1044-records.json"
    rows = json.loads(path.read_text("utf-8"))
    found = [
        row["name"] for row in rows if reason(row["name"], row["full_name"], row["description"])
    ]
    assert len(found) <= 3, found
