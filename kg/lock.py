"""An advisory lock: one writer of a folder at a time, released by the system when it dies."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from typing import Final

from kg.errors import StoreError

_HELD: Final = frozenset({errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK})


class Lock:
    """The lock file at *path*, held from construction to :meth:`release`.

    The file stays where it is: removing it would let two processes lock two files of one name.
    Raises :class:`~kg.errors.StoreError` if another process holds it, and OSError where the file
    system has no locks.
    """

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            _lock(self._file)
        except OSError as error:
            os.close(self._file)
            if error.errno not in _HELD:
                raise
            raise StoreError(f"{path.parent}: another build is writing this store") from None

    def release(self) -> None:
        """Let the next process have it."""
        os.close(self._file)


if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
