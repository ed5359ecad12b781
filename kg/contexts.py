"""The JSON-LD contexts: the only place where a key becomes a predicate.

``ontology/context/<kind>.jsonld`` holds the context of one kind of record; what several kinds
share stands in a file that they name by its file name. All are read from the folder; nothing is
ever fetched (a context that asks for more is refused).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from kg import resources
from kg.errors import ResourceError

JsonObject = dict[str, object]


@dataclass(frozen=True)
class Contexts:
    """The contexts of a folder: kind of record → a self-contained JSON-LD 1.1 context."""

    by_kind: Mapping[str, list[JsonObject]]

    @classmethod
    def load(cls, folder: Path | None = None) -> Contexts:
        """Read all contexts of *folder* (the shipped one if None).

        Raises :class:`~kg.errors.ResourceError` if a file is no JSON, no context, or names a
        context that is no file of the folder.
        """
        folder = folder or resources.ontology() / "context"
        return cls({path.stem: _read(path) for path in sorted(folder.glob("*.jsonld"))})

    def of(self, kind: str) -> list[JsonObject]:
        """Return the context of a kind of record, ready to stand under ``@context``."""
        try:
            return self.by_kind[kind]
        except KeyError:
            raise ResourceError(
                f"the context {kind}.jsonld is missing in ontology/context"
            ) from None


def _read(path: Path, above: tuple[Path, ...] = ()) -> list[JsonObject]:
    if path in above:
        raise ResourceError(f"{path}: the context names itself")
    try:
        context = json.loads(path.read_text("utf-8"))["@context"]
    except FileNotFoundError:
        raise ResourceError(
            f"{above[-1]}: names {path.name!r}, which is no file beside it"
        ) from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ResourceError(f"{path}: no JSON-LD context: {error!r}") from error
    found: list[JsonObject] = []
    for part in context if isinstance(context, list) else [context]:
        if isinstance(part, str):
            if "/" in part or ":" in part:
                raise ResourceError(f"{path}: names {part!r}; contexts are never fetched")
            found += _read(path.parent / part, (*above, path))
        elif isinstance(part, dict):
            found.append(part)
        else:
            raise ResourceError(f"{path}: a context is an object or the name of one")
    return found
