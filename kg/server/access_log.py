"""The access log: a line for each request, in the Combined Log Format and the seconds it took.

Of the address only the path is written, and of the page that led here only its address without
query: what somebody asks is nobody else's business, and a log is kept and copied.
"""

from __future__ import annotations

import logging
import sys
import time
from logging.handlers import WatchedFileHandler
from pathlib import Path
from typing import Final, Self

from kg.errors import UsageError
from kg.server.exchange import Served

_MONTHS: Final = (
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun"),
    *("Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)
_LONGEST: Final = 400


class AccessLog:
    """Writes lines by *handler*."""

    def __init__(self, handler: logging.Handler) -> None:
        self._handler = handler

    @classmethod
    def to(cls, place: str) -> Self:
        """Log to the file *place*, or to standard error where that is ``-``.

        A file that is moved away is begun anew. Raises :class:`~kg.errors.UsageError` for one that
        cannot be written.
        """
        if place == "-":
            return cls(logging.StreamHandler(sys.stderr))
        try:
            return cls(WatchedFileHandler(Path(place), encoding="utf-8"))
        except OSError as error:
            reason = error.strerror or str(error)
            raise UsageError(f"{place}: the access log cannot be written: {reason}") from error

    def write(self, served: Served, client: str) -> None:
        """Write the line of a request that came from *client*."""
        text = line(served, client, time.time())
        self._handler.handle(logging.LogRecord("", logging.INFO, "", 0, text, None, None))

    def close(self) -> None:
        """Close the file."""
        self._handler.close()


def line(served: Served, client: str, now: float) -> str:
    """Return the line of a request that ended at *now*, in seconds since 1970."""
    request = served.request
    told = time.gmtime(now)
    when = time.strftime(f"%d/{_MONTHS[told.tm_mon - 1]}/%Y:%H:%M:%S +0000", told)
    referer = (request.header("referer") or "-").partition("?")[0].partition("#")[0]
    # 499 is what others write where the client left before there was an answer.
    status = served.status or 499
    return (
        f"{_plain(client) or '-'} - - [{when}]"
        f' "{_plain(request.method)} {_plain(request.path)} HTTP/{request.version}"'
        f" {status} {served.sent}"
        f' "{_plain(referer)}" "{_plain(request.header("user-agent") or "-")}"'
        f" {served.seconds:.3f}{'' if served.is_whole else ' cut'}"
    )


def _plain(text: str) -> str:
    """Return *text* so that it stays in its place on the line."""
    return "".join(
        c if c.isprintable() and c not in '"\\' else f"\\x{ord(c):02x}" for c in text[:_LONGEST]
    )
