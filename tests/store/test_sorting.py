"""The external sort gives what sorted(set(lines)) gives, in bounded memory and files."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg.sorting import SortedLines

LINE = st.binary(max_size=4).map(lambda line: line.replace(b"\n", b"")) | st.sampled_from(
    [b"a", b"a\t", b"a b", b"a\x00", b"\xff", b"a\r"]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(LINE, max_size=60), st.integers(1, 2000), st.integers(2, 4))
def test_lines_come_sorted_by_bytes_and_once(
    tmp_path: Path, given_lines: list[bytes], chunk_bytes: int, fan_in: int
) -> None:
    lines = SortedLines(tmp_path, chunk_bytes=chunk_bytes, fan_in=fan_in)
    for line in given_lines:
        lines.add(line)
    assert list(lines) == sorted(set(given_lines))
    assert list(lines) == sorted(set(given_lines))


def test_memory_and_open_files_are_bounded(tmp_path: Path) -> None:
    lines = SortedLines(tmp_path / "new", chunk_bytes=1100, fan_in=4)
    for number in range(1000):
        lines.add(b"%d" % (number * 7919 % 1000))
        assert len(lines._lines) <= 11
        assert len(list((tmp_path / "new").iterdir())) < 4
    assert list(lines) == sorted(b"%d" % number for number in range(1000))


def test_nothing_sorts_to_nothing(tmp_path: Path) -> None:
    assert list(SortedLines(tmp_path)) == []


def test_what_is_not_one_line_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not one line"):
        SortedLines(tmp_path).add(b"a\nb")
