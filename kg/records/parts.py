"""The parts that records of several kinds have in common."""

from __future__ import annotations

from dataclasses import dataclass

from kg.findings import FindingKind
from kg.iris import path_slug
from kg.records.fields import Fields
from kg.values import Number, decimal


@dataclass(frozen=True, slots=True)
class NamedSlug:
    """A thing that a record names with its slug: a task, a method, a dataset.

    Where the record has no slug for it, there is a name at least.
    """

    slug: str | None
    name: str | None
    full_name: str | None = None


@dataclass(frozen=True, slots=True)
class Reach:
    """What was found when a repository was called up: a status code and an SPDX identifier."""

    status: str | None
    spdx: str | None


def read_task(fields: Fields) -> NamedSlug | None:
    """Read one of a paper's tasks."""
    return _named(fields, "task_slug", "task_name")


def read_method(fields: Fields) -> NamedSlug | None:
    """Read one of a paper's methods."""
    return _named(fields, "method_slug", "method_name")


def read_introduced(fields: Fields) -> NamedSlug | None:
    """Read a dataset or method that a paper introduces."""
    return _named(fields, "slug", "name", fields.text("full_name"))


def _named(
    fields: Fields, slug_key: str, name_key: str, full_name: str | None = None
) -> NamedSlug | None:
    slug, name = fields.text(slug_key), fields.name(name_key)
    if slug is None and name is None:
        fields.note(FindingKind.ODD_VALUE, slug_key, "neither a slug nor a name; left out")
        return None
    return NamedSlug(slug, name, full_name)


def read_reach(fields: Fields) -> Reach:
    """Read what was found when a repository was called up."""
    return Reach(fields.text("status"), fields.text("spdx"))


def read_slug(fields: Fields, key: str, kind: str) -> str:
    """Read the slug in the path ``/{kind}/{slug}`` at *key*, which must be one."""
    path = fields.required(key)
    slug = path_slug(path, kind)
    if slug is None:
        raise fields.refusal(key, f"expected a path like /{kind}/some-slug, found {path[:60]!r}")
    return slug


def optional_slug(fields: Fields, key: str, kind: str) -> str | None:
    """Read the slug in the path at *key*; a text that is no such path is noted as odd."""
    path = fields.text(key)
    if path is None:
        return None
    slug = path_slug(path, kind)
    if slug is None:
        fields.note(
            FindingKind.ODD_VALUE, key, f"expected a path like /{kind}/some-slug: {path[:60]!r}"
        )
    return slug


def read_metrics(fields: Fields, key: str) -> tuple[tuple[str, str], ...]:
    """Read the metrics of a row: name and raw text, in the record's order.

    A number is its text. They are an object; the archive's copy in Parquet has them as a list of
    pairs or as a text that is JSON, which say the same. What has no number by any reading of ours
    is noted where it looks like one: a metric that is null, and NaN or an infinity, which no
    decimal is (MAP-05).
    """
    found = []
    for name, entry in fields.pairs(key):
        if entry is None:
            fields.note(FindingKind.ODD_VALUE, key, f"the metric {name!r} is null: no measurement")
            continue
        text = fields.entry_text(key, entry)
        if isinstance(entry, Number) and decimal(entry) is None:
            fields.note(
                FindingKind.ODD_VALUE, key, f"the metric {name!r} is {text}: kept as text only"
            )
        found.append((name, text))
    return tuple(found)


def on_site(value: dict[str, object], kind: str) -> bool:
    """Say whether the ``url`` of a JSON object is that of a *kind* of page of codewithpapers.app.

    The records of the site name their pages by paths; the dumps of the archive name whole
    addresses on another host.
    """
    url = value.get("url")
    return (
        isinstance(url, str)
        and path_slug(url, kind) is not None
        and (url.startswith("/") or "//codewithpapers.app/" in url)
    )
