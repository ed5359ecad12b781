"""Compressed files: whatever the members and the blocks are, the content is that of all of them."""

import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.sources import compression
from kg.sources.compression import Decompressed, UnreadableError

zstandard = pytest.importorskip("zstandard")

COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "Zstandard": zstandard.ZstdCompressor(write_checksum=True).compress,
}
KINDS = st.sampled_from(sorted(COMPRESS))
CONTENT = st.binary(max_size=60) | st.binary(max_size=20).map(lambda part: part * 500)


def blocks(data: bytes, size: int) -> list[bytes]:
    # The first holds the magic bytes, as a block of a file does.
    return [data[:8], *(data[start : start + size] for start in range(8, len(data), size))]


def read(data: bytes, size: int = 100) -> tuple[bytes, str | None]:
    content = Decompressed(blocks(data, size))
    pieces = list(content)
    assert all(pieces)  # an empty one would be taken for the end
    return b"".join(pieces), content.fault


@given(KINDS, st.lists(CONTENT, min_size=1, max_size=4), st.integers(1, 200), st.integers(0, 9))
def test_all_members_are_read_and_zeros_at_the_end_passed_over(
    kind: str, parts: list[bytes], size: int, zeros: int
) -> None:
    data = b"".join(map(COMPRESS[kind], parts)) + bytes(zeros)
    assert read(data, size) == (b"".join(parts), None)


@given(KINDS, st.lists(CONTENT, min_size=1, max_size=3), st.integers(1, 200), st.data())
def test_cut_anywhere_what_stands_before_is_read_and_the_cut_is_named(
    kind: str, parts: list[bytes], size: int, data: st.DataObject
) -> None:
    members = [COMPRESS[kind](part) for part in parts]
    whole = b"".join(members)
    cut = data.draw(st.integers(8, len(whole)))
    found, fault = read(whole[:cut], size)
    assert b"".join(parts).startswith(found)
    ends = [sum(map(len, members[: n + 1])) for n in range(len(members))]
    assert found.startswith(b"".join(parts[: sum(end <= cut for end in ends)]))
    if cut in ends:
        assert fault is None
    else:
        assert fault == f"truncated: the file ends in the middle of its {kind} data"


@pytest.mark.parametrize("kind", COMPRESS)
def test_cut_short_nearly_all_is_read(kind: str) -> None:
    text = b"".join(b"%d\n" % n for n in range(400_000))
    data = COMPRESS[kind](text)
    found, _ = read(data[:-10], 1000)
    assert text.startswith(found)
    assert len(found) > len(text) // 2


@pytest.mark.parametrize("kind", COMPRESS)
def test_a_large_block_of_large_members_is_read(kind: str) -> None:
    text = b"".join(b"%d\n" % (n * n) for n in range(100_000))
    data = COMPRESS[kind](text)
    assert read(data + data, 1_000_000) == (text + text, None)


@pytest.mark.parametrize("kind", COMPRESS)
def test_what_stands_behind_that_is_not_of_its_kind_is_a_fault(kind: str) -> None:
    found, fault = read(COMPRESS[kind](b"abc") + b"and something else, of another kind")
    assert found == b"abc"
    assert fault
    assert fault.startswith(f"damaged: the {kind} data cannot be decompressed: ")
    assert fault.endswith(" (in part 2 of it)")


@pytest.mark.parametrize("kind", COMPRESS)
def test_damage_is_named_and_what_came_before_it_stands(kind: str) -> None:
    good = COMPRESS[kind](b"abc")
    bad = bytearray(COMPRESS[kind](bytes(range(256)) * 4))
    bad[len(bad) // 2] ^= 0xFF
    found, fault = read(good + bytes(bad))
    assert found.startswith(b"abc")
    assert fault
    assert fault.startswith("damaged: ")


@pytest.mark.parametrize("kind", COMPRESS)
def test_a_little_that_becomes_much_comes_in_bounded_pieces(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compression, "OUTPUT", 10_000)
    # What Zstandard can make of one slice: blocks of 128 KiB, four bytes each.
    longest = 33 * 1024 * 1024 if kind == "Zstandard" else 10_000
    zeros = 80 * 1024 * 1024
    data = COMPRESS[kind](bytes(zeros))
    sizes = [len(piece) for piece in Decompressed([data])]
    assert sum(sizes) == zeros
    assert max(sizes) <= longest


def test_what_is_not_compressed_is_passed_on_block_by_block() -> None:
    content = Decompressed([b"abc", b"def"])
    assert list(content) == [b"abc", b"def"]
    assert (content.compression, content.fault) == (None, None)
    assert list(Decompressed([])) == []


def test_a_skippable_frame_of_zstandard_may_come_first_and_last() -> None:
    skip = b"\x5a\x2a\x4d\x18\x04\0\0\0abcd"
    data = skip + COMPRESS["Zstandard"](b"x") + COMPRESS["Zstandard"](b"y") + skip
    assert read(data) == (b"xy", None)


def test_a_window_too_large_is_said() -> None:
    parameters = zstandard.ZstdCompressionParameters(window_log=28, enable_ldm=True)
    stream = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    found, fault = read(stream.compress(b"a" * 1000) + stream.flush())
    assert found == b""
    assert fault
    assert "memory" in fault


def test_without_its_library_zstandard_says_which_extra_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(name: str) -> ModuleType:
        raise ImportError(name)

    monkeypatch.setattr(compression, "import_module", missing)
    with pytest.raises(UnreadableError, match=r"paperkg\[zstd\]"):
        list(Decompressed([COMPRESS["Zstandard"](b"x")]))
    assert read(gzip.compress(b"x")) == (b"x", None)


def test_the_decoder_of_python_itself_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    class Own:
        """Stands for ``compression.zstd``: a decoder as those of bz2 and lzma are."""

        ZstdDecompressor = bz2.BZ2Decompressor

    monkeypatch.setattr(compression, "import_module", {"compression.zstd": Own}.__getitem__)
    content = Decompressed([b"\x28\xb5\x2f\xfd"])
    assert list(content) == []  # bz2 does not know the bytes, which shows that it was asked
    assert content.fault
    assert "Invalid data stream" in content.fault


def test_an_error_of_the_file_is_not_taken_for_one_of_the_data() -> None:
    def broken() -> object:
        yield gzip.compress(b"x")[:12]
        raise OSError(5, "Input/output error")

    with pytest.raises(OSError, match="Input/output"):
        list(Decompressed(broken()))  # type: ignore[arg-type]  # an iterator of bytes


def test_an_empty_member_is_no_end_of_input() -> None:
    data = gzip.compress(b"") + gzip.compress(b"abc")
    assert read(data, 1) == (b"abc", None)
    assert zlib.decompressobj(wbits=31).decompress(data) == b""


@pytest.mark.parametrize("kind", COMPRESS)
def test_the_compression_is_known_by_its_first_bytes(kind: str) -> None:
    data = COMPRESS[kind](b"x")
    content = Decompressed([data])
    assert list(content) == [b"x"]
    assert content.compression == compression.compression_of(data) == kind
