"""The canned queries of a folder, by name."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Self

from kg import resources
from kg.catalogue.canned import CannedQuery
from kg.errors import QueryError, ResourceError, SourceError, UsageError

_NAME: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Canned queries, in the order of their names.

    *faults* are the files of a user's own folder that are left out, by the names that they would
    have; *notes* says in sentences what is to be known about that folder.
    """

    queries: Mapping[str, CannedQuery]
    faults: Mapping[str, QueryError] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @classmethod
    def load(cls, folder: Path | None = None) -> Self:
        """Read the ``.rq`` files of *folder* (of those that paperkg ships, if None).

        A file's name is the query's, in kebab case. Raises :class:`~kg.errors.ResourceError` with
        file and line of what is wrong.
        """
        queries: dict[str, CannedQuery] = {}
        for path in _files(folder or resources.queries()):
            try:
                queries[path.stem] = _read(path)
            except QueryError as error:
                raise ResourceError(str(error)) from error
        return cls(queries)

    def with_own(self, folder: Path) -> Self:
        """Return this catalogue with the ``.rq`` files of a user's *folder* added.

        A query of the user's takes the place of one of the same name. A file that cannot be read
        as a canned query is left out. Both are said in *notes*. Raises
        :class:`~kg.errors.SourceError` if there is no such folder.
        """
        if not folder.is_dir():
            raise SourceError(str(folder), "there is no such folder")
        queries, faults, notes = dict(self.queries), dict(self.faults), list(self.notes)
        files = _files(folder)
        for path in files:
            if queries.pop(path.stem, None) is not None:
                notes.append(f"{path} takes the place of the query {path.stem}")
            try:
                # What a query of a user's own says of its cost is not relied upon.
                queries[path.stem] = replace(_read(path), is_lookup=False)
            except QueryError as error:
                faults[path.stem] = error
                notes.append(f"{str(error).splitlines()[0]}; it is left out")
        if not files:
            notes.append(f"{folder}: there is no query (*.rq) in this folder")
        return type(self)(dict(sorted(queries.items())), faults, tuple(notes))

    def get(self, name: str) -> CannedQuery:
        """Return the query called *name*.

        Raises :class:`~kg.errors.UsageError`, with names that are like it, where there is none,
        and :class:`~kg.errors.QueryError` where there is one that cannot be read.
        """
        if name in self.faults:
            raise self.faults[name]
        query = self.queries.get(name)
        if query is None:
            near = difflib.get_close_matches(name, self.queries, 3, 0.5)
            hint = f"did you mean {' or '.join(near)}?" if near else "kg queries lists them"
            raise UsageError(f"there is no query {name!r}; {hint}")
        return query

    def __iter__(self) -> Iterator[CannedQuery]:
        return iter(self.queries.values())


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.rq"))


def _read(path: Path) -> CannedQuery:
    """Read one file; raises :class:`~kg.errors.QueryError` that names it, and the line."""
    if not _NAME.fullmatch(path.stem):
        raise QueryError(f"{path}: the name of a canned query is in kebab-case")
    try:
        return CannedQuery.parse(path.stem, path.read_text("utf-8"))
    except QueryError as error:
        message = f"{path}: {error}"
        raise QueryError(message, line=error.line, column=error.column) from error
    except OSError as error:
        raise QueryError(f"{path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise QueryError(f"{path}: it is no UTF-8 at byte {error.start}") from error
