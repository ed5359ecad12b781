"""Digital object identifiers: one canonical form for all ways to write one.

https://www.doi.org/doi-handbook/HTML/: ``10.`` and the digits of a registrant, ``/``, and a suffix;
DOIs are the same where they differ in the case of ASCII letters only. A suffix with white space or
control characters is not taken for one. A full stop, comma, semicolon or colon at the end is taken
to be that of the sentence around it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

from kg.iris import segment

_ADDRESS: Final = re.compile(r"https?://(?:www\.|dx\.)?doi\.org/", re.IGNORECASE)
_PREFIX: Final = re.compile(r"(?:info:doi/|doi\s*:|doi\s)\s*", re.IGNORECASE)
_DOI: Final = re.compile(r"10\.[0-9]{4,9}/[^\s\x00-\x1f\x7f-\x9f]+")


@dataclass(frozen=True, slots=True)
class Doi:
    """A DOI in canonical form: ASCII letters in lower case, without a host."""

    id: str

    @property
    def iri(self) -> str:
        """The IRI of its address at doi.org, which is its identity."""
        return f"https://doi.org/{self.key}"

    @property
    def key(self) -> str:
        """Itself, encoded for use in an IRI."""
        return segment(self.id.replace("%", "%25"))


def parse(text: str) -> Doi | None:
    """Read a DOI, a ``doi:`` form, or its address at doi.org; None where the text is none of them.

    >>> parse("DOI 10.1234/ABC.5."), parse("https://dx.doi.org/10.1234/%C3%891?a=b")
    (Doi(id='10.1234/abc.5'), Doi(id='10.1234/É1'))
    >>> parse("10.1234/") is None
    True
    """
    text = text.strip()
    if address := _ADDRESS.match(text):
        text = unquote(re.split(r"[?#]", text[address.end() :], maxsplit=1)[0])
    elif prefix := _PREFIX.match(text):
        text = text[prefix.end() :]
    text = text.rstrip(".,;:")
    if not _DOI.fullmatch(text):
        return None
    return Doi(text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass"))
