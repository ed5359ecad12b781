"""arXiv identifiers, old and new style, and the DOI that arXiv gives each of them.

https://info.arxiv.org/help/arxiv_identifier.html: from April 2007 (0704) to December 2014 (1412)
``YYMM.NNNN``, from January 2015 (1501) on ``YYMM.NNNNN``; before, from July 1991 (9107) to March
2007 (0703), ``archive(.XX)?/YYMMNNN`` (the subject class is no part of the identity). The month is
01 to 12, numbers begin with 1. The years 91 to 99 are those of the last century: the new style
reaches them in 2091.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_PREFIX: Final = re.compile(
    r"(?:arxiv\s*:\s*|https?://(?:www\.|export\.)?arxiv\.org/(?:abs|pdf|html|format)/"
    r"|(?:https?://(?:www\.|dx\.)?doi\.org/|info:doi/|doi(?:\s*:|\s)\s*)?10\.48550/arxiv\.)",
    re.IGNORECASE,
)
_NEW = re.compile(
    # An archive before a new number ("hep-th/1601.07616") is a known slip and says nothing.
    r"(?:[a-z-]+(?:\.[a-z-]+)?/)?"
    r"(\d{2})(0[1-9]|1[0-2])\.(\d{4,5})(?:v([1-9]\d*))?(?:\.pdf)?",
    re.IGNORECASE | re.ASCII,
)
_OLD = re.compile(
    r"([a-z]+(?:-[a-z]+)?)(?:\.[a-z-]{2,})?/(\d{2})(0[1-9]|1[0-2])(\d{3})(?:v([1-9]\d*))?(?:\.pdf)?",
    re.IGNORECASE | re.ASCII,
)


@dataclass(frozen=True, slots=True)
class ArxivId:
    """An arXiv identifier without version, and the *version* where the text named one."""

    id: str
    version: str | None = None

    @property
    def iri(self) -> str:
        """The IRI of its abstract page, which is its identity."""
        return f"https://arxiv.org/abs/{self.id}"

    @property
    def doi(self) -> str:
        """Its DOI in the canonical form: lower case, without a host."""
        return f"10.48550/arxiv.{self.id.lower()}"

    @property
    def doi_iri(self) -> str:
        """The IRI of its DOI."""
        return f"https://doi.org/{self.doi}"


def parse(text: str) -> ArxivId | None:
    """Read an identifier, an ``arXiv:`` form, or the address of an abstract or PDF page.

    Returns None where the text is none of them; a bare old number without its archive is none,
    since it is unique only inside an archive.

    >>> parse("https://arxiv.org/abs/2106.08087v6")
    ArxivId(id='2106.08087', version='6')
    >>> parse("math.GT/0309136").id, parse("2113.00001"), parse("2106.00000"), parse("9901001")
    ('math/0309136', None, None, None)
    """
    text = text.strip()
    prefix = _PREFIX.match(text)
    if prefix:
        text = re.split(r"[?#]", text[prefix.end() :], maxsplit=1)[0].strip().rstrip("/")
    if match := _NEW.fullmatch(text):
        year, month, number, version = match.groups()
        if _is_new(year + month, number):
            return ArxivId(f"{year}{month}.{number}", version)
        return None
    if match := _OLD.fullmatch(text):
        archive, year, month, number, version = match.groups()
        if _is_old(year + month, number):
            return ArxivId(f"{archive.lower()}/{year}{month}{number}", version)
    return None


def _is_new(month: str, number: str) -> bool:
    digits = 5 if month >= "1501" else 4
    return "0704" <= month < "9101" and len(number) == digits and int(number) > 0


def _is_old(month: str, number: str) -> bool:
    return (month >= "9107" or month <= "0703") and int(number) > 0
