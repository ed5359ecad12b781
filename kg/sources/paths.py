"""What a person names as input → the files meant.

A path is a path: a drive letter, a UNC name, ``%`` and ``:`` in a name are nothing special. Only
where no file of exactly that name exists is ``file:`` a URL and ``*``, ``?``, ``[`` a pattern.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from glob import has_magic
from pathlib import Path
from typing import Final, TypeAlias
from urllib.parse import urlsplit
from urllib.request import url2pathname

from kg.errors import SourceError
from kg.sources import patterns
from kg.sources.content import ENDINGS, ending
from kg.sources.left_out import A_LINK, A_STORE, LeftOut, full_path, is_store, shown

_ADDRESS: Final = re.compile(r"[a-z][a-z0-9+.-]+:/", re.IGNORECASE)
_NO_NAME: Final = (errno.ENAMETOOLONG, errno.EINVAL)  # what no file can be called
# What else a name in a folder can stand for, by the test that tells it.
_NO_FILES: Final = (
    (stat.S_ISFIFO, "it is a named pipe, which is read only where it is named itself"),
    (stat.S_ISCHR, "it is a device, which is read only where it is named itself"),
    (stat.S_ISSOCK, "it is a socket, which cannot be read as a file"),
    (stat.S_ISBLK, "it is a device, which cannot be read as a file"),
)


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file that is meant: where it is, and its name below what was named (``/`` between parts).

    *once* says that it can be read only once.
    """

    path: Path
    label: str
    once: bool = False


Meant: TypeAlias = InputFile | LeftOut | SourceError


def files(given: str | Path, leave_out: Path | None = None) -> Iterator[Meant]:
    """Yield the files that *given* means: a file, a folder, a ``file:`` URL or a glob pattern.

    A folder stands for every file below it with one of :data:`~kg.sources.content.ENDINGS`, in
    sorted order; a file that is named itself may have any name. Links to folders are not followed,
    stores of paperkg are not input; both are yielded as left out. The folder *leave_out* is passed
    over without a word. What cannot be found or read is yielded as an error that names its full
    path.
    """
    path = Path(given)
    try:
        mode = _mode(path)
    except OSError as error:
        yield unreadable(path, error)
        return
    if mode is not None:
        yield from _named(path, mode, leave_out)
    elif isinstance(given, str) and given.lower().startswith("file:/"):
        named = _of_url(given)
        yield from [named] if isinstance(named, SourceError) else files(named, leave_out)
    elif isinstance(given, str) and _ADDRESS.match(given):
        yield SourceError(given, "it is an address and no file; download it and name the file")
    elif isinstance(given, str) and has_magic(given):
        yield from _matched(given, leave_out)
    else:
        yield SourceError(full_path(path), "there is no such file or folder")


def unreadable(path: Path, error: OSError) -> SourceError:
    """Return the error for a path that the system does not give."""
    return SourceError(full_path(path), f"it cannot be read: {error.strerror or error}")


def _mode(path: Path) -> int | None:
    """Return what *path* is, links followed; None where nothing has this name.

    Raises OSError for a link that leads nowhere or in circles, and where it may not be known.
    """
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError, ValueError):  # a NUL is in no name
        return None
    except OSError as error:
        if error.errno in _NO_NAME:
            return None
        raise
    return path.stat().st_mode


def _of_url(url: str) -> Path | SourceError:
    parts = urlsplit(url)
    if parts.netloc.lower() not in ("", "localhost") and os.name != "nt":
        return SourceError(url, "a file: URL may not name another host")
    host = f"//{parts.netloc}" if parts.netloc.lower() not in ("", "localhost") else ""
    return Path(url2pathname(host + parts.path))


def _named(path: Path, mode: int, leave_out: Path | None) -> Iterator[Meant]:
    """Yield what a path means that a person named."""
    if stat.S_ISDIR(mode):
        if is_store(path):
            reason = f"{A_STORE} and no input; kg export makes a file of what it holds"
            yield SourceError(full_path(path), reason)
        else:
            yield from _below(path, leave_out)
    elif stat.S_ISSOCK(mode) or stat.S_ISBLK(mode):
        yield _no_file(path, mode)
    else:
        yield InputFile(path, shown(path.name), once=not stat.S_ISREG(mode))


def _matched(pattern: str, leave_out: Path | None) -> Iterator[Meant]:
    """Yield what a glob pattern means: of what it matches, nothing that a store holds."""
    excluded = _real(leave_out)
    nothing = True
    for match in patterns.matches(pattern):
        nothing = False
        if isinstance(match, LeftOut):
            if _real(Path(match.place)) != excluded:
                yield match
        elif match.is_dir():
            yield from _below(match, leave_out)
        else:
            yield _found(match, shown(match.name))
    if nothing:
        yield SourceError(full_path(Path(pattern)), "no file matches this pattern")


def _below(path: Path, leave_out: Path | None) -> Iterator[Meant]:
    """Yield what a folder means."""
    faults: list[SourceError] = []
    left_out: list[LeftOut] = []
    found: list[Path] = []
    excluded = _real(leave_out)

    def closed(error: OSError) -> None:
        faults.append(unreadable(Path(str(error.filename)), error))

    for folder, folders, names in os.walk(path, onerror=closed):
        here = Path(folder)
        for name in list(folders):
            below = here / name
            if _real(below) == excluded:
                folders.remove(name)
            elif below.is_symlink():
                left_out.append(LeftOut(full_path(below), A_LINK))
            elif is_store(below):
                folders.remove(name)
                left_out.append(LeftOut(full_path(below), A_STORE))
        found.extend(here / name for name in names if ending(name) in ENDINGS)
    for one in sorted(found):
        yield _found(one, shown(one.relative_to(path).as_posix()))
    yield from sorted(left_out, key=lambda one: one.place)
    yield from sorted(faults, key=lambda error: error.file)
    if not found and not faults:
        kinds = ", ".join(sorted(ENDINGS))
        yield SourceError(full_path(path), f"the folder holds no input ({kinds})")


def _real(path: Path | None) -> str | None:
    return None if path is None else os.path.realpath(path)


def _found(path: Path, label: str) -> InputFile | SourceError:
    """Return the file that was found at *path*; what is none might keep a reader waiting."""
    try:
        mode = path.stat().st_mode
    except OSError as error:
        return unreadable(path, error)
    return InputFile(path, label) if stat.S_ISREG(mode) else _no_file(path, mode)


def _no_file(path: Path, mode: int) -> SourceError:
    reasons = (reason for is_one, reason in _NO_FILES if is_one(mode))
    return SourceError(full_path(path), next(reasons, "it is no file"))
