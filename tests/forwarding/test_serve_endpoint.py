"""``kg serve --endpoint``: the canned queries in front of another server, by command."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import urllib.error
import urllib.request

import pytest

from kg import cli


def fetch(url: str) -> tuple[int, dict[str, str], bytes]:
    try:
        with urllib.request.urlopen(url, timeout=60) as response:  # noqa: S310  ours
            return response.status, dict(response.headers), response.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, dict(error.headers), error.read()


def test_canned_queries_stand_before_another_server(native: str) -> None:
    arguments = ["serve", "--endpoint", f"{native}/query", "--port", "0"]
    program = [sys.executable, "-m", "kg", *arguments]
    with subprocess.Popen(program, stderr=subprocess.PIPE, text=True) as running:
        try:
            assert running.stderr is not None
            said = running.stderr.readline()
            address = said.split(" at ")[1].split()[0]
            status, headers, content = fetch(f"{address}/queries/class-counts?format=csv")
            assert status == 200
            assert headers["Cache-Control"] == "no-store"
            assert "ETag" not in headers
            assert b"ns#Paper," in content
            contents = json.loads(fetch(address)[2])
            assert contents["snapshot"] is None
            assert "void" not in contents
            assert fetch(f"{address}/.well-known/void")[0] == 404
            description = fetch(f"{address}/sparql?format=nt")[2].decode("utf-8")
            assert "sparql-service-description#Service" in description
            assert "void#triples" not in description
        finally:
            running.send_signal(signal.SIGINT)
        assert running.wait(30) == 130


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "--store DIR or --endpoint URL"),
        (["--store", "x", "--endpoint", "http://127.0.0.1:1"], "--store DIR or --endpoint URL"),
        (["--endpoint", "ftp://e.org"], "ftp://e.org"),
        (["--endpoint", "http://127.0.0.1:1/query", "--memory"], "--memory"),
    ],
)
def test_what_cannot_be_served_is_said(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["serve", *arguments]) == 2
    assert said in capsys.readouterr().err
