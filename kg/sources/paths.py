"""What a person names as input → the files meant.

A path is a path: a drive letter, a UNC name, ``%`` and ``:`` in a name are nothing special. Only
where no file of exactly that name exists is ``file:`` a URL and ``*``, ``?``, ``[`` a pattern.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from glob import glob, has_magic
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from kg.errors import SourceError
from kg.sources.content import ENDINGS, ending


def files(given: str | Path, leave_out: Path | None = None) -> Iterator[Path | SourceError]:
    """Yield the files that *given* means: a file, a folder, a ``file:`` URL or a glob pattern.

    A folder stands for every file below it with one of :data:`~kg.sources.content.ENDINGS`, in
    sorted order; a file that is named itself may have any name. Links to folders are not followed,
    and the folder *leave_out* is passed over. What cannot be found or read is yielded as an error
    that names its full path.
    """
    path = Path(given)
    if _exists(path):
        yield from _below(path, leave_out)
    elif isinstance(given, str) and given.lower().startswith("file:/"):
        named = _of_url(given)
        yield from [named] if isinstance(named, SourceError) else files(named, leave_out)
    elif isinstance(given, str) and has_magic(given):
        found = sorted(glob(given, recursive=True))  # noqa: PTH207  Path.glob takes no absolute pattern
        if not found:
            yield SourceError(_full(path), "no file matches this pattern")
        for match in found:
            yield from _below(Path(match), leave_out)
    else:
        yield SourceError(_full(path), "there is no such file or folder")


def _full(path: Path) -> str:
    return os.path.abspath(path)  # noqa: PTH100  Path.resolve would follow links


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name too long or with a NUL names nothing
        return False


def _of_url(url: str) -> Path | SourceError:
    parts = urlsplit(url)
    if parts.netloc.lower() not in ("", "localhost") and os.name != "nt":
        return SourceError(url, "a file: URL may not name another host")
    host = f"//{parts.netloc}" if parts.netloc.lower() not in ("", "localhost") else ""
    return Path(url2pathname(host + parts.path))


def _below(path: Path, leave_out: Path | None) -> Iterator[Path | SourceError]:
    if not path.is_dir():
        yield path
        return
    unreadable: list[OSError] = []
    found: list[Path] = []
    excluded = leave_out.resolve() if leave_out else None
    for folder, folders, names in os.walk(path, onerror=unreadable.append):
        here = Path(folder)
        folders[:] = [name for name in folders if (here / name).resolve() != excluded]
        found.extend(here / name for name in names if ending(name) in ENDINGS)
    yield from sorted(found)
    for error in unreadable:
        yield SourceError(_full(Path(str(error.filename))), error.strerror or str(error))
    if not found and not unreadable:
        kinds = ", ".join(sorted(ENDINGS))
        yield SourceError(_full(path), f"the folder holds no input ({kinds})")
