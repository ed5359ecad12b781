"""A page before it is written: which template, with what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Page:
    """A page called *title*, that *template* writes of *values*.

    *summary* is a sentence for search engines; *json_ld* is what it says in schema.org's words.
    *iri* is the thing that it is about, if it is about one, and *licences* are those under which
    what it shows may be used.
    """

    title: str
    template: str
    values: Mapping[str, object] = field(default_factory=dict)
    summary: str = ""
    json_ld: Mapping[str, object] | None = None
    iri: str | None = None
    licences: tuple[str, ...] = ()
    status: int = 200
