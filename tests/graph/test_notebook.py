"""The example notebook runs, and shows what it gives."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.conftest import ROOT
from tests.graph.notebook import NOTEBOOK


def shown(path: Path) -> list[tuple[str, list[str]]]:
    """Return the source of each code cell and what it shows as text."""
    notebook: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return [
        (
            "".join(cell["source"]),
            [
                "".join(output.get("text") or output["data"]["text/plain"])
                for output in cell["outputs"]
                if output.get("name") != "stderr"
            ],
        )
        for cell in notebook["cells"]
        if cell["cell_type"] == "code"
    ]


def test_the_notebook_runs_and_shows_what_it_gives(tmp_path: Path) -> None:
    """Where what it gives has changed: python -m tests.graph.notebook writes it anew."""
    made = tmp_path / "made.ipynb"
    run = subprocess.run(
        [sys.executable, "-m", "tests.graph.notebook", str(made)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    cells = shown(made)
    assert len(cells) > 8
    assert "stderr" not in made.read_text("utf-8")  # no cell warns
    assert cells == shown(NOTEBOOK)


def test_the_notebook_shows_the_ways_to_a_graph_and_what_it_answers() -> None:
    text = NOTEBOOK.read_text("utf-8")
    for call in ("kg.build", "kg.open", "kg.connect", ".ask(", ".sparql(", ".describe("):
        assert call in text
    for call in (".to_rdflib(", ".to_dataframe(", "paperkg[pandas]"):
        assert call in text


def test_a_notebook_of_which_a_cell_fails_does_not_pass(tmp_path: Path) -> None:
    broken = json.loads(NOTEBOOK.read_text("utf-8"))
    code = [cell for cell in broken["cells"] if cell["cell_type"] == "code"]
    code[1]["source"] = ["graph.qeries()"]
    (tmp_path / "broken.ipynb").write_text(json.dumps(broken), "utf-8")
    script = (
        "import sys, pathlib; from tests.graph import notebook;"
        " notebook.NOTEBOOK = pathlib.Path(sys.argv[1]);"
        " notebook.main(pathlib.Path(sys.argv[2]))"
    )
    run = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "broken.ipynb"), str(tmp_path / "made")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode
    assert "AttributeError" in run.stderr
