"""Compressed bytes → bytes: gzip (RFC 1952), bzip2, xz, Zstandard (RFC 8878), or none of them.

Which it is, the first bytes tell. All members of a file are read (a gzip file may have several,
``cat a.gz b.gz`` makes one), zeros that pad its end are passed over. What comes out at once is
bounded, however much a block holds.
"""

from __future__ import annotations

import bz2
import lzma
import zlib
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from itertools import chain
from typing import Any, Final, Protocol

OUTPUT: Final = 1024 * 1024
"""How much is decompressed at once."""

_XZ_MEMORY: Final = 512 * 1024 * 1024  # the xz of the strongest preset needs an eighth of it
_SLICE: Final = 1024
"""How much a Zstandard decoder without an own bound is given at once: it can become 32 MiB."""


class UnreadableError(Exception):
    """Nothing of a file can be read; ``str()`` is the reason."""


class _Decoder(Protocol):
    """A decoder of one member, as ``bz2.BZ2Decompressor`` is one."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


class _Gzip:
    """The decoder of a gzip member."""

    def __init__(self) -> None:
        self._decoder = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
        self.needs_input = True

    @property
    def eof(self) -> bool:
        return self._decoder.eof

    @property
    def unused_data(self) -> bytes:
        return self._decoder.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        found = self._decoder.decompress(self._decoder.unconsumed_tail + data, max_length)
        self.needs_input = not self._decoder.unconsumed_tail and len(found) < max_length
        return found


class _Zstandard:
    """The decoder of a Zstandard frame, by the library ``zstandard``."""

    def __init__(self, library: Any) -> None:
        self._decoder = library.ZstdDecompressor().decompressobj()
        self._error: type[Exception] = library.ZstdError
        self._data = b""
        self._used = 0

    @property
    def eof(self) -> bool:
        return bool(self._decoder.eof)

    @property
    def needs_input(self) -> bool:
        return self._used >= len(self._data)

    @property
    def unused_data(self) -> bytes:
        return bytes(self._decoder.unused_data) + self._data[self._used :]

    def decompress(self, data: bytes, _max_length: int) -> bytes:
        if data:
            self._data, self._used = data, 0
        piece = self._data[self._used : self._used + _SLICE]
        self._used += len(piece)
        try:
            return bytes(self._decoder.decompress(piece))
        except self._error as error:
            raise ValueError(str(error).removeprefix("zstd decompressor error: ")) from error


def _xz() -> _Decoder:
    return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY)


def _zstandard() -> _Decoder:
    try:
        own = import_module("compression.zstd")  # of Python itself, from 3.14 on
    except ImportError:
        pass
    else:
        decoder: _Decoder = own.ZstdDecompressor()
        return decoder
    try:
        return _Zstandard(import_module("zstandard"))
    except ImportError:
        raise UnreadableError(
            "it is compressed (Zstandard), for which Python needs a library:"
            " pip install 'paperkg[zstd]'"
        ) from None


_KINDS: Final[tuple[tuple[bytes, str, Callable[[], _Decoder]], ...]] = (
    (b"\x1f\x8b", "gzip", _Gzip),
    (b"BZh", "bzip2", bz2.BZ2Decompressor),
    (b"\xfd7zXZ\0", "xz", _xz),
    (b"\x28\xb5\x2f\xfd", "Zstandard", _zstandard),
    # A Zstandard file may begin with a frame to be skipped (RFC 8878, section 3.1.2).
    *((bytes((low,)) + b"\x2a\x4d\x18", "Zstandard", _zstandard) for low in range(0x50, 0x60)),
)
# What the decoders raise, by whom: zlib; bz2; lzma; all at a second end; compression.zstd, ours.
_ERRORS: Final = (zlib.error, OSError, lzma.LZMAError, EOFError, ValueError)


def compression_of(start: bytes) -> str | None:
    """Return the name of the compression of a file that begins with *start*, None for none."""
    return next((name for magic, name, _ in _KINDS if start.startswith(magic)), None)


class Decompressed:
    """The content of a file that comes in *blocks* of bytes, in blocks too.

    Iterate once. Where the file breaks off or is damaged the content ends, as far as it could be
    read, and :attr:`fault` says why. :attr:`compression` is the name of the compression, None for
    none. Iterating raises :class:`UnreadableError` where a library is missing.
    """

    def __init__(self, blocks: Iterable[bytes]) -> None:
        self._blocks = iter(blocks)
        self.compression: str | None = None
        self.fault: str | None = None

    def __iter__(self) -> Iterator[bytes]:
        start = next(self._blocks, b"")
        blocks = chain((start,) if start else (), self._blocks)
        for magic, name, decoder in _KINDS:
            if start.startswith(magic):
                self.compression = name
                return self._members(blocks, name, decoder)
        return blocks

    def _members(
        self, blocks: Iterator[bytes], name: str, decoder: Callable[[], _Decoder]
    ) -> Iterator[bytes]:
        member: _Decoder | None = None
        whole = 0
        for block in blocks:
            data = block
            while data:
                if member is None:
                    data = data.lstrip(b"\0")
                    if not data:
                        break
                    member = decoder()
                try:
                    found = member.decompress(data, OUTPUT)
                    while not (member.eof or member.needs_input):
                        if found:  # an empty block would be the end of a file
                            yield found
                        found = member.decompress(b"", OUTPUT)
                    if found:
                        yield found
                except _ERRORS as error:
                    self.fault = _damage(name, error, whole)
                    return
                data = member.unused_data if member.eof else b""
                if member.eof:
                    member, whole = None, whole + 1
        if member is not None:
            self.fault = f"truncated: the file ends in the middle of its {name} data"


def _damage(name: str, error: Exception, whole: int) -> str:
    reason = f"the {name} data cannot be decompressed: {error}"
    return f"damaged: {reason}" + (f" (in part {whole + 1} of it)" if whole else "")
