"""What a search finds, and how names are compared."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields


@dataclass(frozen=True, slots=True)
class Hit:
    """A thing that was found: its *kind* (``paper``, …), its *iri*, and what it is called.

    *slug* is None where its records give none. *detail* is a line that tells it from others of its
    name: first author, venue and year of a paper, full name and year of a dataset or a method.
    """

    kind: str
    iri: str
    name: str
    slug: str | None
    detail: str


def hits_as_json(text: str, hits: Iterable[Hit]) -> dict[str, object]:
    """Return the answer to a search for *text*, in values that JSON has."""
    return {"query": text, "hits": [asdict(hit) for hit in hits]}


def hits_of(answer: bytes) -> list[Hit]:
    """Return the hits in such an answer, as JSON; raises ValueError where there are none in it."""
    try:
        read = json.loads(answer)["hits"]
        return [Hit(**{field.name: hit[field.name] for field in fields(Hit)}) for hit in read]
    except (ValueError, KeyError, TypeError):
        raise ValueError("it is no answer to a search") from None


def folded(name: str) -> str:
    """Return what is compared of a name: its letters and digits, without case and accents.

    >>> folded("Naïve-Bayes  (v2)"), folded("…")
    ('naive bayes v2', '')
    """
    plain = unicodedata.normalize("NFKD", name).casefold()
    kept = (c if c.isalnum() else " " for c in plain if not unicodedata.combining(c))
    return " ".join("".join(kept).split())
