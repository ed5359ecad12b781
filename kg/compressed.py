"""Sorted lines in a gzip file: the same lines are the same bytes, and are read block by block."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final, cast

from kg.errors import StoreError
from kg.snapshot import Snapshot
from kg.sorting import Block, blocks_of
from kg.store import reason

_LEVEL: Final = 5
"""Of gzip. Level 9 is three times slower, and its files are a tenth smaller."""
_BLOCK_BYTES: Final = 1 << 20


@contextmanager
def compressed(path: Path) -> Iterator[IO[bytes]]:
    """Open a file to be written compressed."""
    # Without a name and a time in it, so that the same lines are the same bytes.
    with (
        path.open("wb") as raw,
        gzip.GzipFile(filename="", mode="wb", compresslevel=_LEVEL, fileobj=raw, mtime=0) as file,
    ):
        yield cast("IO[bytes]", file)


@contextmanager
def decompressed(path: Path) -> Iterator[gzip.GzipFile]:
    """Open a file to be read; what is wrong with it is a :class:`~kg.errors.StoreError`."""
    try:
        with gzip.open(path) as file:
            yield file
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
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
