"""One file → what it holds, each record and each problem in its place."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import IO, Final, TypeAlias

import pyoxigraph as ox

from kg.errors import RecordError, SourceError
from kg.sources import json_form, json_lines, json_stream, parquet
from kg.sources.compression import Decompressed, UnreadableError, compression_of
from kg.sources.content import JSON_LINES, Records, content_of, ending
from kg.sources.files import UTF8_BOM, Found, RawRecord, RdfFile, Reading, SourceFile
from kg.sources.json_values import JsonError

_Records: TypeAlias = Iterator[RawRecord | RecordError | SourceError]

_WHOLE: Final = "whole records read before it"
_ALL_WHOLE: Final = "what stands behind it was read; whole records"

# What begins like this is no text in UTF-8 (RFC 8259, section 8.1), and the reader is told what.
_OTHER_BEGINNINGS: Final = (
    (b"\xff\xfe", "it is UTF-16 or UTF-32, not UTF-8; convert it first"),
    (b"\xfe\xff", "it is UTF-16, not UTF-8; convert it first"),
    (b"\x00", "it is UTF-16, UTF-32 or no text at all, not UTF-8"),
    (b"{\x00", "it is UTF-16, not UTF-8; convert it first"),
    (b"[\x00", "it is UTF-16, not UTF-8; convert it first"),
    (b"<\x00", "it is UTF-16, not UTF-8; convert it first"),
)


def read(file: SourceFile) -> Iterator[Found]:
    """Yield what *file* holds; its digest is learned, or compared, at the end.

    An RDF file is one element, which is not read. Raises :class:`~kg.errors.SourceError` where the
    file is not what it was when first read.
    """
    records = size = 0
    sha256 = None
    try:
        with file.open() as opened:
            reading = Reading(opened)
            for found in _content(file, opened, reading):
                if isinstance(found, RdfFile):
                    yield found
                    return
                records += not isinstance(found, SourceError)
                yield found
            reading.rest()
            size, sha256 = reading.size, reading.sha256
    except OSError as error:
        yield file.unreadable(error)
    if not file.was_read:
        file.sha256, file.size, file.records, file.was_read = sha256, size, records, True
    elif (file.sha256, file.size, file.records) != (sha256, size, records):
        raise SourceError(file.name, "the file changed while it was being read")


def _content(file: SourceFile, opened: IO[bytes], reading: Reading) -> Iterator[Found]:
    """Yield what *opened* holds, read through *reading* as far as it is read in order."""
    content = Decompressed(reading)
    try:
        blocks = iter(content)
        start = next(blocks, b"")
        for beginning, reason in _OTHER_BEGINNINGS:
            if start.startswith(beginning):
                raise UnreadableError(reason)
        if compression_of(start):
            raise UnreadableError("it is compressed twice; decompress it once")
        form = content_of(start.removeprefix(UTF8_BOM), file.name)
        if isinstance(form, ox.RdfFormat):
            yield RdfFile(file, form)
        elif form is Records.PARQUET:
            if content.compression:
                raise UnreadableError(f"it is Parquet inside {content.compression}; decompress it")
            yield from _rows(file.name, opened)
            opened.seek(reading.size)
        else:
            yield from _json(file.name, start, blocks, content)
    except UnreadableError as error:
        yield SourceError(file.name, str(error))


def _rows(name: str, opened: IO[bytes]) -> _Records:
    count = 0
    try:
        for row in parquet.rows(opened):
            position = f"record {count}"
            count += 1
            if isinstance(row, Exception):
                yield RecordError(parquet.reason(row), file=name, position=position)
            else:
                yield RawRecord(name, position, row)
    except parquet.ParquetError as error:
        yield SourceError(name, f"{error}; {_WHOLE}: {count}")


def _json(name: str, start: bytes, blocks: Iterator[bytes], content: Decompressed) -> _Records:
    offset = len(UTF8_BOM) if start.startswith(UTF8_BOM) else 0
    named_lines = ending(name) in JSON_LINES
    start, is_lines = json_form.form(start[offset:], blocks, named_lines=named_lines)
    read_as = _lines if is_lines else _document
    yield from read_as(name, chain((start,), blocks), offset, content)


def _lines(name: str, blocks: Iterator[bytes], offset: int, content: Decompressed) -> _Records:
    count = 0
    for line in json_lines.lines(blocks, offset):
        position = f"line {line.number}"
        try:
            value = json_lines.value(line)
        except JsonError as error:
            if content.fault:  # the last line: what follows it is missing
                break
            reason = f"column {error.column}: {error.reason}"
            yield RecordError(reason, file=name, position=position)
            continue
        count += 1
        yield RawRecord(name, position, value)
    if content.fault:
        yield SourceError(name, f"{content.fault}; {_WHOLE}: {count}")


def _document(name: str, blocks: Iterator[bytes], offset: int, content: Decompressed) -> _Records:
    count = whole = 0
    fault = None
    try:
        for value in json_stream.stream(blocks, offset):
            position = f"record {count}"
            count += 1
            if isinstance(value, JsonError):
                yield RecordError(str(value), file=name, position=position)
            else:
                whole += 1
                yield RawRecord(name, position, value)
    except JsonError as error:
        said = f"truncated: {error}" if error.is_cut else str(error)
        fault = f"{said}; {_ALL_WHOLE if error.is_passed else _WHOLE}: {whole}"
    if content.fault:
        fault = f"{content.fault}; {_WHOLE}: {whole}"
    if fault:
        yield SourceError(name, fault)
