"""A folder to work in beside what is written: gone at the end, or with the next process.

It holds a lock as long as its process lives. A process that is killed leaves it behind, unlocked,
and the next one that works at the same place clears it away.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from kg.errors import StoreError
from kg.lock import Lock

PREFIX: Final = ".paperkg-"
_LOCK: Final = "lock"
_TRIED: Final = 10
"""Times that a lock is tried for before work begins without one."""


@contextmanager
def work_folder(place: Path) -> Iterator[Path]:
    """Make a folder in *place*, after clearing away those of processes that died.

    It is removed at the end of the ``with`` block. Raises OSError where it cannot be made; where
    the file system has no locks, it has none, and nothing is cleared away.
    """
    clear(place)
    folder, lock = _made(place)
    try:
        yield folder
    finally:
        if lock:  # some systems remove no file that is open
            lock.release()
        shutil.rmtree(folder, ignore_errors=True)


def clear(place: Path) -> None:
    """Remove the work folders in *place* whose processes have died."""
    for path in place.glob(f"{PREFIX}*/{_LOCK}"):
        # Held by a process that lives, no lock of ours to take, or gone by now: none to remove.
        with suppress(StoreError, OSError):
            Lock(path).release()
            shutil.rmtree(path.parent, ignore_errors=True)


def _made(place: Path) -> tuple[Path, Lock | None]:
    """Return a new folder in *place* and the lock in it, None where there can be none."""
    for _ in range(_TRIED):
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=place))
        try:
            lock = Lock(folder / _LOCK)
        except (StoreError, FileNotFoundError):  # cleared away, or about to be, before it was held
            continue
        except OSError:
            return folder, None
        if (folder / _LOCK).exists():
            return folder, lock
        lock.release()
    return Path(tempfile.mkdtemp(prefix=PREFIX, dir=place)), None
