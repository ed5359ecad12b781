"""Where the ontology, the canned queries and the sample records are on this machine.

In a wheel they stand inside the package, in a checkout and in an editable installation the
folders ``ontology`` and ``queries`` stand beside it.
"""

from __future__ import annotations

from pathlib import Path

from kg.errors import ResourceError

_PACKAGE = Path(__file__).resolve().parent


def _folder(name: str) -> Path:
    for parent in (_PACKAGE, _PACKAGE.parent):
        folder = parent / name
        if folder.is_dir():
            return folder
    raise ResourceError(f"the folder {name}/ of paperkg is missing; install paperkg again")


def ontology() -> Path:
    """Return the folder of the ontology, its shapes, code lists and contexts."""
    return _folder("ontology")


def queries() -> Path:
    """Return the folder of the canned queries that paperkg ships."""
    return _folder("queries")


def samples() -> Path:
    """Return the folder of the packaged sample records."""
    return _folder("samples")
