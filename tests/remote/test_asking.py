"""A server asked by a thread: what is sent, what is waited for, and what ends it."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from kg import __version__
from kg.errors import EndpointError
from kg.remote import Address, Limits, Reply, ask, asking, waiting
from tests.remote.certificates import certificate_in
from tests.remote.scripted import ROWS, Scripted, answer, moved, reset, scripted

CHUNKED = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n"
TOKEN = {"Authorization": "Bearer abc"}


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses that would have been made; none is."""
    made: list[float] = []
    monkeypatch.setattr(asking.time, "sleep", made.append)
    return made


def asked(server: Scripted, *, path: str = "/sparql", **limits: float) -> Reply:
    given = Limits(**{"seconds": 20.0, **limits})  # type: ignore[arg-type]  numbers, as it has them
    return ask(Address.of(server.address + path), b"query=x", TOKEN, limits=given)


def test_who_asks_is_said_and_what_is_wanted() -> None:
    with scripted(answer()) as server:
        assert asked(server).content == ROWS
        assert server.requests[0].startswith(b"POST /sparql HTTP/1.1\r\n")
        assert server.requests[0].endswith(b"\r\n\r\nquery=x")
        assert server.header("user-agent") == f"paperkg/{__version__} (https://w3id.org/paperkg/)"
        assert server.header("accept-encoding") == "identity"
        assert server.header("authorization") == "Bearer abc"
        ask(Address.of(server.address), None, {}, limits=Limits())
        assert server.requests[1].startswith(b"GET / HTTP/1.1\r\n")


@pytest.mark.parametrize("status", [429, 502, 503])
def test_a_server_that_is_busy_is_asked_again(status: int, waits: list[float]) -> None:
    told: list[str] = []
    with scripted(answer(b"", f"{status} X"), answer(b"", f"{status} X"), answer()) as server:
        address = Address.of(server.address)
        reply = ask(address, b"q", {}, limits=Limits(), tell=told.append)
    assert (reply.status, reply.content) == (200, ROWS)
    assert len(waits) == 2
    assert waits[0] < 0.6 < waits[1] * 2
    assert len(told) == 2
    assert told[0].startswith(f"{address}: it ")
    assert f"asked again in {waits[0]:.1f} s" in told[0]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 500, 501, 504])
def test_what_waiting_does_not_mend_is_asked_once(status: int, waits: list[float]) -> None:
    with scripted(answer(b"no", f"{status} X", "text/plain")) as server:
        reply = asked(server)
        assert (reply.status, reply.content, len(server.requests)) == (status, b"no", 1)
    assert waits == []


def test_what_a_server_asks_for_is_waited(waits: list[float]) -> None:
    at = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    busy = (answer(b"", "503 X", None, f"Retry-After: {told}") for told in ("7", at))
    with scripted(*busy, answer()) as server:
        assert asked(server).status == 200
    assert waits[0] == 7
    assert 20 < waits[1] <= 30


def test_nobody_is_made_to_wait_for_ever(waits: list[float]) -> None:
    with scripted(answer(b"", "503 X", None, "Retry-After: 3600")) as server:
        assert asked(server).status == 503
        assert len(server.requests) == 1
    with scripted(answer(b"", "503 X")) as server:
        assert asked(server).status == 503
        assert len(server.requests) == waiting.ATTEMPTS
    assert sum(waits) < 5


def test_a_connection_that_breaks_is_made_again(waits: list[float]) -> None:
    half = answer(ROWS[:20], promised=len(ROWS))
    cut = CHUNKED + b"5\r\nhello\r\n"
    with scripted(reset, half, cut, answer()) as server:
        assert asked(server).content == ROWS
    assert len(waits) == 3
    for broken, said in (
        (reset, "broke before an answer"),
        (half, "broke off"),
        (cut, "broke off"),
    ):
        with scripted(broken) as server, pytest.raises(EndpointError, match=said):
            asked(server, attempts=2)


