"""``kg serve`` as a process: its words, its address, its end."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

import pytest
from click.testing import CliRunner

from kg import cli
from kg.errors import StoreError, UsageError
from kg.limits import Limits

NUMBERS = " ".join(map(str, range(1000)))
HOPELESS = (
    "SELECT (COUNT(*) AS ?n) {"
    + "".join(f" VALUES ?v{n} {{ {NUMBERS} }}" for n in range(4))
    + " FILTER(?v0 + ?v1 + ?v2 + ?v3 < 0) }"
)


@contextmanager
def serving(store_dir: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start the command on a free port; yield its process and its address."""
    with subprocess.Popen(
        [
            sys.executable,
            "-W",
            "error",
            "-m",
            "kg",
            "serve",
            "--store",
            str(store_dir),
            "--port",
            "0",
            *arguments,
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stderr is not None
            line = process.stderr.readline()
            found = re.search(r"at (http://\S+) \(SPARQL: (\S+)\); Ctrl-C ends it", line)
            assert found, line + process.stderr.read()
            assert found[2] == f"{found[1]}/sparql"
            yield process, found[1]
        finally:
            process.kill()


def test_it_says_where_it_serves_and_ctrl_c_ends_it(store_dir: Path) -> None:
    with serving(store_dir) as (process, address):
        with urllib.request.urlopen(f"{address}/sparql?query=ASK%7B%7D") as response:  # noqa: S310 - loopback
            assert json.loads(response.read())["boolean"] is True
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert out == ""
    assert err.strip() == "Interrupted."


def test_queries_of_ones_own_are_served_too(store_dir: Path, tmp_path: Path) -> None:
    text = "#+ title: Mine\n#+ description: Of my own.\nASK { ?s a kg:Paper }\n"
    prefix = "PREFIX kg: <https://w3id.org/paperkg/ns#>\n"
    (tmp_path / "mine.rq").write_text(text.replace("ASK", f"{prefix}ASK"), "utf-8")
    with (
        serving(store_dir, "--queries", str(tmp_path)) as (_, address),
        urllib.request.urlopen(f"{address}/queries/mine") as response,  # noqa: S310 - loopback
    ):
        assert json.loads(response.read())["boolean"] is True


def test_it_ends_though_a_query_does_not(store_dir: Path) -> None:
    problems = []

    def ask(address: str) -> None:
        content = urlencode({"query": HOPELESS}).encode()
        try:
            urllib.request.urlopen(f"{address}/sparql", content, timeout=60)  # noqa: S310 - loopback
        except urllib.error.HTTPError as error:
            problems.append(json.loads(error.read()))

    with serving(store_dir, "--grace", "0.5") as (process, address):
        asking = threading.Thread(target=ask, args=(address,))
        asking.start()
        # The others are answered meanwhile.
        with urllib.request.urlopen(f"{address}/queries/class-counts") as response:  # noqa: S310 - loopback
            assert response.status == 200
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
        asking.join(20)
    assert process.returncode == 130
    assert [problem["status"] for problem in problems] == [503]


@pytest.mark.skipif(not socket.has_ipv6, reason="needs IPv6")
def test_it_serves_ipv6(store_dir: Path) -> None:
    with serving(store_dir, "--host", "::1") as (_, address):
        assert address.startswith("http://[::1]:")
        with urllib.request.urlopen(f"{address}/sparql") as response:  # noqa: S310 - loopback
            assert f"<{address}/sparql>".encode() in response.read()


def test_a_port_that_is_taken_is_said(store_dir: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = CliRunner().invoke(cli.kg, ["serve", "--store", str(store_dir), "--port", port])
    assert isinstance(result.exception, UsageError)
    assert f"127.0.0.1 port {port} cannot be served" in str(result.exception)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--connections", "10", "--queue", "20"], "--connections 10 leaves no way"),
        (["--row-limit", "100", "--answer-limit", "10"], "--row-limit 100 cannot be reached"),
        (["--time-limit", "nan"], "--time-limit is at least"),
        (["--nesting", "1000000"], "--nesting is at most"),
        (["--public-url", "example.org"], "it is no address that begins with http"),
        (["--public-url", "https://example.org/?x"], "it is no address that begins with http"),
        (["--token-file", "no-such-file"], "the tokens cannot be read"),
        (["--access-log", "no-such-folder/log"], "the access log cannot be written"),
    ],
)
def test_what_cannot_be_or_contradicts_itself_is_not_begun(
    store_dir: Path, arguments: list[str], says: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["serve", "--store", str(store_dir), "--port", "0", *arguments]) == 2
    assert says in capfd.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [["--cache", "much"], ["--rate-limit", "0"], ["--grace", "-1"], ["--memory-limit", "1T"]],
)
def test_what_is_no_value_of_an_option_is_wrong_usage(arguments: list[str]) -> None:
    assert cli.run(["serve", "--store", "x", *arguments]) == 2


def test_every_limit_has_an_option_that_says_its_default() -> None:
    told = CliRunner().invoke(cli.kg, ["serve", "--help"]).output
    for shown in Limits().shown().values():
        assert f"{shown.option} " in told
    assert "[default: 1G]" in " ".join(told.split())


def test_the_limits_of_the_options_are_those_that_count(store_dir: Path) -> None:
    with serving(store_dir, "--time-limit", "1.5", "--query-length", "2K") as (_, address):
        with urllib.request.urlopen(f"{address}/sparql?format=nt") as response:  # noqa: S310 - loopback
            assert b'"1.5"' in response.read()
        for query, status, limit in (
            (HOPELESS[:100] + " " * 4000, 413, "--query-length"),
            ("SELECT * { VALUES ?x { %s } }" % ("1 " * 3000), 413, "--query-length"),
        ):
            content = urlencode({"query": query}).encode()
            with pytest.raises(urllib.error.HTTPError) as caught:
                urllib.request.urlopen(f"{address}/sparql", content)  # noqa: S310 - loopback
            with caught.value as error:
                assert error.code == status
                assert json.loads(error.read())["limit"] == limit


def test_a_request_to_terminate_ends_it_in_order(store_dir: Path, tmp_path: Path) -> None:
    log = tmp_path / "access.log"
    with serving(store_dir, "--access-log", str(log)) as (process, address):
        with urllib.request.urlopen(f"{address}/queries/class-counts?format=csv") as response:  # noqa: S310 - loopback
            assert response.status == 200
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (0, "", "")
    (line,) = log.read_text("utf-8").splitlines()
    assert '"GET /queries/class-counts HTTP/1.1" 200 ' in line


def test_a_folder_without_a_store_is_said(tmp_path: Path) -> None:
    result = CliRunner().invoke(cli.kg, ["serve", "--store", str(tmp_path), "--port", "0"])
    assert isinstance(result.exception, StoreError)
    assert "there is no store here" in str(result.exception)
