"""What stands between connections and the protocol: snapshots, counts, rates, the access log."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlencode

import pytest

from kg import builder, resources
from kg.errors import StoreError, UsageError
from kg.limits import Limits
from kg.protocol import Evaluation, Question, Request, Service, Tokens, Whole
from kg.server import AccessLog, Application, Settings
from kg.server.access_log import line
from kg.server.clients import client
from kg.server.exchange import Served
from kg.server.rates import Rates
from kg.snapshot import SnapshotFolder
from kg.sparql import QueryForm
from tests.server.serving import served

SERVICE = Service("s1", "http://e/", 0)
LIMITS = Limits(workers=1, queue=4)


async def evaluate(question: Question) -> Evaluation:
    return Evaluation(QueryForm.ASK, question.solutions, Whole(b'{"head":{},"boolean":true}'))


def get(address: str, path: str, **headers: str) -> bytes:
    request = urllib.request.Request(address + path, headers=headers)  # noqa: S310 - loopback
    with urllib.request.urlopen(request, timeout=60) as response:  # noqa: S310 - loopback
        content: bytes = response.read()
        return content


def status(address: str, path: str, **headers: str) -> int:
    try:
        get(address, path, **headers)
    except urllib.error.HTTPError as error:
        with error:
            return error.code
    return 200


def _wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def metrics(address: str) -> dict[str, float]:
    text = get(address, "/metrics").decode()
    labels = r'{\w+="[^"]*"(,\w+="[^"]*")*}'
    for told in text.splitlines():
        assert re.fullmatch(rf"# (HELP|TYPE) \w+ .+|\w+({labels})? [0-9.e+-]+", told)
    pairs = (told.rpartition(" ") for told in text.splitlines() if not told.startswith("#"))
    return {name: float(value) for name, _, value in pairs}


# Snapshots that follow each other


@pytest.fixture
def growing(store_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store of its own, at which the server looks often."""
    monkeypatch.setattr("kg.server.application._LOOK_EVERY", 0.05)
    return Path(shutil.copytree(store_dir, tmp_path / "store"))


def snapshot_of(address: str) -> str:
    return str(json.loads(get(address, "/"))["snapshot"])


def test_a_new_snapshot_is_served_and_no_request_is_dropped(growing: Path) -> None:
    answered: list[int] = []
    done = threading.Event()

    def ask(address: str) -> None:
        query = urlencode({"query": "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"})
        while not done.is_set():
            answered.append(status(address, f"/sparql?{query}"))

    with served(Application.of(growing, settings=Settings(LIMITS, cache=0))) as address:
        before = snapshot_of(address)
        asking = [threading.Thread(target=ask, args=(address,)) for _ in range(3)]
        for thread in asking:
            thread.start()
        for _ in range(2):
            builder.build([str(resources.samples() / "datasets.json")], growing)
            _wait_until(lambda: snapshot_of(address) == SnapshotFolder(growing).built().id)
        done.set()
        for thread in asking:
            thread.join(60)
        now = snapshot_of(address)
        assert now != before
        assert metrics(address)[f'paperkg_snapshot_info{{snapshot="{now}",version="0.1.0"}}'] == 1
    assert set(answered) == {200}
    assert len(answered) > 3


def test_an_answer_goes_on_from_the_snapshot_that_it_began_with(growing: Path) -> None:
    numbers = " ".join(map(str, range(400)))
    query = f"SELECT ?a ?b {{ VALUES ?a {{ {numbers} }} VALUES ?b {{ {numbers} }} }}"
    with served(Application.of(growing, settings=Settings(LIMITS))) as address:
        tag = urllib.request.urlopen(f"{address}/sparql?query=ASK%7B%7D").headers["ETag"]  # noqa: S310 - loopback
        request = urllib.request.Request(  # noqa: S310 - loopback
            f"{address}/sparql", query.encode(), {"Content-Type": "application/sparql-query"}
        )
        before = snapshot_of(address)
        with urllib.request.urlopen(request, timeout=60) as response:  # noqa: S310 - loopback
            received = response.read(1000)
            builder.build([str(resources.samples() / "datasets.json")], growing)
            _wait_until(lambda: snapshot_of(address) != before)
            received += response.read()
        assert len(json.loads(received)["results"]["bindings"]) == 400 * 400
        assert status(address, "/sparql?query=ASK%7B%7D", **{"If-None-Match": tag}) == 200


