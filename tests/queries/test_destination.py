"""Where an answer goes: whose fault it is that it does not arrive."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

import pytest

from kg.cli.answers import Destination
from kg.errors import StoreError, UsageError


def test_what_cannot_be_read_is_the_stores_fault_and_leaves_no_file(tmp_path: Path) -> None:
    def produce(stream: BinaryIO) -> None:
        stream.write(b"half")
        raise OSError(5, "Input/output error")

    with pytest.raises(StoreError, match="the store cannot be read: Input/output error"):
        Destination(tmp_path / "x").write(produce)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("size", [1, 1 << 20])
def test_what_cannot_be_written_is_the_places_fault(size: int) -> None:
    with pytest.raises(UsageError, match=r"/dev/full: it cannot be written: No space left"):
        Destination(Path("/dev/full")).write(lambda stream: stream.write(b"x" * size))
