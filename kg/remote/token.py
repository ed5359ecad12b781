"""The bearer token (RFC 6750) by which a server knows its client, out of a file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from kg.errors import UsageError

_TOKEN: Final = re.compile(r"[A-Za-z0-9._~+/-]+=*", re.ASCII)


def token_in(path: Path) -> str:
    """Return the first token in a file: one a line, beside empty lines and comments after ``#``.

    Raises :class:`~kg.errors.UsageError` for a file that cannot be read or has none. What is no
    token is not repeated: what is said may be kept somewhere.
    """
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no UTF-8"
        raise UsageError(f"{path}: the token cannot be read: {reason}") from error
    for number, line in enumerate(lines, 1):
        token = line.partition("#")[0].strip()
        if token and not _TOKEN.fullmatch(token):
            raise UsageError(f"{path}, line {number}: a token has letters, digits and ._~+/-=")
        if token:
            return token
    raise UsageError(f"{path}: there is no token in it")