def test_a_snapshot_that_cannot_be_opened_leaves_the_old_one(
    growing: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with served(Application.of(growing, settings=Settings(LIMITS))) as address:
        before = snapshot_of(address)
        (growing / "current").write_text("nonsense\n", "ascii")
        _wait_until(lambda: "names no snapshot" in caplog.text)
        time.sleep(0.3)
        assert snapshot_of(address) == before
        assert status(address, "/sparql?query=ASK%7B%7D") == 200
        assert caplog.text.count("names no snapshot") == 1
        (growing / "current").write_text(f"{before}\n", "ascii")


def test_a_folder_without_a_store_is_not_served(tmp_path: Path) -> None:
    with (
        pytest.raises(StoreError, match="there is no store here"),
        served(Application.of(tmp_path)),
    ):
        pass


def test_in_memory_the_answers_are_the_same(store_dir: Path, address: str) -> None:
    query = "/sparql?" + urlencode({"query": "SELECT * { ?s a kg:Paper } ORDER BY ?s"})
    settings = Settings(LIMITS, in_memory=True, cache=0)
    with served(Application.of(store_dir, settings=settings)) as here:
        assert get(here, query) == get(address, query)
        assert get(here, "/queries/class-counts") == get(address, "/queries/class-counts")


# Counts


def test_everything_is_counted(store_dir: Path) -> None:
    with served(Application.of(store_dir, settings=Settings(LIMITS))) as address:
        for _ in range(2):
            get(address, "/sparql?query=ASK%7B%7D")
            get(address, "/queries/class-counts?format=csv")
        assert status(address, "/sparql?query=ASK%7B") == 400
        assert status(address, "/nowhere/at/all") == 404
        counted = metrics(address)
        again = metrics(address)
    assert counted['paperkg_requests_total{route="/sparql",method="GET",status="200"}'] == 2
    assert counted['paperkg_requests_total{route="/sparql",method="GET",status="400"}'] == 1
    assert counted['paperkg_requests_total{route="/queries",method="GET",status="200"}'] == 2
    assert counted['paperkg_requests_total{route="other",method="GET",status="404"}'] == 1
    assert counted['paperkg_request_seconds_count{route="/sparql"}'] == 3
    assert counted['paperkg_request_seconds_bucket{route="/sparql",le="+Inf"}'] == 3
    assert counted['paperkg_response_bytes_total{route="/sparql"}'] > 50
    assert counted["paperkg_cache_hits_total"] == 2
    assert counted["paperkg_cache_bytes"] > 50
    assert counted["paperkg_snapshot_triples"] > 3000
    assert counted["paperkg_queries_answered_total"] >= 2
    assert counted['paperkg_workers{state="idle"}'] >= 1
    assert counted["paperkg_connections"] >= 1
    assert again['paperkg_requests_total{route="/metrics",method="GET",status="200"}'] == 1
    if Path("/proc/self/fd").is_dir():
        assert counted["process_resident_memory_bytes"] > 1 << 20


def test_a_client_that_left_is_counted_as_one() -> None:
    begun = threading.Event()

    async def slowly(question: Question) -> Evaluation:
        begun.set()
        await asyncio.sleep(60)
        raise AssertionError

    name = 'paperkg_requests_total{route="/sparql",method="GET",status="499"}'
    with served(Application(slowly, SERVICE)) as address:
        with pytest.raises(TimeoutError):
            urllib.request.urlopen(f"{address}/sparql?query=ASK%7B%7D", timeout=0.2)  # noqa: S310 - loopback
        assert begun.wait(20)
        _wait_until(lambda: name in metrics(address))


# Rates


def test_a_client_may_ask_so_often_at_once_and_then_as_time_goes_by() -> None:
    rates = Rates(6)
    assert [rates.wait("1.1.1.1", 0) for _ in range(6)] == [0] * 6
    assert rates.wait("1.1.1.1", 0) == 10
    assert rates.wait("1.1.1.2", 0) == 0
    assert rates.wait("1.1.1.1", 9.9) == 1
    assert rates.wait("1.1.1.1", 10.1) == 0
    assert rates.wait("1.1.1.1", 10.2) == 10
    assert [rates.wait("1.1.1.1", 1000) for _ in range(7)].count(0) == 6


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("2001:db8::1", "2001:db8::ffff:2", True),
        ("2001:db8:0:1::1", "2001:db8:0:2::1", False),
        ("fe80::1%eth0", "fe80::2", True),
        ("::ffff:1.2.3.4", "1.2.3.4", True),
        ("1.2.3.4", "1.2.3.5", False),
        ("unix", "unix", True),
    ],
)
def test_whose_address_it_is(one: str, other: str, is_same: bool) -> None:
    rates = Rates(1)
    assert rates.wait(one, 0) == 0
    assert (rates.wait(other, 0) > 0) == is_same


def test_no_more_clients_are_remembered_than_there_is_room_for() -> None:
    rates = Rates(1)
    for number in range(40_000):
        rates.wait(f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}", 0)
    assert len(rates._buckets) == 1 << 14


def test_one_request_too_many_is_told_when_to_come_again() -> None:
    with served(Application(evaluate, SERVICE, Settings(rate=3))) as address:
        assert [status(address, "/sparql?query=ASK%7B%7D") for _ in range(3)] == [200] * 3
        with pytest.raises(urllib.error.HTTPError) as caught:
            get(address, "/sparql?query=ASK%7B%7D")
        with caught.value as refused:
            assert refused.code == 429
            assert 1 <= int(refused.headers["Retry-After"]) <= 20
            assert refused.headers["Access-Control-Allow-Origin"] == "*"
            assert json.loads(refused.read())["limit"] == "--rate-limit"
        assert status(address, "/health") == 200
        assert status(address, "/metrics") == 200


