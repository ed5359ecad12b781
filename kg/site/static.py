"""The files that pages are made of: the stylesheet, the script, and the query editor's."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Final

from kg.protocol import ProblemError, Request, Response

PATH: Final = "/static/"
EDITOR: Final = "editor/main.js"
"""The query editor's script; it is built when paperkg is installed, and may not be there."""

EDITOR_STYLE: Final = "sha256-zCK2EVMoPc04mRF/g5CotUvxbJPWS+8V0b+s9ptqQIk="
"""The one style that the editor's script writes into the page: the handles of its columns."""

_FOLDER: Final = Path(__file__).with_name("static")
_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}
_YEAR: Final = 31_536_000


def has_editor() -> bool:
    """Say whether the query editor is installed."""
    return (_FOLDER / EDITOR).is_file()


def address(name: str) -> str:
    """Return the path of a static file; with other contents it is another one."""
    return f"{PATH}{name}?v={_version(name)}"


def answer(request: Request) -> Response:
    """Return the response that the static file at a path is.

    Raises :class:`~kg.protocol.ProblemError` where there is none (404).
    """
    name = request.path.removeprefix(PATH)
    if name not in _names():
        raise ProblemError(404, "there is no file of this name")
    version = _version(name)
    is_named = ("v", version) in request.parameters
    return Response.of(
        _content(name),
        _TYPES[Path(name).suffix],
        headers={
            "ETag": f'"{version}"',
            "Cache-Control": f"public, max-age={_YEAR}, immutable" if is_named else "no-cache",
        },
    )


@cache
def _names() -> frozenset[str]:
    """Return the names of the files there are: no other can be asked for, however it is written."""
    files = (path for path in _FOLDER.rglob("*") if path.is_file() and path.suffix in _TYPES)
    return frozenset(path.relative_to(_FOLDER).as_posix() for path in files)


@cache
def _content(name: str) -> bytes:
    return (_FOLDER / name).read_bytes()


@cache
def _version(name: str) -> str:
    return hashlib.sha256(_content(name)).hexdigest()[:12]
