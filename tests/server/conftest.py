from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kg import builder, resources
from kg.server import Application
from tests.server.serving import served


@pytest.fixture(scope="session")
def store_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a store of the sample records."""
    folder = tmp_path_factory.mktemp("served") / "store"
    builder.build([str(resources.samples())], folder)
    return folder


@pytest.fixture(scope="session")
def address(store_dir: Path) -> Iterator[str]:
    """The address at which the samples are served."""
    with served(Application.of(store_dir)) as address:
        yield address
