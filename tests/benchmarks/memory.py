"""Peak memory of a build by the number of papers: ``python -m tests.benchmarks.memory 2000 20000``.

Each size is built in a process of its own; the table has the peak after each stage.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from kg.snapshot import SnapshotFolder
from tests.benchmarks.making import write


def main() -> None:
    """Build each size and print the peak resident memory after each stage."""
    print("papers | triples | stage | seconds | peak MiB")
    for size in map(int, sys.argv[1:]):
        with tempfile.TemporaryDirectory() as folder:
            files = write(Path(folder) / "records", size)
            store = Path(folder) / "store"
            arguments = [sys.executable, "-m", "kg", "-q", "build", *map(str, files)]
            subprocess.run([*arguments, "--store", str(store)], check=True)
            manifest = SnapshotFolder(store).built().manifest
            for stage, told in manifest["stages"].items():  # type: ignore[attr-defined]  # JSON
                peak = told["peak_memory"] / 2**20
                cells = (f"{size:,}", f"{manifest['triples']:,}", stage)
                row = " | ".join([*cells, f"{told['seconds']:.0f}", f"{peak:.0f}"])
                print(row, flush=True)


if __name__ == "__main__":
    main()
