"""Faults in an array: what stands behind one is read where it is known where it begins."""

import json

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kg.sources import json_values
from kg.sources.json_stream import stream
from kg.sources.json_values import JsonError, decode


def blocks(data: bytes, size: int) -> list[bytes]:
    return [data[start : start + size] for start in range(0, len(data), size)]


def read(text: str, size: int = 1000) -> tuple[list[object], JsonError | None]:
    """Return the elements, errors as where they are, and what was raised."""
    found: list[object] = []
    try:
        found.extend(
            (value.line, value.column) if isinstance(value, JsonError) else value
            for value in stream(blocks(text.encode(), size))
        )
    except JsonError as error:
        return found, error
    return found, None


A, B, C = {"a": "x"}, {"b": ["y"]}, {"c": {"d": {}}}
LAYOUTS = {
    "a line each": '[\n{"a": "x"},\n%s,\n{"b": ["y"]},\n{"c": {"d": {}}}\n]\n',
    "brackets beside them": '[{"a": "x"},\n%s,\n{"b": ["y"]},\n{"c": {"d": {}}}]',
    "indented": '[\n  {"a": "x"},\n  %s,\n  {\n    "b": [\n      "y"\n    ]\n  },\n'
    '  {"c": {"d": {\n  }}}\n]',
    "with tabs": '[\r\n\t{"a": "x"},\r\n\t%s,\r\n\t{"b": ["y"]},\r\n\t{"c": {"d": {}}}\r\n]\r\n',
}


@pytest.mark.parametrize("size", [1, 7, 1000])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    "bad",
    [
        '{"a" "x"}',
        '{"a": ',
        '{"a": "x',
        '{"a": [}',
        "{",
        '{"a": "\t"}',
        "what?",
        '{"a": 1}}',
        "",
        '{"a": "x"} {}',
    ],
)
def test_an_element_that_is_broken_costs_itself(bad: str, layout: str, size: int) -> None:
    found, fault = read(LAYOUTS[layout] % bad, size)
    assert fault
    assert fault.is_passed
    assert fault.line == (2 if layout == "brackets beside them" else 3) or bad == ""
    whole = [value for value in found if isinstance(value, dict)]
    expected = [A, B, C]
    if bad.startswith('{"a": 1}}'):  # the element is whole, what stands behind it is not
        expected = [A, {"a": "1"}, B, C]
    elif bad == '{"a": "x"} {}':
        expected = [A, A, B, C]
    assert whole == expected
    assert len(found) == len(whole) + 1


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_missing_comma_costs_nothing_and_is_a_fault(layout: str) -> None:
    text = (LAYOUTS[layout] % '{"e": 1}').replace('{"e": 1},', '{"e": 1}')
    found, fault = read(text)
    assert found == [A, {"e": "1"}, B, C]
    assert fault
    assert fault.is_passed
    assert fault.reason == "expecting ',' or ']' in the array"


@pytest.mark.parametrize(
    "text",
    [
        '[{"a": "x"}, {"a" "x"}, {"b": ["y"]}]',
        # The objects inside stand as the elements do: which is which is not known.
        '[\n{\n"a": [\n{"t": 1}\n]\n},\n{"a" 1},\n{"a": 2}\n]',
        '[\n  {"a": [\n  {"t": 1}\n  ]},\n  {"a" 1},\n  {"a": 2}\n]',
        '[\n  {"a": 1},\n{"a": 2},\n  {"a" 1},\n  {"a": 2}\n]',
        '[\n{\n"a" 1\n},\n{\n"a": 2\n}\n]',
    ],
)
def test_where_the_next_element_is_not_known_the_rest_is_not_read(text: str) -> None:
    found, fault = read(text)
    assert fault
    assert not fault.is_passed
    before, _, _ = text.partition('{"a" ')
    if before != text:
        assert found == decode(before.rstrip().removesuffix(",") + "]")


def test_an_array_that_is_cut_is_cut_behind_a_fault_too() -> None:
    found, fault = read('[\n{"a": "x"},\n{"a" 1},\n{"b": ["y"]},\n{"c": ')
    assert found == [A, (3, 6), B]
    assert fault
    assert (fault.is_cut, fault.is_passed, fault.line) == (True, False, 5)


def test_what_follows_an_array_is_read_behind_a_fault_in_it() -> None:
    found, fault = read('[\n {"a" 1},\n {"b": ["y"]}\n]\n{"a": "x"}')
    assert found == [(2, 7), B, A]
    assert fault
    assert fault.is_passed


def test_an_element_longer_than_any_record_is_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_values, "LONGEST", 1000)
    text = '[\n {"a": "x"},\n {"long": "' + "x" * 5000 + '"},\n {"b": ["y"]}\n]'
    found, fault = read(text, 100)
    assert found == [A, (3, 2), B]
    assert fault
    assert fault.reason == "a value of more than 1000 characters is no record"


VALUES = st.recursive(
    st.none() | st.integers() | st.text(alphabet='ab{}[]",:\\ü', max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text(max_size=3), VALUES, min_size=1)
ELEMENTS = st.lists(OBJECTS, min_size=2, max_size=5)
CHARACTERS = st.sampled_from('{}[]",:\\ a1')


@given(ELEMENTS, st.integers(0, 3), st.data(), st.integers(1, 60))
def test_no_single_slip_in_an_element_costs_another_one(
    elements: list[object], indent: int, data: st.DataObject, size: int
) -> None:
    """Every element but the altered one is read as it is."""
    lines = [json.dumps(one, ensure_ascii=False, indent=indent or None) for one in elements]
    at = data.draw(st.integers(0, len(elements) - 1))
    line = lines[at]
    place = data.draw(st.integers(0, len(line) - 1))
    change = data.draw(st.sampled_from(["replace", "insert", "delete"]))
    slip = "" if change == "delete" else data.draw(CHARACTERS)
    if line[place] != "\n":
        lines[at] = line[:place] + slip + line[place + (change != "insert") :]
    assume(not lines[at].startswith("["))  # an array of all that follow, which only its end lacks
    assume("\n{" not in lines[at])  # a line that now begins as an element does
    pad = " " * indent
    body = ",\n".join(pad + one.replace("\n", "\n" + pad) for one in lines)
    found, fault = read(f"[\n{body}\n]\n", size)
    whole = [value for value in found if not isinstance(value, tuple)]
    others = [decode(json.dumps(one)) for one in elements]
    try:
        others[at] = decode(lines[at])
    except JsonError:
        assert fault
        del others[at]
        if fault.is_passed:  # what was altered is refused, or is something else and a refusal
            assert whole[:at] + whole[len(whole) - (len(others) - at) :] == others
            assert len(found) > len(whole) or len(whole) > len(others)
        elif at == len(others):  # nothing stands behind it
            assert whole[:at] == others
        else:  # how the elements stand was not known yet
            assert at == 0
            assert len(whole) <= 1
    else:
        assert fault is None
        assert whole == others
