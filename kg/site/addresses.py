"""Where a thing is found on this server: the IRI of a thing, and the path of its page.

The IRI of a thing below the graph's base has the path that follows the base; the ontology and the
code lists, whose IRIs do not move with the base, stand at ``/ns`` and ``/vocab``. The address of
the server is another matter: pages link by path, so that whoever reads them stays on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from kg.iris import segment
from kg.namespaces import KG, VOCAB

ONTOLOGY: Final = KG.rstrip("#")
"""The IRI of the document that describes the ontology's terms."""

VOCABULARY: Final = VOCAB.rstrip("/")
_NS: Final = "/ns"
_VOCAB: Final = "/vocab"
# What may stand in a path beside letters and digits (RFC 3986, section 3.3).
_PATH_SAFE: Final = "/~!$&'()*+,;=:@-._"


@dataclass(frozen=True, slots=True)
class Addresses:
    """The addresses of a site about things below *base*.

    *prefix* is the path below which a proxy has put the server, without a slash at its end.
    """

    base: str
    prefix: str = ""

    def here(self, path: str) -> str:
        """Return the address of a path of this server, as a page links to it."""
        return f"{self.prefix}{path}"

    def path(self, iri: str) -> str | None:
        """Return the path of the page about *iri* with its fragment; None where it is not ours.

        >>> Addresses("https://e.org/").path("https://e.org/paper/a#author-1")
        '/paper/a#author-1'
        >>> Addresses("https://e.org/").path("https://w3id.org/paperkg/ns#Paper")
        '/ns#Paper'
        """
        for namespace, place in ((VOCAB, f"{_VOCAB}/"), (KG, f"{_NS}#"), (self.base, "/")):
            if iri.startswith(namespace) and len(iri) > len(namespace):
                return place + iri[len(namespace) :].replace("?", "%3F")
        return {ONTOLOGY: _NS, VOCABULARY: _VOCAB}.get(iri)

    def href(self, iri: str) -> str | None:
        """Return where a link to *iri* leads: a page here, a page elsewhere, or nowhere (None)."""
        path = self.path(iri)
        if path is not None:
            return self.here(path)
        return iri if iri.startswith(("https://", "http://")) else None

    def iris(self, path: str) -> Iterator[str]:
        """Yield the IRIs that the page at *path*, which is decoded, may be about.

        There may be several: an IRI may write a character itself or percent-encoded.
        """
        if path in (_NS, _VOCAB):
            yield ONTOLOGY if path == _NS else VOCABULARY
            return
        namespace, rest = self.base, path.removeprefix("/")
        if path.startswith(f"{_VOCAB}/"):
            namespace, rest = VOCAB, path.removeprefix(f"{_VOCAB}/")
        for encoded in dict.fromkeys((segment(rest), quote(rest, safe=_PATH_SAFE))):
            yield namespace + encoded
