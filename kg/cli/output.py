"""Where the command line's words go: data to standard output, everything else to standard error."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import BinaryIO

import click

from kg.errors import UsageError
from kg.values import visible


def quiet() -> bool:
    """Say whether ``--quiet`` was given."""
    context = click.get_current_context(silent=True)
    return bool(context and context.find_root().obj and context.find_root().obj.get("quiet"))


def note(text: str) -> None:
    """Write a line about the work to standard error, unless ``--quiet``."""
    if not quiet():
        complain(text)


def complain(text: str) -> None:
    """Write a line to standard error, ``--quiet`` or not; what it cannot show is replaced."""
    encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
    lines = (visible(line) for line in text.split("\n"))
    # A reader of these words that has gone is no reason to stop the work.
    with contextlib.suppress(OSError):
        click.echo("\n".join(lines).encode(encoding, "backslashreplace").decode(encoding), err=True)


def data_stream() -> BinaryIO:
    """Return standard output for bytes: data is UTF-8 whatever the locale (CLI-06)."""
    return sys.stdout.buffer


def data(content: str | bytes) -> None:
    """Write data to standard output as UTF-8 bytes; on a console, in the console's encoding."""
    stream = data_stream()
    if isinstance(content, str):
        encoding = "utf-8"
        if sys.stdout.isatty():
            encoding = sys.stdout.encoding or "utf-8"
        content = content.encode(encoding, "replace")
    try:
        stream.write(content)
        stream.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise UsageError(f"standard output: {error.strerror or error}") from error


def silence_stdout() -> None:
    """Point standard output at nothing, once its reader has gone, so that exit is silent."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):  # a stream that is no file has nothing left to flush
        return
