"""Sorted lines in a gzip file: the same lines are the same bytes, and are read block by block."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final, cast

from isal import igzip, isal_zlib

from kg.errors import StoreError
from kg.snapshot import Snapshot
from kg.sorting import Block, blocks_of
from kg.store import reason

_LEVEL: Final = 2
"""Of ISA-L, 0 to 3: eight times as fast as level 5 of zlib, in files an eighth larger."""
_BLOCK_BYTES: Final = 1 << 20

# Their types are not declared.
_file: Final = cast("type[gzip.GzipFile]", igzip.IGzipFile)
_DAMAGED: Final = cast("type[Exception]", isal_zlib.error)


@contextmanager
def compressed(path: Path) -> Iterator[IO[bytes]]:
    """Open a file to be written compressed."""
    # Without a name and a time in it, so that the same lines are the same bytes.
    with path.open("wb") as raw, _file("", "wb", _LEVEL, raw, mtime=0) as file:
        pieces = _Pieces(file)
        yield cast("IO[bytes]", pieces)
        pieces.end()


class _Pieces:
    """Passes on what is written, in pieces of one size: on these the output of ISA-L depends."""

    def __init__(self, file: gzip.GzipFile) -> None:
        self._file = file
        self._held = bytearray()

    def write(self, text: bytes) -> None:
        """Take in bytes."""
        self._held += text
        while len(self._held) >= _BLOCK_BYTES:
            self._file.write(self._held[:_BLOCK_BYTES])
            del self._held[:_BLOCK_BYTES]

    def end(self) -> None:
        """Pass on what is left."""
        self._file.write(self._held)


@contextmanager
def decompressed(path: Path) -> Iterator[gzip.GzipFile]:
    """Open a file to be read; what is wrong with it is a :class:`~kg.errors.StoreError`."""
    try:
        with _file(path, "rb") as file:
            yield file
    except (EOFError, gzip.BadGzipFile, _DAMAGED) as error:
        raise StoreError(f"{path}: it is damaged ({error}); build the store again") from error
    except OSError as error:
        raise StoreError(f"{path}: {reason(error)}") from error


def product(snapshot: Snapshot) -> tuple[Iterator[Block], Iterator[Block]]:
    """Return the lines of a snapshot: of its default graph, and of its named graphs.

    Raises what :func:`blocks` does, and what :attr:`~kg.snapshot.Snapshot.manifest` does.
    """
    triples, quads = snapshot.lines
    return blocks(snapshot.triples, triples), blocks(snapshot.quads, quads)


def blocks(path: Path, told: int) -> Iterator[Block]:
    """Yield the lines of a file in blocks.

    Raises :class:`~kg.errors.StoreError` where it cannot be read to its end, and at the end where
    they are not as many as *told*.
    """
    count = 0
    with decompressed(path) as file:
        for block in blocks_of(file, _BLOCK_BYTES):
            count += len(block)
            yield block
    if count != told:
        raise StoreError(
            f"{path}: it has {count:,} lines where the build wrote {told:,}; build the store again"
        )
