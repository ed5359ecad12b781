"""What was noticed about a record that was taken in all the same."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class FindingKind(StrEnum):
    """The kinds of finding, as the build's report names them."""

    UNKNOWN_KEY = "unknown key"
    INCONSISTENT = "inconsistent"
    ODD_VALUE = "odd value"
    ALTERED_TEXT = "altered text"
    UNRESOLVED_NAME = "unresolved name"
    UNKNOWN_CODE = "unknown code"
    REPEATED_ROW = "repeated row"
    SUSPECT = "suspect"


@dataclass(frozen=True, slots=True)
class Finding:
    """One observation: its kind, the key path it is about, and one sentence."""

    kind: FindingKind
    field: str
    message: str
