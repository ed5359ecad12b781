"""Vandalism in the archive: a documented rule for what looks like it. Suspects are kept and listed.

The open archive was filled with advertisements in its last years: methods whose name is a phone
number, datasets that ask how to cancel a flight, methods that nobody described. A thing is suspect
by its name, its full name or its description, if one of them

* holds a phone number: at least ten digits with a ``+``, a bracket or a sign of a telephone before
  them, or in groups parted by ``-``, ``.``, arrows or the like, as North American numbers are
  written in advertisements;
* speaks as a call centre does: two or more of the words in :data:`CALL_CENTRE`;
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

CALL_CENTRE: Final = (
    "airline",
    "airlines",
    "aerolíneas",
    "booking",
    "cancel",
    "cancelar",
    "cancellation",
    "customer service",
    "customer support",
    "flight",
    "helpline",
    "llamar",
    "lufthansa",
    "phone number",
    "refund",
    "reservation",
    "support number",
    "teléfono",
    "ticket",
    "toll-free",
    "vuelo",
    "wallet",
    "24/7",
)
"""Words of call centres, in the languages of the advertisements that were seen."""

_SEPARATOR: Final = r"[\s\-\u2013\u2014.,_/\\|)(\]\[⇢→➡↣⟶~*+·•:]*"
_PHONE: Final = re.compile(
    rf"(?:(?:\+|☎|📞|\()\s*(?:\d{_SEPARATOR}){{10,14}}(?!\d))"
    r"|(?:(?<![\d.])1?[\-\u2013\u2014.(⇢→➡ ]{1,3}8\d\d"
    rf"{_SEPARATOR}\d{{3}}{_SEPARATOR}\d{{4}}(?!\d))"
)
_WORDS: Final = re.compile(
    r"(?<!\w)(?:"
    + "|".join(map(re.escape, sorted(CALL_CENTRE, key=len, reverse=True)))
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
    if len(set(_WORDS.findall(text.lower()))) >= 2:
        return "the words of a call centre"
    return None
