"""Sorted lines in a gzip file: the same lines are the same bytes, and damage is said."""

import gzip
import tempfile
from collections.abc import Callable
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg import compressed
from kg.errors import StoreError

LINES = [b'<e:%06d> <e:p> "\\u00e9 %d" .' % (n, n) for n in range(60_000)]


def written(path: Path, lines: list[bytes], at_once: int = 1000) -> Path:
    with compressed.compressed(path) as file:
        for n in range(0, len(lines), at_once):
            file.write(b"".join(line + b"\n" for line in lines[n : n + at_once]))
    return path


def test_what_was_written_is_read_in_blocks(tmp_path: Path) -> None:
    path = written(tmp_path / "x.nt.gz", LINES)
    blocks = list(compressed.blocks(path, len(LINES)))
    assert len(blocks) > 1
    assert all(blocks)
    assert list(chain.from_iterable(blocks)) == LINES
    assert gzip.decompress(path.read_bytes()) == b"\n".join(LINES) + b"\n"


def test_the_same_lines_are_the_same_bytes_under_any_name_and_in_any_pieces(
    tmp_path: Path,
) -> None:
    first = written(tmp_path / "a.nt.gz", LINES, 1000).read_bytes()
    assert written(tmp_path / "b", LINES, 10_000).read_bytes() == first
    assert written(tmp_path / "c", LINES, 7).read_bytes() == first


@given(st.lists(st.integers(0, 99), min_size=30, max_size=40), st.integers(1, 9))
def test_so_are_few_of_them(numbers: list[int], at_once: int) -> None:
    lines = [b'<e:%d> <e:p> "%d" .' % (number, number % 9) for number in numbers]
    with tempfile.TemporaryDirectory() as folder:
        first, second = (written(Path(folder) / f"{n}", lines, n) for n in (40, at_once))
        assert first.read_bytes() == second.read_bytes()


def test_no_lines_are_a_file_too(tmp_path: Path) -> None:
    assert list(compressed.blocks(written(tmp_path / "x", []), 0)) == []


def cut(content: bytes) -> bytes:
    return content[: len(content) // 2]


def flipped(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 0xFF]) + content[middle + 1 :]


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (cut, "it is damaged (Compressed file ended"),
        (flipped, "it is damaged ("),
        (lambda content: content + b"some more bytes", "it is damaged (Not a gzipped file"),
        (lambda content: content + b"more", "it is damaged (Compressed file ended"),
        (lambda _: b"no gzip, but a text", "it is damaged (Not a gzipped file"),
        (lambda _: b"no gzip", "it is damaged (Compressed file ended"),
        (lambda _: b"", "it has 0 lines where the build wrote 60,000"),
        (lambda content: content * 2, "it has 120,000 lines where the build wrote 60,000"),
    ],
)
def test_a_file_that_is_not_as_it_was_written_is_named(
    tmp_path: Path, harm: Callable[[bytes], bytes], said: str
) -> None:
    path = written(tmp_path / "x.nt.gz", LINES)
    path.write_bytes(harm(path.read_bytes()))
    with pytest.raises(StoreError) as raised:
        list(compressed.blocks(path, len(LINES)))
    assert str(raised.value).startswith(f"{path}: {said}")
    assert str(raised.value).endswith("; build the store again")


def test_a_file_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError) as raised:
        list(compressed.blocks(tmp_path / "x.nt.gz", 1))
    assert str(raised.value) == f"{tmp_path / 'x.nt.gz'}: No such file or directory"
