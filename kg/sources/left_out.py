"""What stands below a folder and is no input: stores of paperkg, and links to other folders."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

A_STORE: Final = "it is a store of paperkg"
A_LINK: Final = "it is a link to a folder"

# The files in a store's folder (kg.snapshot) beside its snapshots; it may be half made.
_OF_A_STORE: Final = ("current", "lock")


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something that is not looked into, by its full path, and why."""

    place: str
    reason: str


def is_store(path: Path) -> bool:
    """Say whether a folder is a store, or the beginning of one."""
    try:
        return (path / "snapshots").is_dir() and any((path / n).is_file() for n in _OF_A_STORE)
    except OSError:  # whoever walks into it is told why it is closed
        return False


def shown(path: str | Path) -> str:
    """Return a path for people; a file name need not be UTF-8, what they see is."""
    return os.fsencode(path).decode("utf-8", "replace")


def full_path(path: Path) -> str:
    """Return the full path of *path* for people."""
    return shown(os.path.abspath(path))  # noqa: PTH100  Path.resolve would follow links