def test_a_server_that_is_not_there_is_said_at_once(waits: list[float]) -> None:
    with pytest.raises(EndpointError, match="cannot be reached: Connection refused"):
        ask(Address.of("http://127.0.0.1:9"), b"", {}, limits=Limits())
    with pytest.raises(EndpointError, match="cannot be reached: "):
        ask(Address.of("http://no-such-host.invalid"), b"", {}, limits=Limits())
    assert waits == []


@pytest.mark.parametrize("steps", [(20.0,), (answer(promised=9999), 20.0), (CHUNKED, 20.0)])
def test_a_server_that_says_nothing_is_left(
    steps: tuple[bytes | float, ...], waits: list[float]
) -> None:
    begun = time.monotonic()
    with (
        scripted(list(steps)) as server,
        pytest.raises(EndpointError, match=r"does not answer in time \(0.2 s\)"),
    ):
        asked(server, seconds=0.2)
    assert time.monotonic() - begun < 15
    assert waits == []


def test_what_does_not_speak_http_is_said(waits: list[float]) -> None:
    for nonsense in (b"SSH-2.0-OpenSSH_9\r\n", b"\x00" * 100, b"HTTP/1.1 nonsense\r\n\r\n"):
        with (
            scripted(nonsense) as server,
            pytest.raises(EndpointError, match="does not speak HTTP"),
        ):
            asked(server)
    assert waits == []


def test_an_answer_may_be_only_so_long() -> None:
    with scripted(answer(b"x" * 100_000)) as server:
        assert len(asked(server, size=100_000).content) == 100_000
        with pytest.raises(EndpointError, match="longer than 99,999 bytes"):
            asked(server, size=99_999)
    endless = [CHUNKED, *[b"10000\r\n" + b"x" * 0x10000 + b"\r\n"] * 100, 20.0]
    with scripted(endless) as server, pytest.raises(EndpointError, match="longer than"):
        asked(server, size=1_000_000)


def test_an_answer_that_is_compressed_is_refused() -> None:
    squeezed = answer(b"\x1f\x8b", "200 OK", None, "Content-Encoding: gzip")
    with scripted(squeezed) as server, pytest.raises(EndpointError, match="compressed"):
        asked(server)


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirection_takes_the_query_along(status: int) -> None:
    with scripted(moved(status, "/other"), answer()) as server:
        assert asked(server).content == ROWS
        assert server.requests[1].startswith(b"POST /other HTTP/1.1\r\n")
        assert server.requests[1].endswith(b"\r\n\r\nquery=x")
        assert server.header("authorization") == "Bearer abc"


def test_another_server_does_not_get_the_token() -> None:
    with scripted(answer()) as there, scripted(moved(307, f"{there.address}/x")) as here:
        assert asked(here).content == ROWS
        assert there.header("authorization") is None
        assert there.requests[0].endswith(b"query=x")


def test_redirections_come_to_an_end_and_303_is_none() -> None:
    with scripted(moved(302, "/again")) as server:
        with pytest.raises(EndpointError, match="on and on"):
            asked(server)
        assert len(server.requests) == 6
    with scripted(moved(303, "/other")) as server:
        assert asked(server).status == 303
    with scripted(moved(307, None)) as server, pytest.raises(EndpointError, match="not say where"):
        asked(server)


def test_a_certificate_that_nobody_vouches_for_is_said(tmp_path: Path) -> None:
    with scripted(answer(), tls=certificate_in(tmp_path).server) as server:
        assert server.address.startswith("https://")
        with pytest.raises(EndpointError, match="its certificate cannot be trusted: self-signed"):
            asked(server)


def test_a_server_that_takes_too_long_to_connect_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "CONNECT", 0.3)
    with scripted(answer()) as server:  # it waits for a request, and gets the beginning of TLS
        address = Address.of(server.address.replace("http:", "https:"))
        with pytest.raises(EndpointError, match=r"cannot be reached: no connection within 0\.3 s"):
            ask(address, b"", {}, limits=Limits(seconds=20))
