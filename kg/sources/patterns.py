"""Glob patterns → paths, as :mod:`glob` has them, but for what no pattern should lead into.

``**`` follows no links to folders: those of a folder may lead back to it, and two of them to more
paths than there is time for. Stores of paperkg are closed to whatever part of a pattern is not
written out.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from glob import escape, glob, has_magic
from itertools import takewhile
from pathlib import Path
from typing import Final

from kg.sources.left_out import A_LINK, A_STORE, LeftOut, full_path, is_store

_ANY_DEPTH: Final = "**"


def matches(pattern: str) -> list[Path | LeftOut]:
    """Return what *pattern* matches, sorted, each once; then what was left out."""
    parts = Path(pattern).parts
    named = len(list(takewhile(lambda part: not has_magic(part), parts)))
    left_out: dict[LeftOut, None] = {}
    stores: dict[Path, bool] = {}
    found: list[Path] = []
    for match in sorted(set(_expanded(parts, left_out))):
        for folder in (Path(*match.parts[:n]) for n in range(named + 1, len(match.parts) + 1)):
            if folder not in stores:
                stores[folder] = is_store(folder)
            if stores[folder]:
                left_out[LeftOut(full_path(folder), A_STORE)] = None
                break
        else:
            found.append(match)
    return [*found, *sorted(left_out, key=lambda one: one.place)]


def _expanded(parts: tuple[str, ...], left_out: dict[LeftOut, None]) -> Iterator[Path]:
    if _ANY_DEPTH not in parts:
        yield from map(Path, glob(str(Path(*parts))))  # noqa: PTH207  Path.glob takes no absolute pattern
        return
    at = parts.index(_ANY_DEPTH)
    before, behind = parts[:at], parts[at + 1 :]
    for top in _expanded(before, left_out) if before else [Path()]:
        if not behind:
            yield top
            continue
        for folder in _folders(top, left_out):
            yield from _expanded((*map(escape, folder.parts), *behind), left_out)


def _folders(top: Path, left_out: dict[LeftOut, None]) -> Iterator[Path]:
    """Yield *top* and the folders below it, those that are hidden left out as in all patterns."""
    for folder, folders, _ in os.walk(top):
        yield Path(folder)
        for name in list(folders):
            below = Path(folder, name)
            reason = A_LINK if below.is_symlink() else A_STORE if is_store(below) else None
            if reason is not None:
                left_out[LeftOut(full_path(below), reason)] = None
            if reason is not None or name.startswith("."):
                folders.remove(name)
