from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether an answer is found to be whole does not depend on how busy the machine is."""
    monkeypatch.setattr("kg.protocol.coding._SOON", 10.0)
