"""Copies of what can be read only once leave nothing behind."""

import io
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from kg.sources import Sources, spool
from kg.sources.spool import Copy


def test_a_copy_is_read_as_often_and_as_mixed_as_one_likes() -> None:
    content = bytes(range(256)) * 3000
    copy = Copy(io.BytesIO(content))
    with copy.open() as first, copy.open() as second:
        assert first.read(1000) == content[:1000]
        assert second.read() == content
        assert first.read() == content[1000:]
        assert first.seek(-4, io.SEEK_END) == len(content) - 4
        assert first.read(100) == content[-4:]
        first.seek(10)
        first.seek(5, io.SEEK_CUR)
        assert (first.tell(), first.read(1)) == (15, content[15:16])
    copy.close()
    with pytest.raises(ValueError, match="closed"):
        copy.open().read()


def test_a_stream_that_cannot_be_read_leaves_no_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(io.BytesIO):
        def read(self, _size: int | None = -1, /) -> bytes:
            raise OSError(5, "Input/output error")

    made = []
    original = tempfile.TemporaryFile

    def kept(**options: str) -> object:
        made.append(original(**options))
        return made[-1]

    monkeypatch.setattr(spool.tempfile, "TemporaryFile", kept)
    with pytest.raises(OSError, match="Input/output"):
        Copy(Broken())
    assert [file.closed for file in made] == [True]


@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, None])
def test_nothing_is_left_of_standard_input_however_the_process_ends(
    tmp_path: Path, number: signal.Signals | None
) -> None:
    code = (
        "import sys, time; from kg.sources import Sources; sources = Sources(['-']);"
        "print(len(list(sources)), flush=True); time.sleep(60 if sys.argv[1:] else 0)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, *([] if number is None else ["wait"])],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"TMPDIR": str(tmp_path)},
    ) as running:
        assert running.stdin
        assert running.stdout
        running.stdin.write(b'{"a": 1}\n' * 100_000)
        running.stdin.close()
        assert running.stdout.readline() == b"100000\n"
        if number is not None:
            running.send_signal(number)
        assert running.wait() == (0 if number is None else -number)
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(io.BytesIO):
        def write(self, _data: object, /) -> int:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(spool.tempfile, "TemporaryFile", lambda **_: Full())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"{}")))
    with Sources(["-"]) as found:
        (error,) = found
    assert str(error) == "standard input: it could not be copied: No space left on device"
