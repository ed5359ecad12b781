r"""JSON Lines: a line ends at \n only, and a bad one says where it is bad."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.sources.json_lines import Line, lines, value
from kg.sources.json_values import JsonError


def blocks(data: bytes, size: int) -> list[bytes]:
    return [data[start : start + size] for start in range(0, len(data), size)]


@given(
    st.lists(st.sampled_from([b"a", b"{}", b"", b" \t", b"x\r", "\u2028\x0b\x85".encode()])),
    st.integers(1, 9),
    st.booleans(),
)
def test_lines_are_those_of_a_split_at_newlines(parts: list[bytes], size: int, ended: bool) -> None:
    data = b"\n".join(parts) + (b"\n" if ended else b"")
    offset, expected = 0, []
    for number, part in enumerate(data.split(b"\n"), start=1):
        if part.strip(b" \t\r"):
            expected.append(Line(number, offset, part))
        offset += len(part) + 1
    assert list(lines(blocks(data, size))) == expected


def test_only_newline_ends_a_line() -> None:
    data = '{"a": "x\u2028y\u0085z\u2029"}\r\n\r\n{"b": 2}'.encode()
    found = [(line.number, value(line)) for line in lines([data])]
    assert found == [(1, {"a": "x\u2028y\u0085z\u2029"}), (3, {"b": "2"})]


@pytest.mark.parametrize(
    ("data", "line", "column", "reason"),
    [
        (b'{"slug": "b",', 2, 14, "expecting property name enclosed in double quotes"),
        (b'{"a": 1} {"b": 2}', 2, 10, "extra data"),
        (b'{"a": "\xc3\xbc\xff"}', 2, 9, "invalid UTF-8 at byte 13"),
        (b"[" * 100_000, 2, 1, "the value is nested too deep"),
    ],
)
def test_a_bad_line_is_named_with_its_column(
    data: bytes, line: int, column: int, reason: str
) -> None:
    good, bad = lines([b"[1]\n" + data + b"\n"])
    assert value(good) == ["1"]
    with pytest.raises(JsonError) as raised:
        value(bad)
    assert (raised.value.line, raised.value.column, raised.value.reason) == (line, column, reason)


@pytest.mark.parametrize("size", [1, 7, 100])
def test_a_line_longer_than_any_record_is_passed_over(size: int) -> None:
    data = b"1\n" + b"9" * 50 + b"\n2\n" + b"8" * 11
    found = list(lines(blocks(data, size), longest=10))
    assert found == [Line(1, 0, b"1"), Line(2, 2, None), Line(3, 53, b"2"), Line(4, 55, None)]
    with pytest.raises(JsonError, match="no record"):
        value(found[1])
