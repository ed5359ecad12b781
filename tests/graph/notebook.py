"""Runs the example notebook; ``python -m tests.graph.notebook`` writes it with its new outputs."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from tests.conftest import ROOT

NOTEBOOK = ROOT / "kg" / "examples" / "notebook.ipynb"


def executed(folder: Path) -> nbformat.NotebookNode:
    """Return the notebook with the outputs of a run in *folder*.

    Raises nbclient's CellExecutionError where a cell does.
    """
    os.environ |= {
        "COLUMNS": "100",
        "IPYTHONDIR": str(folder / "ipython"),
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
    }
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    client = NotebookClient(
        notebook, timeout=120, record_timing=False, resources={"metadata": {"path": str(folder)}}
    )
    client.execute()
    # Which Python ran it is of no interest, and differs everywhere.
    notebook.metadata.language_info = {"name": "python"}
    return notebook


def main(target: Path) -> None:
    """Run the notebook and write it to *target*."""
    with tempfile.TemporaryDirectory() as folder:
        notebook = executed(Path(folder))
    target.write_text(nbformat.writes(notebook) + "\n", "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else NOTEBOOK)
