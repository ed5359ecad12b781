"""Media types, and which of those on offer a client wants: proactive negotiation.

RFC 9110, section 8.3.1 (media types) and 12.5.1 (``Accept``)::

    Accept      = #( media-range [ weight ] )
    media-range = ( "*/*" / ( type "/" "*" ) / ( type "/" subtype ) ) parameters
    weight      = OWS ";" OWS "q=" qvalue

Read more gently than it is written, as clients need: an element that breaks the grammar is passed
over as an empty one is, a bare ``*`` is ``*/*``, a weight may be ``.5`` and have any number of
digits. A ``charset`` other than UTF-8 matches nothing here; every other parameter (``version``,
``profile``) makes a range more specific and excludes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

_TOKEN: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", re.ASCII)
WEIGHT: Final = re.compile(r"0?\.[0-9]+|0\.?|1(?:\.0*)?", re.ASCII)
"""A weight, as it stands after ``q=``."""

_UTF8: Final = ("utf-8", "utf8")


@dataclass(frozen=True, slots=True)
class MediaType:
    """A media type, or a media range of an Accept header; *essence* is ``type/subtype``.

    Names are in lower case; so is the value of ``charset``.
    """

    essence: str
    parameters: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> MediaType:
        """Read one media type or range.

        Raises ValueError for a text that is none.

        >>> MediaType.parse('Text/CSV; charset="UTF-8"')
        MediaType(essence='text/csv', parameters={'charset': 'utf-8'})
        """
        essence, *rest = (part.strip(" \t") for part in _split(text, ";"))
        if essence == "*":
            essence = "*/*"
        main, slash, sub = essence.partition("/")
        if not (slash and _TOKEN.fullmatch(main) and _TOKEN.fullmatch(sub)):
            raise ValueError(f"{text!r} is no media type")
        return cls(essence.lower(), dict(_parameter(part) for part in rest if part))

    @property
    def is_utf8(self) -> bool:
        """Whether its charset is UTF-8 or not named."""
        return self.parameters.get("charset", "utf-8") in _UTF8


def choose(accept: Sequence[str], offered: Sequence[str]) -> str | None:
    """Return the one of the *offered* types that the client wants most, or None if it wants none.

    *accept* are the values of the request's Accept lines, which count as one list; without any,
    everything is welcome. Each offered type has the weight of the most specific range that matches
    it. Among equal weights the first on offer is chosen: the order of an Accept list means nothing.

    >>> choose(["text/turtle;q=0.5, application/*"], ["text/turtle", "application/ld+json"])
    'application/ld+json'
    """
    ranges = list(_ranges(accept))
    if not ranges:
        return offered[0]
    best, chosen = 0.0, None
    for media_type in offered:
        weight = _weight(media_type, ranges)
        if weight > best:
            best, chosen = weight, media_type
    return chosen


def _ranges(accept: Sequence[str]) -> Iterator[tuple[MediaType, float]]:
    for element in _split(",".join(accept), ","):
        try:
            media_range = MediaType.parse(element)
        except ValueError:
            continue
        weight = media_range.parameters.get("q", "1")
        if WEIGHT.fullmatch(weight):
            yield media_range, float(weight)


def _weight(media_type: str, ranges: Sequence[tuple[MediaType, float]]) -> float:
    """Return the weight of a type: that of the most specific range that matches it, else 0."""
    main = media_type.partition("/")[0]
    specific = {media_type: 2, f"{main}/*": 1, "*/*": 0}
    matching = [
        (specific[range_.essence], len(range_.parameters.keys() - {"q"}), weight)
        for range_, weight in ranges
        if range_.essence in specific and range_.is_utf8
    ]
    return max(matching)[2] if matching else 0.0


def _parameter(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    name = name.lower()
    if value.startswith('"') and value.endswith('"') and len(value) > 1:
        value = re.sub(r"\\(.)", r"\1", value[1:-1])
    elif not _TOKEN.fullmatch(value):
        raise ValueError(f"{text!r} is no parameter of a media type")
    if not (equals and _TOKEN.fullmatch(name)):
        raise ValueError(f"{text!r} is no parameter of a media type")
    return name, value.lower() if name == "charset" else value


def _split(text: str, separator: str) -> Iterator[str]:
    """Yield the parts of *text* between separators that stand in no quoted string."""
    start, quoted, escaped = 0, False, False
    for index, character in enumerate(text):
        if escaped:
            escaped = False
        elif quoted and character == "\\":
            escaped = True
        elif character == '"':
            quoted = not quoted
        elif character == separator and not quoted:
            yield text[start:index]
            start = index + 1
    yield text[start:]
