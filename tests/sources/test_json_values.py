"""JSON out of blocks: however the bytes are cut, the values are those of json.loads."""

import contextlib
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.sources import json_values
from kg.sources.json_stream import stream
from kg.sources.json_values import JsonError, Object, decode
from kg.values import Number

_SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["\u2028", "\ud835", "\U0001d465", '"', "\\", "\x00", "\ufeff"])
)
VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
BLANK = st.text(alphabet=" \t\r\n", max_size=4)


def blocks(data: bytes, size: int) -> list[bytes]:
    return [data[start : start + size] for start in range(0, len(data), size)]


def plain(value: object) -> object:
    """Return a value with every number as its text, as json.loads reads it for comparison."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return ("number", str(value)) if isinstance(value, Number) else value


def expected(text: str) -> object:
    def number(text: str) -> object:
        return ("number", text)

    return json.loads(text, parse_float=number, parse_int=number, parse_constant=number)


@given(VALUES, st.booleans(), st.none() | st.integers(0, 3), st.integers(1, 40))
def test_a_value_cut_anywhere_is_what_json_loads_makes_of_it(
    value: object, ascii_only: bool, indent: int | None, size: int
) -> None:
    # Half a surrogate pair can only be written as an escape.
    text = json.dumps([value], ensure_ascii=ascii_only, indent=indent)
    try:
        data = text.encode()
    except UnicodeEncodeError:
        data = (text := json.dumps([value], indent=indent)).encode()
    assert [plain(item) for item in stream(blocks(data, size))] == expected(text)


@given(st.lists(VALUES, max_size=5), BLANK, BLANK, st.integers(1, 20))
def test_the_elements_of_an_array_come_one_by_one(
    values: list[object], before: str, between: str, size: int
) -> None:
    items = f"{between},{between}".join(json.dumps(value) for value in values)
    text = f"{before}[{between}{items}{between}]{before}"
    found = [plain(item) for item in stream(blocks(text.encode(), size))]
    assert found == expected(text)


@given(st.lists(VALUES.map(lambda value: {"v": value}), max_size=5), BLANK, st.integers(1, 20))
def test_objects_may_follow_each_other(values: list[object], between: str, size: int) -> None:
    text = between.join(json.dumps(value) for value in values)
    found = [plain(item) for item in stream(blocks(text.encode(), size))]
    assert found == [expected(json.dumps(value)) for value in values]


@given(st.binary(), st.integers(1, 9))
def test_any_bytes_end_in_values_or_in_a_json_error(data: bytes, size: int) -> None:
    with contextlib.suppress(JsonError):
        found = list(stream(blocks(data, size)))
        # What is no fault is JSON, and the value is that of json.loads.
        if len(found) == 1 and not data.lstrip().startswith(b"["):
            assert plain(found[0]) == expected(data.decode())


@pytest.mark.parametrize("size", range(1, 9))
@pytest.mark.parametrize("text", ["12", "1.5", "-0", "1e+5", "12e-07", "-Infinity", "NaN", "true"])
def test_a_number_is_not_cut_in_two(text: str, size: int) -> None:
    assert list(stream(blocks(text.encode(), size))) == [True if text == "true" else text]
    assert list(stream(blocks(f"[{text},{text} ]".encode(), size))) == 2 * [
        True if text == "true" else text
    ]


def test_numbers_keep_their_text() -> None:
    found = decode('{"a": 1.50, "b": -0, "c": 1e400, "d": [NaN, -Infinity], "e": "1.50"}')
    assert found == {"a": "1.50", "b": "-0", "c": "1e400", "d": ["NaN", "-Infinity"], "e": "1.50"}
    assert isinstance(found, dict)
    assert isinstance(found["a"], Number)
    assert not isinstance(found["e"], Number)
    assert math.isinf(float(found["c"]))


def test_an_integer_of_any_length_is_read() -> None:
    assert decode("9" * 100_000) == "9" * 100_000


def test_a_repeated_key_is_kept_in_mind() -> None:
    found = decode('{"a": 1, "b": {"x": 1, "x": 2, "y": 3, "y": 4}, "c": {"x": 1}}')
    assert isinstance(found, dict)
    assert not isinstance(found, Object)
    assert not isinstance(found["c"], Object)
    assert isinstance(found["b"], Object)
    assert found["b"].duplicates == ("x", "y")
    assert found["b"] == {"x": "2", "y": "4"}


def test_half_a_surrogate_pair_is_no_crash_and_a_whole_one_is_one_character() -> None:
    assert decode(r'"half \ud835 whole \ud835\udc65"') == "half \ud835 whole \U0001d465"


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_a_bomb_of_brackets_is_refused(opening: str) -> None:
    with pytest.raises(JsonError, match="nested too deep"):
        decode(opening * 100_000)
    with pytest.raises(JsonError, match="nested too deep"):
        list(stream([b"[", *blocks(opening.encode() * 100_000, 4096)]))


@pytest.mark.parametrize(
    ("text", "read", "fault"),
    [
        ('[{"a": 1},\n {"b": 2},\n]', 2, (3, 1, "expecting value")),
        ('[{"a": 1},\n {"b": 2}\n', 2, (3, 1, "the text ends inside the array")),
        ('[{"a": 1}, ', 1, (1, 12, "the text ends inside the array")),
        ('[{"a": 1}\n  {"b": 2}]', 1, (2, 3, "expecting ',' or ']' in the array")),
        ('[{"a": 1},\n {"b" 2}]', 1, (2, 7, "expecting ':' delimiter")),
        ('{"a": 1}\n{"b": ', 1, (2, 7, "the text ends inside a value")),
        ('{"a": "x', 0, (1, 7, "unterminated string")),
        ('{"a": "x\n"}', 0, (1, 9, "invalid control character")),
        ("nul", 0, (1, 1, "the text ends inside a value")),
    ],
)
@pytest.mark.parametrize("size", [1, 5, 1000])
def test_a_fault_is_named_by_line_and_column_after_the_values_before_it(
    text: str, read: int, fault: tuple[int, int, str], size: int
) -> None:
    line, column, reason = fault
    values = stream(blocks(text.encode(), size))
    for _ in range(read):
        next(values)
    with pytest.raises(JsonError) as raised:
        next(values)
    assert (raised.value.line, raised.value.column, raised.value.reason) == (line, column, reason)


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize("text", ['{"a": "ü"}\n{"b": "%"} {}', '[{"a": "ü"},\n{"b":"%"}, {}]'])
def test_invalid_utf_8_is_named_by_its_byte_and_costs_one_value(text: str, size: int) -> None:
    first, error, last = stream(blocks(text.encode().replace(b"%", b"\xff\xc3"), size), offset=3)
    assert (first, last) == ({"a": "ü"}, {})
    assert isinstance(error, JsonError)
    assert error.line == 2
    assert error.reason == f"invalid UTF-8 at byte {3 + text.encode().index(b'%')}"


def test_what_is_invalid_right_behind_a_value_does_not_cost_it() -> None:
    values = stream([b'[{"a": "x"}\xff'])
    assert next(values) == {"a": "x"}
    with pytest.raises(JsonError, match="invalid UTF-8 at byte 11"):
        next(values)


def test_a_character_cut_off_at_the_end_is_invalid() -> None:
    (error,) = stream([b'["\xe2', b'\x82"]'])
    assert isinstance(error, JsonError)
    assert error.reason == "invalid UTF-8 at byte 2"


def test_memory_is_bounded_by_one_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_values, "LONGEST", 1000)
    taken = 0

    def endless() -> object:
        nonlocal taken
        while True:
            taken += 1
            yield b'{"key": ' if taken == 1 else b"[1, 2, 3], " * 10

    with pytest.raises(JsonError, match="expecting"):
        list(stream(endless()))
    assert taken < 100

    taken = 0
    found = 0
    for _ in stream(b'[{"a": 1},' if n == 0 else b'{"a": 1},' for n in range(10_000)):
        found += 1
        if found == 9_000:
            break
    assert found == 9_000


def test_a_string_that_never_ends_is_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_values, "LONGEST", 1000)
    with pytest.raises(JsonError, match="more than 1000 characters is no record"):
        list(stream(b'{"a": "' if n == 0 else b"x" * 100 for n in range(10_000)))


def test_the_work_for_a_long_value_is_in_proportion_to_it() -> None:
    # Cut into 60,000 blocks; tried again after each, this would take minutes.
    data = json.dumps({"a": ["x" * 50] * 10_000}).encode()
    assert len(list(stream(blocks(data, 10)))) == 1
