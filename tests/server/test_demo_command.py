"""``kg demo --serve``: the graph of the samples is built, asked, and served."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path


def test_the_demonstration_can_be_looked_at(tmp_path: Path) -> None:
    arguments = ["demo", "--serve", "--port", "0", "--store", str(tmp_path / "s")]
    with subprocess.Popen(
        [sys.executable, "-m", "kg", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        try:
            assert running.stderr is not None
            found = None
            while found is None and (line := running.stderr.readline()):
                found = re.search(r"serving (http://\S+); Ctrl-C ends it", line)
            assert found
            asked = urllib.request.Request(found[1], headers={"Accept": "text/html"})  # noqa: S310  ours
            with urllib.request.urlopen(asked, timeout=60) as page:  # noqa: S310  as above
                assert "<title>paperkg</title>" in page.read().decode("utf-8")
            running.send_signal(signal.SIGINT)
            assert running.wait(30) == 130
            assert running.stdout is not None
            assert "Who leads SQuAD 1.1" in running.stdout.read()
        finally:
            running.kill()