@pytest.mark.parametrize(
    ("forwarded", "proxies", "expected"),
    [
        (["1.1.1.1"], 0, "9.9.9.9"),
        ([], 1, "9.9.9.9"),
        (["1.1.1.1"], 1, "1.1.1.1"),
        (["6.6.6.6, 1.1.1.1"], 1, "1.1.1.1"),
        (["6.6.6.6", "1.1.1.1, 2.2.2.2"], 2, "1.1.1.1"),
        (["1.1.1.1"], 2, "9.9.9.9"),
        (["1.1.1.1, "], 1, "9.9.9.9"),
    ],
)
def test_what_proxies_say_of_a_client(forwarded: list[str], proxies: int, expected: str) -> None:
    headers = [("x-forwarded-for", told) for told in forwarded]
    assert client(Request("GET", "/", b"", headers, client="9.9.9.9"), proxies) == expected


def test_a_client_cannot_say_that_it_is_another() -> None:
    with served(Application(evaluate, SERVICE, Settings(rate=1))) as address:
        path = "/sparql?query=ASK%7B%7D"
        assert status(address, path, **{"X-Forwarded-For": "1.1.1.1"}) == 200
        assert status(address, path, **{"X-Forwarded-For": "1.1.1.2"}) == 429
    with served(Application(evaluate, SERVICE, Settings(rate=1, proxies=1))) as address:
        assert status(address, path, **{"X-Forwarded-For": "1.1.1.1"}) == 200
        assert status(address, path, **{"X-Forwarded-For": "1.1.1.2"}) == 200
        assert status(address, path, **{"X-Forwarded-For": "1.1.1.3, 1.1.1.2"}) == 429


# The access log


def test_a_line_has_the_common_fields_and_no_secret() -> None:
    headers = [
        ("user-agent", 'curl"\n8\\\u2028'),
        ("referer", "https://e.org/page?query=secret#secret"),
        ("authorization", "Bearer secret"),
        ("cookie", "secret"),
    ]
    request = Request("GET", "/sparql\n", b"query=secret", headers, client="1.2.3.4")
    written = line(Served(request, 200, 123, 0.25, is_whole=True), "1.2.3.4", 1_753_660_800)
    assert written == (
        '1.2.3.4 - - [28/Jul/2025:00:00:00 +0000] "GET /sparql\\x0a HTTP/1.1" 200 123'
        ' "https://e.org/page" "curl\\x22\\x0a8\\x5c\\x2028" 0.250'
    )
    gone = line(Served(Request("GET", "/"), None, 7, 1.0, is_whole=False), "", 0)
    assert gone == '- - - [01/Jan/1970:00:00:00 +0000] "GET / HTTP/1.1" 499 7 "-" "-" 1.000 cut'


def test_a_log_that_is_moved_away_is_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "access.log"
    settings = Settings(access_log=AccessLog.to(str(path)), proxies=1)
    with served(Application(evaluate, SERVICE, settings)) as address:
        get(address, "/sparql?query=ASK%7B%7D", **{"X-Forwarded-For": "1.1.1.1"})
        _wait_until(lambda: path.is_file() and path.read_text("utf-8").endswith("\n"))
        path.rename(tmp_path / "old.log")
        get(address, "/health")
        _wait_until(lambda: path.is_file() and path.read_text("utf-8").endswith("\n"))
    (first,) = (tmp_path / "old.log").read_text("utf-8").splitlines()
    (second,) = path.read_text("utf-8").splitlines()
    assert first.startswith("1.1.1.1 - - [")
    assert '"GET /sparql HTTP/1.1" 200 26 "-" "Python-urllib' in first
    assert '"GET /health HTTP/1.1" 200 ' in second


def test_the_log_goes_to_standard_error_too(capsys: pytest.CaptureFixture[str]) -> None:
    log = AccessLog.to("-")
    log.write(Served(Request("GET", "/"), 200, 0, 0.0, is_whole=True), "::1")
    assert capsys.readouterr().err.startswith("::1 - - [")


# Settings


def test_a_private_server_is_private_through_and_through() -> None:
    tokens = Tokens(["0123456789abcdef"])
    with served(Application(evaluate, SERVICE, Settings(tokens=tokens))) as address:
        assert status(address, "/sparql?query=ASK%7B%7D") == 401
        assert status(address, "/metrics") == 401
        assert status(address, "/health") == 200
        header = {"Authorization": "Bearer 0123456789abcdef"}
        assert status(address, "/sparql?query=ASK%7B%7D", **header) == 200
    with served(Application(evaluate, replace(SERVICE, tokens=tokens))) as address:
        assert status(address, "/sparql?query=ASK%7B%7D") == 401


def test_settings_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(UsageError, match="--connections 5 leaves no way"):
        Settings(Limits(workers=2, queue=4), connections=5)
    assert Settings(Limits(workers=2, queue=4), connections=6)


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    yield
    assert not [one for one in threading.enumerate() if one.name.startswith("asyncio")]
