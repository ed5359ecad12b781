"""The value of an IRI parameter: an IRI, a CURIE, or a slug, name or code of its class.

Where a bare value belongs depends on the parameter: the slug of a paper, dataset, task, method or
leaderboard; the exact name of a metric, which has no slug; the code of a concept of one scheme.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from kg.iris import Minter, encode_iri, path_slug
from kg.namespaces import KG, SKOS
from kg.vocabularies import concept_iri, scheme_iri

KINDS: Final = {
    "Paper": "paper",
    "Dataset": "dataset",
    "Task": "task",
    "Method": "method",
    "Leaderboard": "leaderboard",
    "Metric": "metric",
}
"""The classes whose things have bare keys → the segment of their IRIs."""

_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(.*)", re.DOTALL)
# What kg.iris.key() makes of a name that is no slug; such a key is never made into a key again.
_HASHED: Final = re.compile(r"(?:[a-z0-9][a-z0-9-]*)?~[0-9a-f]{8}")
_PAGE: Final = re.compile(
    r"(?:https?://(?:www\.)?(?:codewithpapers\.app|paperswithcode\.com))?/[a-z]"
)
_PATH: Final = re.compile(r"[a-z0-9._~-]+(?:/[a-z0-9._~-]+)+")


@dataclass(frozen=True, slots=True)
class Space:
    """Where the bare values of an IRI parameter belong: a class of ours, or a concept scheme."""

    name: str
    is_scheme: bool = False

    @property
    def class_iri(self) -> str:
        """The class that everything in this space has."""
        return SKOS + "Concept" if self.is_scheme else KG + self.name

    @property
    def bare(self) -> str:
        """What a bare value is, in words."""
        if self.is_scheme:
            return f"a code of {self.name}"
        what = "the exact name" if self.name == "Metric" else "the slug"
        return f"{what} of a {KINDS[self.name]}"

    def namespace(self, base: str) -> str:
        """Return what the IRIs of this space begin with."""
        return f"{scheme_iri(self.name) if self.is_scheme else base + KINDS[self.name]}/"

    def mint(self, bare: str, minter: Minter) -> str:
        """Return the IRI of a bare slug, name or code.

        Raises ValueError if it can be none: a slug with a space, say.
        """
        if self.is_scheme:
            return concept_iri(self.name, bare)
        kind = KINDS[self.name]
        if _HASHED.fullmatch(bare):
            return f"{minter.base}{kind}/{bare}"
        if self.name == "Metric":
            return minter.metric(bare)
        if encode_iri(bare) != bare:
            raise ValueError(bare)
        if _PATH.fullmatch(bare):  # name/…: a thing known by name only
            return f"{minter.base}{kind}/{bare}"
        if "/" in bare or "?" in bare or "#" in bare:
            raise ValueError(bare)
        return minter.thing(kind, bare)


def _slug_of_page(text: str, space: Space | None) -> str | None:
    """Return the slug in the address, or the path, of a page of the sites that our data is from."""
    if space is None or space.is_scheme or not _PAGE.match(text):
        return None
    kind = KINDS[space.name]
    return path_slug(text, "sota" if kind == "leaderboard" else kind)


def read_iri(text: str, space: Space | None, minter: Minter, prefixes: Mapping[str, str]) -> str:
    """Return the IRI that *text* means.

    ``<IRI>``, an IRI with ``//`` or of a URN, a CURIE with one of *prefixes*, the page of a thing
    on codewithpapers.app or Papers with Code, or a bare value of *space*. Raises ValueError where
    it means none; that the IRI is legal is not checked.

    >>> read_iri("paper:a", None, Minter(), {"paper": "https://e.org/paper/"})
    'https://e.org/paper/a'
    >>> read_iri("cblue", Space("Dataset"), Minter("https://e.org/"), {})
    'https://e.org/dataset/cblue'
    >>> read_iri("/sota/ner-on-x", Space("Leaderboard"), Minter("https://e.org/"), {})
    'https://e.org/leaderboard/ner-on-x'
    """
    text = text.strip()
    if text.startswith("<") and text.endswith(">"):
        return text[1:-1]
    if slug := _slug_of_page(text, space):
        return minter.thing(KINDS[space.name] if space else "", slug)
    match = _SCHEME.fullmatch(text)
    if match and match[1] in prefixes and not re.search(r"\s", match[2]):
        return prefixes[match[1]] + match[2]
    if match and (match[2].startswith("//") or match[1].lower() == "urn"):
        return text
    if not text or space is None or (match and not (space.is_scheme or space.name == "Metric")):
        raise ValueError(text)
    return space.mint(text, minter)
