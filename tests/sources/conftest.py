from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

NOBODY = 65534


@pytest.fixture
def unprivileged() -> Iterator[Path]:
    """A folder of one's own, as somebody whom permissions bind, whoever runs the tests."""
    folder = Path(tempfile.mkdtemp())
    is_root = os.name != "nt" and os.geteuid() == 0
    if is_root:
        os.chown(folder, NOBODY, NOBODY)
        os.seteuid(NOBODY)
    try:
        yield folder
    finally:
        if is_root:
            os.seteuid(0)
        for inside, folders, _ in os.walk(folder):
            for name in folders:
                Path(inside, name).chmod(0o700)
        shutil.rmtree(folder)
