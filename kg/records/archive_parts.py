"""The parts that the dumps of the Papers with Code archive have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kg.records.fields import Fields

SITE: Final = "https://paperswithcode.com"


@dataclass(frozen=True, slots=True)
class Link:
    """A link of the archive: what it calls the page, and the address as given."""

    title: str | None
    url: str | None


def read_link(fields: Fields) -> Link:
    """Read a link of the archive."""
    return Link(fields.text("title"), fields.text("url"))
