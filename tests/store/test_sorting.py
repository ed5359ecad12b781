"""The external sort gives what sorted(set(lines)) gives, in bounded memory and files."""

import io
import tempfile
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg import sorting
from kg.sorting import Block, SortedLines, blocks_of, in_blocks, merged, merged_blocks

ODD_LINES = [b"", b"a", b"a\t", b"a b", b"a!", b"a\x00", b"\xff", b"a\r", b"a\x0b\x0c", b"\x85\x1c"]
LINE = st.binary(max_size=4).map(lambda line: line.replace(b"\n", b"")) | st.sampled_from(ODD_LINES)
BATCHES = st.lists(st.lists(LINE, max_size=12), max_size=12)


def runs(folder: Path) -> int:
    return len(list(folder.iterdir()))


@settings(deadline=None)
@given(BATCHES, st.integers(1, 3000), st.integers(2, 4))
def test_lines_come_sorted_by_bytes_and_once(
    batches: list[list[bytes]], chunk_bytes: int, fan_in: int
) -> None:
    expected = sorted(set(chain.from_iterable(batches)))
    with tempfile.TemporaryDirectory() as folder:
        lines = SortedLines(Path(folder, "one"), chunk_bytes=chunk_bytes, fan_in=fan_in)
        for line in chain.from_iterable(batches):
            lines.add(line)
        assert list(lines) == expected
        many = SortedLines(Path(folder, "many"), chunk_bytes=chunk_bytes, fan_in=fan_in)
        for batch in batches:
            many.update(batch)
            assert runs(Path(folder, "many")) <= fan_in
        assert list(many) == list(many) == expected
        assert list(chain.from_iterable(many.blocks())) == expected
        assert all(many.blocks())
        many.settle()
        many.settle()
        assert list(many) == expected
        assert list(SortedLines.of(Path(folder, "many"))) == expected


@settings(deadline=None)
@given(st.lists(LINE, max_size=30), st.lists(LINE, max_size=30), st.integers(1, 800))
def test_lines_that_settled_and_others_after_them_are_all_there(
    before: list[bytes], after: list[bytes], chunk_bytes: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        lines = SortedLines(Path(folder), chunk_bytes=chunk_bytes)
        lines.update(before)
        lines.settle()
        found = SortedLines.of(Path(folder))
        for line in after:
            found.add(line)
        found.settle()
        assert list(found) == sorted({*before, *after})


def parts_of(parts: list[list[list[bytes]]]) -> list[Iterator[Block]]:
    """Return sorted lines in blocks that are cut as the given lists are."""
    cut = []
    for part in parts:
        lines = sorted(set(chain.from_iterable(part)))
        sizes = [len(block) for block in part if block]
        blocks = []
        for size in sizes:
            blocks.append(lines[:size])
            lines = lines[size:]
        cut.append(iter([block for block in [*blocks, lines] if block]))
    return cut


@given(st.lists(st.lists(st.lists(LINE, max_size=5), max_size=5), max_size=5))
def test_blocks_are_merged_whatever_their_sizes(parts: list[list[list[bytes]]]) -> None:
    blocks = list(merged_blocks(*parts_of(parts)))
    assert all(blocks)
    assert list(chain.from_iterable(blocks)) == sorted(
        {line for part in parts for block in part for line in block}
    )


@given(st.lists(st.lists(LINE, max_size=9).map(sorted), max_size=4), st.integers(1, 4))
def test_lines_are_merged_each_once_even_where_one_part_repeats_them(
    parts: list[list[bytes]], at_once: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sorting, "LINES_OF_A_BLOCK", at_once)
        assert list(merged(*parts)) == sorted(set(chain.from_iterable(parts)))
        assert len(next(in_blocks([b"a"] * 9))) == at_once


@given(st.lists(LINE, min_size=1, max_size=30), st.integers(1, 40))
def test_a_file_is_read_in_blocks_of_whole_lines(lines: list[bytes], size: int) -> None:
    file = io.BytesIO(b"\n".join(lines) + b"\n")
    blocks = list(blocks_of(file, size))
    assert list(chain.from_iterable(blocks)) == lines
    assert all(sum(map(len, block[:-1])) + len(block) - 1 < size for block in blocks)


def test_memory_and_open_files_are_bounded(tmp_path: Path) -> None:
    lines = SortedLines(tmp_path / "new", chunk_bytes=1100, fan_in=4)
    for number in range(1000):
        lines.add(b"%d" % (number * 7919 % 1000))
        assert len(lines._lines) <= 11
        assert runs(tmp_path / "new") < 4
    assert list(lines) == sorted(b"%d" % number for number in range(1000))


def test_lines_in_batches_take_no_more_memory_than_the_batch(tmp_path: Path) -> None:
    lines = SortedLines(tmp_path, chunk_bytes=11_000)
    for batch in range(100):
        lines.update([b"%06d" % (batch * 7 + n) for n in range(20)])
        assert len(lines._lines) <= 11_000 // 100 + 20
    assert runs(tmp_path) > 3


def test_lines_that_are_held_already_take_no_room(tmp_path: Path) -> None:
    lines = SortedLines(tmp_path, chunk_bytes=1500)
    for _ in range(1000):
        lines.update([b"the same", b"every time"])
    assert runs(tmp_path) == 0
    assert list(lines) == [b"every time", b"the same"]


def test_nothing_sorts_to_nothing(tmp_path: Path) -> None:
    lines = SortedLines(tmp_path)
    lines.update([])
    assert list(lines) == []
    lines.settle()
    assert runs(tmp_path) == 0
    assert list(SortedLines.of(tmp_path)) == []


@pytest.mark.parametrize("line", [b"a\nb", b"a\n", b"\n"])
def test_what_is_not_one_line_is_refused(tmp_path: Path, line: bytes) -> None:
    lines = SortedLines(tmp_path)
    with pytest.raises(ValueError, match="not one line"):
        lines.add(line)
    with pytest.raises(ValueError, match="not one line"):
        lines.update([b"good", line, b"also good"])
    assert list(lines) == []
