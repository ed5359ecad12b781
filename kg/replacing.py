"""A file that takes the place of another in one step, when it is complete.

Until then it has no name where the system can do without one (Linux: ``O_TMPFILE``), so that
nothing is left of it however the process ends; elsewhere its name is one that no file has.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

# Where a folder, or the system, cannot hold a file without a name.
_NAMED_ONLY: Final = (errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL, errno.ENOENT)
_DESCRIPTORS: Final = "/proc/self/fd"
_ANYBODY: Final = 0o666  # as far as the mask of the process lets them
_OWNER: Final = 0o600


@contextmanager
def replaced(path: Path) -> Iterator[BinaryIO]:
    """Open a file that takes the place of *path* at the end of the ``with`` block.

    Where the block raises, what was there stays. A link stays one, and the file that it leads to
    is replaced; it keeps its permissions, and its owner where that can be. A device or a pipe is
    written to. Raises OSError, PermissionError too for a file that may not be written.
    """
    path = Path(os.path.realpath(path))
    check(path)
    before = path.stat() if path.exists() else None
    if before is not None and not stat.S_ISREG(before.st_mode):
        with path.open("wb") as device:
            yield device
        return
    part = path.with_name(f".paperkg-{secrets.token_hex(8)}.part")
    stream = _opened(part, _ANYBODY if before is None else _OWNER)
    try:
        with stream:
            yield stream
            stream.flush()
            if before is not None:
                _keep(before, stream.fileno())
            if not part.exists():
                _name(stream.fileno(), part)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def check(path: Path) -> None:
    """Raise OSError where it is known beforehand that *path* cannot be replaced."""
    path = Path(os.path.realpath(path))
    folder = path.parent.stat()  # raises where there is none
    if not stat.S_ISDIR(folder.st_mode):
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path))
    if path.is_symlink():  # still: it leads in circles
        path.stat()
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    written = path if path.exists() else path.parent
    if not os.access(written, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))


def _opened(part: Path, mode: int) -> BinaryIO:
    """Open a new file in the folder of *part*: without a name, or called so."""
    without_name = getattr(os, "O_TMPFILE", 0)
    if without_name and Path(_DESCRIPTORS).is_dir():
        try:
            return os.fdopen(os.open(part.parent, os.O_WRONLY | without_name, mode), "wb")
        except OSError as error:
            if error.errno not in _NAMED_ONLY:
                raise
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    return os.fdopen(os.open(part, flags, mode), "wb")


def _name(descriptor: int, part: Path) -> None:
    """Give a file without a name one (open(2))."""
    # With a folder named, the link to the file is followed.
    folder = os.open(part.parent, os.O_RDONLY)
    try:
        os.link(f"{_DESCRIPTORS}/{descriptor}", part.name, dst_dir_fd=folder)
    finally:
        os.close(folder)


def _keep(before: os.stat_result, descriptor: int) -> None:
    """Give a new file the owner, as far as that can be, and the permissions of the one *before*."""
    if os.name == "nt":  # where neither is a file's own
        return
    with suppress(OSError):
        os.fchown(descriptor, before.st_uid, before.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(before.st_mode))
