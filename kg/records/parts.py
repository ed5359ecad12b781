"""The parts that records of several kinds have in common."""

from __future__ import annotations

from dataclasses import dataclass

from kg.findings import FindingKind
from kg.iris import path_slug
from kg.records.fields import Fields


@dataclass(frozen=True, slots=True)
class NamedSlug:
    """A thing that a record names with its slug: a task, a method, a dataset."""

    slug: str
    name: str | None
    full_name: str | None = None


@dataclass(frozen=True, slots=True)
class Reach:
    """What was found when a repository was called up: a status code and an SPDX identifier."""

    status: str | None
    spdx: str | None


def read_task(fields: Fields) -> NamedSlug:
    """Read one of a paper's tasks."""
    return NamedSlug(fields.required("task_slug"), fields.name("task_name"))


def read_method(fields: Fields) -> NamedSlug:
    """Read one of a paper's methods."""
    return NamedSlug(fields.required("method_slug"), fields.name("method_name"))


def read_introduced(fields: Fields) -> NamedSlug:
    """Read a dataset or method that a paper introduces."""
    return NamedSlug(fields.required("slug"), fields.name("name"), fields.text("full_name"))


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
