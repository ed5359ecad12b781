"""What many builds need not do each: read the same canned queries, and wait for the disk."""

from __future__ import annotations

from functools import cache

import pytest

from kg.catalogue import Catalogue


@cache
def shipped() -> Catalogue:
    return Catalogue.load()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let builds in this process share the canned queries, and leave writing to the system."""
    queries = shipped()
    monkeypatch.setattr(Catalogue, "load", lambda: queries)
    monkeypatch.setattr("kg.snapshot._sync", lambda _: None)  # tests/store/test_snapshot.py has it
