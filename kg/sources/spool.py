"""Copies of what can be read only once: standard input, a named pipe.

A copy is a file without a name, so that nothing is left of it however the process ends.
"""

from __future__ import annotations

import io
import shutil
import tempfile
import threading
from typing import IO, TYPE_CHECKING, Final

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_BLOCK: Final = 256 * 1024


class Copy:
    """The content of *stream*, to be read as often as it is opened.

    It stands in the folder for temporary files (``TMPDIR``) and takes as much room there as the
    stream is long. Raises OSError where it cannot be read or written.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        # Where the system can, it never has a name (O_TMPFILE); else it loses it at once (POSIX)
        # or the system removes it with the process (Windows).
        self._file = tempfile.TemporaryFile(prefix="paperkg-")  # noqa: SIM115  closed by close()
        self._lock = threading.Lock()
        try:
            shutil.copyfileobj(stream, self._file, _BLOCK)
            self._file.flush()
        except BaseException:
            self.close()
            raise

    def open(self) -> IO[bytes]:
        """Return a file object that stands at the beginning and has a position of its own."""
        return io.BufferedReader(_View(self), _BLOCK)

    def close(self) -> None:
        """Give the room back."""
        self._file.close()

    def read_at(self, position: int, buffer: WriteableBuffer) -> int:
        """Read into *buffer* from *position* on; return how many bytes."""
        with self._lock:
            self._file.seek(position)
            return self._file.readinto(buffer)

    def length(self) -> int:
        """Return how many bytes it has."""
        with self._lock:
            return self._file.seek(0, io.SEEK_END)


class _View(io.RawIOBase):
    """One reading of a copy."""

    def __init__(self, copy: Copy) -> None:
        self._copy = copy
        self._position = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._copy.length()}
        self._position = max(0, start[whence] + offset)
        return self._position

    def readinto(self, buffer: WriteableBuffer) -> int:
        count = self._copy.read_at(self._position, buffer)
        self._position += count
        return count
