"""Licences: from what a record says to the IRI of the licence.

SPDX identifiers become the IRIs of the SPDX licence list; Creative Commons addresses become the
IRI of the licence (its deed), whichever page of it was named.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

from kg.iris import outside_iri

_SPDX_TERMS: Final = {
    "NONE": "http://spdx.org/rdf/terms#none",
    "NOASSERTION": "http://spdx.org/rdf/terms#noassertion",
}
"""What SPDX writes in the place of a licence: there is none, or nobody says which."""

_ONE_LICENCE: Final = re.compile(r"[A-Za-z0-9.-]+")
_CC: Final = re.compile(
    r"https?://(?:www\.)?creativecommons\.org/(licenses/[a-z-]+/\d\.\d(?:/[a-z]{2})?|publicdomain/"
    r"[a-z]+/\d\.\d)(?:/(?:legalcode|deed)(?:\.[a-z-]+)?)?/?",
    re.IGNORECASE,
)
KNOWN_NAMES: Final = {
    "CC BY-SA 4.0": "https://creativecommons.org/licenses/by-sa/4.0/",
    "CC BY 4.0": "https://creativecommons.org/licenses/by/4.0/",
    "CC BY-SA 3.0": "https://creativecommons.org/licenses/by-sa/3.0/",
    "CC BY 3.0": "https://creativecommons.org/licenses/by/3.0/",
    "CC0 1.0": "https://creativecommons.org/publicdomain/zero/1.0/",
}
"""Licence names as the sources write them; a name is only taken where it is exactly one."""


@lru_cache(maxsize=4096)
def spdx_iri(identifier: str) -> str | None:
    """Return the IRI of one licence of the SPDX list, or None where the text names none.

    Case folds, as SPDX says (its list is that of :mod:`packaging.licenses`); ``NONE`` and
    ``NOASSERTION`` are SPDX's own terms; an expression of several licences is no one licence.

    >>> spdx_iri("apache-2.0"), spdx_iri("NONE"), spdx_iri("Proprietary")
    ('http://spdx.org/licenses/Apache-2.0', 'http://spdx.org/rdf/terms#none', None)
    """
    identifier = identifier.strip()
    if identifier in _SPDX_TERMS:
        return _SPDX_TERMS[identifier]
    if not _ONE_LICENCE.fullmatch(identifier) or identifier.lower().startswith("licenseref-"):
        return None
    try:
        return f"http://spdx.org/licenses/{canonicalize_license_expression(identifier)}"
    except InvalidLicenseExpression:
        return None


def url_iri(url: str) -> str | None:
    """Return the IRI of a licence by its address: Creative Commons licences in their own form.

    >>> url_iri("https://creativecommons.org/licenses/by-sa/4.0/legalcode")
    'https://creativecommons.org/licenses/by-sa/4.0/'
    """
    if match := _CC.fullmatch(url.strip()):
        return f"https://creativecommons.org/{match[1].lower()}/"
    return outside_iri(url)


def is_cc(url: str) -> bool:
    """Say whether an address is that of a Creative Commons licence."""
    return _CC.fullmatch(url.strip()) is not None


def name_in_archive(archive: str) -> str | None:
    """Return the licence that a source's description names after its last comma, if exactly.

    >>> name_in_archive("pwc-archive (Hugging Face), CC BY-SA 4.0")
    'CC BY-SA 4.0'
    """
    name = archive.rpartition(",")[2].strip()
    return name if name in KNOWN_NAMES else None
