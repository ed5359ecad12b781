"""The canned queries of a folder, by name."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from kg import resources
from kg.catalogue.canned import CannedQuery
from kg.errors import QueryError, ResourceError, UsageError

_NAME: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Canned queries, in the order of their names."""

    queries: Mapping[str, CannedQuery]

    @classmethod
    def load(cls, folder: Path | None = None) -> Self:
        """Read the ``.rq`` files of *folder* (of those that paperkg ships, if None).

        A file's name is the query's, in kebab case. Raises :class:`~kg.errors.ResourceError` with
        file and line of what is wrong.
        """
        queries: dict[str, CannedQuery] = {}
        for path in sorted((folder or resources.queries()).glob("*.rq")):
            if not _NAME.fullmatch(path.stem):
                raise ResourceError(f"{path}: the name of a canned query is in kebab-case")
            try:
                queries[path.stem] = CannedQuery.parse(path.stem, path.read_text("utf-8"))
            except (QueryError, OSError, UnicodeDecodeError) as error:
                raise ResourceError(f"{path}: {error}") from error
        return cls(queries)

    def get(self, name: str) -> CannedQuery:
        """Return the query called *name*.

        Raises :class:`~kg.errors.UsageError`, with names that are like it, where there is none.
        """
        query = self.queries.get(name)
        if query is None:
            near = difflib.get_close_matches(name, self.queries, 3, 0.5)
            hint = f"did you mean {' or '.join(near)}?" if near else "kg queries lists them"
            raise UsageError(f"there is no query {name!r}; {hint}")
        return query

    def __iter__(self) -> Iterator[CannedQuery]:
        return iter(self.queries.values())
