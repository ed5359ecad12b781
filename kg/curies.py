"""IRIs as CURIEs, for people to read and to type."""

from __future__ import annotations

import re
from collections.abc import Mapping


class Curies:
    """Compresses IRIs by *prefixes* (prefix → namespace IRI); the longest namespace wins.

    >>> Curies({"e": "https://e.org/", "p": "https://e.org/paper/"}).compress("https://e.org/paper/a")
    'p:a'
    """

    def __init__(self, prefixes: Mapping[str, str]) -> None:
        self._prefixes = {namespace: prefix for prefix, namespace in prefixes.items()}
        longest_first = sorted(self._prefixes, key=len, reverse=True)
        self._namespace = re.compile("|".join(map(re.escape, longest_first)) or "(?!)")

    def compress(self, iri: str) -> str | None:
        """Return the CURIE of *iri*, or None where no namespace fits."""
        match = self._namespace.match(iri)
        if match is None or match.end() == len(iri):
            return None
        return f"{self._prefixes[match[0]]}:{iri[match.end() :]}"

    def namespace(self, iri: str) -> str | None:
        """Return the namespace that :meth:`compress` would use, or None."""
        match = self._namespace.match(iri)
        return match[0] if match and match.end() < len(iri) else None
