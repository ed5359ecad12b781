"""The site of the sample records, and that of the real ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg import builder, resources
from tests.site.visiting import Visitor, opened_of


@pytest.fixture(scope="session")
def store_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a store of the sample records."""
    folder = tmp_path_factory.mktemp("site") / "store"
    builder.build([str(resources.samples())], folder)
    return folder


@pytest.fixture(scope="session")
def site(store_dir: Path) -> Visitor:
    """The site of the sample records."""
    return Visitor(*opened_of(store_dir))


@pytest.fixture
def seeds(shared: Path, tmp_path: Path) -> Visitor:
    """The site of the real records."""
    folder = tmp_path / "store"
    builder.build([str(shared / "records" / "seeds")], folder)
    return Visitor(*opened_of(folder))
