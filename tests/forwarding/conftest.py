from __future__ import annotations

import gzip
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from kg import builder, resources
from kg.snapshot import Snapshot


@pytest.fixture(scope="session")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    """A snapshot of the sample records."""
    folder = tmp_path_factory.mktemp("forwarding")
    return builder.build([str(resources.samples())], folder / "store").snapshot


@pytest.fixture(scope="session")
def native(snapshot: Snapshot, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a native Oxigraph server with the product of the snapshot."""
    program = shutil.which("oxigraph", path=str(Path(sys.executable).parent)) or shutil.which(
        "oxigraph"
    )
    if program is None:
        pytest.skip("needs the native Oxigraph server: pip install oxigraph")
    folder = tmp_path_factory.mktemp("native")
    (folder / "all.nt").write_bytes(gzip.decompress(snapshot.triples.read_bytes()))
    location = ["--location", str(folder / "data")]
    load = [program, "load", *location, "--file", str(folder / "all.nt")]
    subprocess.run(load, check=True, capture_output=True)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    serve = [program, "serve-read-only", *location, "--bind", f"127.0.0.1:{port}"]
    with subprocess.Popen(serve, stderr=subprocess.DEVNULL) as running:
        address = f"http://127.0.0.1:{port}"
        deadline = time.monotonic() + 60
        while True:
            try:
                urllib.request.urlopen(f"{address}/query?query=ASK%7B%7D", timeout=5).close()  # noqa: S310  ours
                break
            except OSError:
                assert running.poll() is None
                assert time.monotonic() < deadline
                time.sleep(0.05)
        try:
            yield address
        finally:
            running.kill()
