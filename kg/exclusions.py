"""Things that a user wants left out: ``kg build --exclude FILE``.

The file names one thing a line by its IRI or CURIE (``method:name/oojpiued~1a2b3c4d``); ``#``
begins a comment. Left out are the thing, its parts (the fragments of its IRI) and every statement
that points to one of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pyoxigraph as ox

from kg.errors import SourceError
from kg.namespaces import prefixes

_COMMENT = re.compile(r"(?:^|\s)#.*")


class Exclusions:
    """The things of a file; *left_out* counts the statements of each that were left out."""

    def __init__(self, iris: Iterable[str] = ()) -> None:
        self.left_out = dict.fromkeys(iris, 0)

    @classmethod
    def read(cls, path: Path, base: str) -> Exclusions:
        """Read a file of IRIs and CURIEs.

        Raises :class:`~kg.errors.SourceError` if it cannot be read, or names the line that is
        neither.
        """
        try:
            lines = path.read_text("utf-8-sig").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise SourceError(str(path), f"it cannot be read: {error}") from error
        known = prefixes(base)
        iris = []
        for number, line in enumerate(lines, start=1):
            text = _COMMENT.sub("", line).strip().strip("<>")
            if not text:
                continue
            prefix, colon, local = text.partition(":")
            iri = known[prefix] + local if colon and prefix in known else text
            try:
                ox.NamedNode(iri)
            except ValueError:
                raise SourceError(
                    str(path), f"line {number}: {text[:60]!r} is no IRI and no CURIE of ours"
                ) from None
            iris.append(iri)
        return cls(iris)

    def __bool__(self) -> bool:
        return bool(self.left_out)

    def kept(self, lines: list[bytes]) -> list[bytes]:
        """Return those of N-Triples *lines* that stay."""
        return [line for line in lines if self.keeps(line)] if self.left_out else lines

    def keeps(self, line: bytes) -> bool:
        """Say whether an N-Triples line stays, and count it where it does not."""
        subject, _, rest = line.decode().split(" ", 2)
        for term in (subject, rest[:-2]):
            if term.startswith("<"):
                iri = term[1:-1].partition("#")[0]
                if iri in self.left_out:
                    self.left_out[iri] += 1
                    return False
        return True
