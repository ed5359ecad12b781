"""Vandalism in the archive: a documented rule for what looks like it. Suspects are kept and listed.

The open archive was filled with advertisements in its last years: methods whose name is a phone
number, datasets that ask how to cancel a flight, methods that nobody described. A thing is suspect
by its name, its full name or its description, if one of them

* holds a phone number: at least ten digits with a ``+``, a bracket or a sign of a telephone before
  them, or in groups parted by ``-``, ``.``, arrows or the like, as North American numbers are
  written in advertisements. Five such signs at most stand between two digits: more of them part the
  cells of a table. A bracket that begins with a year or an arXiv identifier is one of a citation;
* speaks as a call centre does: two or more of the words in :data:`SOLD` and :data:`OFFERED`. In a
  text that is longer than a name, one at least is of the latter: a data set about air travel has
  flights and bookings too, and nobody to call;
* is the text that the archive's form was filled with before anybody wrote anything, and the method
  stands in a paper's row only and not in the dump of methods (many real methods of that dump were
  never described either).

The rule errs on the side of listing: nothing is left out but by ``--exclude``.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

PLACEHOLDER: Final = "please enter a description about the method here"
"""What the archive's form for a method held."""

SOLD: Final = (
    "airline",
    "airlines",
    "aerolíneas",
    "booking",
    "flight",
    "lufthansa",
    "reservation",
    "ticket",
    "vuelo",
    "wallet",
)
"""Words for what call centres sell, in the languages of the advertisements that were seen."""

OFFERED: Final = (
    "cancel",
    "cancelar",
    "cancellation",
    "customer service",
    "customer support",
    "helpline",
    "llamar",
    "phone number",
    "refund",
    "support number",
    "teléfono",
    "toll-free",
    "24/7",
)
"""Words for what a caller is offered."""

LONGEST_NAME: Final = 120
"""Characters of a name at most; the longest full name of a method in the archive has 116."""

_SEPARATOR: Final = r"[\s\-\u2013\u2014.,_/\\|)(\]\[⇢→➡↣⟶~*+·•:]{0,5}"
_CITATION: Final = r"\s*(?:(?:19|20)\d\d(?!\d)|\d{4}\.\d{4,5}(?!\d))"
_PHONE: Final = re.compile(
    rf"(?:(?:\+|☎|📞|\((?!{_CITATION}))\s*(?:\d{_SEPARATOR}){{10,14}}(?!\d))"
    r"|(?:(?<![\d.])1?[\-\u2013\u2014.(⇢→➡ ]{1,3}8\d\d"
    rf"{_SEPARATOR}\d{{3}}{_SEPARATOR}\d{{4}}(?!\d))"
)
_WORDS: Final = re.compile(
    r"(?<!\w)(?:"
    + "|".join(map(re.escape, sorted(SOLD + OFFERED, key=len, reverse=True)))
    + r")(?!\w)"
)


def reason(*texts: str | None, is_listed: bool = True) -> str | None:
    """Return why a thing with these texts is suspect, or None where it is not.

    *is_listed* says that the archive lists the thing itself, not only in a row of something else.

    >>> reason("Call +1 (888) 555-0123 now"), reason("BERT", "A language model, 2018.")
    ('a phone number', None)
    >>> reason("Please enter a description about the method here", is_listed=False)
    'the text of an empty form'
    """
    for text in texts:
        if text is None:
            continue
        if not is_listed and text.strip().lower() == PLACEHOLDER:
            return "the text of an empty form"
        if (why := _reason(text)) is not None:
            return why
    return None


@lru_cache(maxsize=10_000)  # rows of papers repeat what their methods are
def _reason(text: str) -> str | None:
    if _PHONE.search(text):
        return "a phone number"
    words = set(_WORDS.findall(text.lower()))
    if len(words) >= 2 and (len(text) <= LONGEST_NAME or not words.isdisjoint(OFFERED)):
        return "the words of a call centre"
    return None
