"""Values of the graph in words: dates, numbers, licences, identifiers."""

from __future__ import annotations

import re
from datetime import date
from typing import Final
from urllib.parse import unquote, urlsplit

_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June", "July", "August"),
    *("September", "October", "November", "December"),
)
_DATE: Final = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?(?:T.*)?", re.ASCII)
_SPDX: Final = "http://spdx.org/licenses/"
_NO_LICENCE: Final = "http://spdx.org/rdf/terms#none"
_CC: Final = re.compile(
    r"https?://creativecommons\.org/(licenses|publicdomain)/([a-z-]+)/([\d.]+)/?"
)
_CODE_HOSTS: Final = ("github.com", "gitlab.com", "bitbucket.org")


def day(text: str) -> str:
    """Return a date, month or year in words; what is none comes back as it is.

    >>> day("2021-06-15"), day("2021-06"), day("2021"), day("soon")
    ('15 June 2021', 'June 2021', '2021', 'soon')
    """
    match = _DATE.fullmatch(text)
    if match is None:
        return text
    year, month, of_month = match.groups()
    if month is None:
        return year
    if not 1 <= int(month) <= 12:
        return text
    name = f"{_MONTHS[int(month) - 1]} {year}"
    return name if of_month is None else f"{int(of_month)} {name}"


def month(number: int) -> str:
    """Return the name of a month by its *number*, from 1; of another number the number itself."""
    return _MONTHS[number - 1] if 1 <= number <= 12 else str(number)


def day_number(text: str | None) -> int | None:
    """Return the day of a date as a number, for a chart: of a month or year its first day.

    >>> day_number("2021-06-15") - day_number("2021"), day_number("x")
    (165, None)
    """
    match = _DATE.fullmatch(text or "")
    if match is None:
        return None
    try:
        return date(int(match[1]), int(match[2] or 1), int(match[3] or 1)).toordinal()
    except ValueError:
        return None


def count(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun.

    >>> count(1, "paper"), count(1234, "repository", "repositories")
    ('1 paper', '1,234 repositories')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def licence_name(iri: str) -> str | None:
    """Return the short name of a known licence by its IRI, or None.

    >>> licence_name("https://creativecommons.org/licenses/by-sa/4.0/")
    'CC BY-SA 4.0'
    >>> licence_name("http://spdx.org/licenses/MIT")
    'MIT'
    """
    if iri.startswith(_SPDX):
        return iri.removeprefix(_SPDX)
    if iri == _NO_LICENCE:
        return "none"
    match = _CC.fullmatch(iri)
    if match is None:
        return None
    kind, code, version = match.groups()
    if kind == "publicdomain":
        return f"CC0 {version}" if code == "zero" else f"public domain {code} {version}"
    return f"CC {code.upper()} {version}"


def repository_name(page: str) -> str:
    """Return the name of a repository by its page: owner and name, with the host unless known.

    >>> repository_name("https://github.com/a/b"), repository_name("https://e.org/a")
    ('a/b', 'e.org/a')
    """
    parts = urlsplit(page)
    path = unquote(parts.path.strip("/"))
    return path if parts.netloc in _CODE_HOSTS and path else f"{parts.netloc}/{path}".rstrip("/")


def host(address: str) -> str:
    """Return the host of an address, without ``www.``."""
    return urlsplit(address).netloc.removeprefix("www.") or address


def shorter(text: str, most: int) -> str:
    """Return *text* in at most *most* characters, cut at a word with an ellipsis.

    >>> shorter("one two three", 9), shorter("one", 9)
    ('one two…', 'one')
    """
    text = " ".join(text.split())
    if len(text) <= most:
        return text
    cut = text[:most].rpartition(" ")[0] or text[: most - 1]
    return cut.rstrip(" ,;:.") + "…"


def last_part(iri: str) -> str:
    """Return what stands last in an IRI, for a thing that has no name."""
    return unquote(re.split(r"[/#]", iri.rstrip("/#"))[-1]) or iri
