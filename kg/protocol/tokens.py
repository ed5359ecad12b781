"""Bearer tokens (RFC 6750): who may ask a private server."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final, Self

from kg.errors import UsageError

# RFC 6750, section 2.1: b64token.
_TOKEN: Final = re.compile(r"[A-Za-z0-9._~+/-]+=*", re.ASCII)
_SHORTEST: Final = 16
_BEARER: Final = re.compile(r"Bearer +(\S+) *", re.IGNORECASE)


class Tokens:
    """The tokens that a server takes; they cannot be had back out of it."""

    def __init__(self, tokens: Iterable[str]) -> None:
        self._digests = tuple(_digest(token) for token in tokens)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a file of tokens: one a line, beside empty lines and comments after ``#``.

        Raises :class:`~kg.errors.UsageError` for a file that cannot be read, that holds none, or
        one that can be none or guessed.
        """
        try:
            lines = path.read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "it is no UTF-8"
            raise UsageError(f"{path}: the tokens cannot be read: {reason}") from error
        tokens = []
        for number, line in enumerate(lines, 1):
            token = line.partition("#")[0].strip()
            if not token:
                continue
            # The token itself is not said: what is said may be kept somewhere.
            if not _TOKEN.fullmatch(token):
                raise UsageError(f"{path}, line {number}: a token has letters, digits and ._~+/-=")
            if len(token) < _SHORTEST:
                raise UsageError(
                    f"{path}, line {number}: a token has {_SHORTEST} characters at least,"
                    " or it can be guessed"
                )
            tokens.append(token)
        if not tokens:
            raise UsageError(f"{path}: there is no token in it; write one a line")
        return cls(tokens)

    def allow(self, authorization: str | None) -> bool:
        """Say whether the value of an Authorization header holds one of the tokens.

        It takes as long whether one fits or none.
        """
        given = _BEARER.fullmatch(authorization or "")
        digest = _digest(given[1] if given else "")
        fits = [hmac.compare_digest(digest, one) for one in self._digests]
        return any(fits)


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
