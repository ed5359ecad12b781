"""Which metric values get a number, and that each gets the right one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg import measures
from kg.measures import Measure
from kg.values import decimal


@pytest.mark.parametrize(
    ("text", "value", "unit", "uncertainty"),
    [
        ("85.5", "85.5", None, None),
        ("-0.46", "-0.46", None, None),
        (".931", "0.931", None, None),
        ("\u22125.3", "-5.3", None, None),
        ("1.91e-4", "0.000191", None, None),
        ("78.0%", "78", "percent", None),
        ("57.37 %", "57.37", "percent", None),
        ("79.6%%", "79.6", "percent", None),
        ("110.7%", "110.7", "percent", None),
        ("40M", "40000000", None, None),
        ("3.2m", "3200000", None, None),
        ("0.34B", "340000000", None, None),
        ("580k", "580000", None, None),
        ("1.82 M", "1820000", None, None),
        ("0.57 ± 0.23", "0.57", None, "0.23"),
        ("2.42±0.01", "2.42", None, "0.01"),
        ("83.6% ±0.07", "83.6", "percent", "0.07"),
        ("83.6 ± 0.07%", "83.6", "percent", "0.07"),
        ("1.5 +/- 0.5", "1.5", None, "0.5"),
        ("2,200", "2200", None, None),
        ("1,514,187", "1514187", None, None),
        ("12,629.0", "12629", None, None),
        ("76,2%", "76.2", "percent", None),
        ("82,5", "82.5", None, None),
        ("0,123", "0.123", None, None),
        ("1234,567", "1234.567", None, None),
        ("86.39*", "86.39", None, None),
        ("56.4&", "56.4", None, None),
        ("88.1†", "88.1", None, None),
        ("**55.6**", "55.6", None, None),
        ("\ufeff93.3", "93.3", None, None),
        ("33.3 (Titan Xp)", "33.3", None, None),
        ("108.8(2080Ti)", "108.8", None, None),
        ("55.86 (KNN)", "55.86", None, None),
    ],
)
def test_a_text_with_one_reading_has_its_number(
    text: str, value: str, unit: str | None, uncertainty: str | None
) -> None:
    assert measures.read(text) == Measure(value, unit, uncertainty)


@pytest.mark.parametrize(
    "text",
    ["", "-", "--", "---", "N/A", "/", "?", "\u2212", "\u2013", "No", "kindness", "**Recall**",
     "87.9/92.8", "91.6/91.1*", "56.9x1", "87:1", "2-100", "(>60.32)", "~257M", "43B?", "39.9+",
     "60.9+", "0.63.3", "2.2.M", "82.784.3", "O.753", "0.33s/img", "0.0x",
     "improving about 0.2-0.3dB",
     "(32.76 32.07 26.26 22.74)", "(7.3, 13.8, 16.9, 19.1, 20.8) on 2% ~ 10%", "12,34,56",
     "1,23,456",
     "17.1(16.1 with basic dynamic evaluation)", "94.6 (14  gestures) , 91.9 (28 gestures )",
     "20 per node", "± 0.5", "0.5 ±", "0.5 ± -0.1", "NaN", "Infinity", "1.2.3 ± 4",
     "\u0663.\u0665"],
)  # fmt: skip
def test_a_text_with_none_or_several_has_no_number(text: str) -> None:
    assert measures.read(text) is None


READ = {
    "plain number", "scientific", "percent", "suffix K/M/B", "plus-minus", "thousands comma",
    "decimal comma", "BOM prefix", "json number",
}  # fmt: skip
NOT_READ = {
    "text", "missing marker", "empty", "pair a/b", "product a x b", "other starting with digit",
}  # fmt: skip
SOME = {
    "footnote/typo mark": {"39.9+"},
    "markdown bold": {"**Recall**"},
    "number (note)": {
        "94.6 (14  gestures) , 91.9 (28 gestures )",
        "17.1(16.1 with basic dynamic evaluation)",
    },
}
"""Classes of which some have no number: those."""


def test_every_real_value_has_a_number_by_its_class(shared: Path) -> None:
    rows = (shared / "records" / "metrics" / "metric-values.tsv").read_text("utf-8").splitlines()
    seen = set()
    for row in rows[1:]:
        class_, told, *_ = row.split("\t")
        decoded = json.loads(told)
        text = decoded if isinstance(decoded, str) else told
        seen.add(class_)
        expected = class_ in READ or (class_ in SOME and text not in SOME[class_])
        assert (measures.read(text) is not None) == expected, (class_, text)
        assert class_ in READ | NOT_READ | SOME.keys()
    assert len(rows) == 605
    assert seen == READ | NOT_READ | SOME.keys()


@given(st.text(max_size=20))
def test_what_is_read_is_canonical(text: str) -> None:
    found = measures.read(text)
    if found is not None:
        assert decimal(found.value) == found.value
        assert found.uncertainty is None or decimal(found.uncertainty) == found.uncertainty
        assert any(character.isdigit() for character in text)
