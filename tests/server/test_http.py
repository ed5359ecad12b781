"""HTTP/1.1 as bytes: what may come over a connection, and how it is answered (RFC 9112)."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.protocol import Evaluation, ProblemError, Question, Service, Whole
from kg.server import Application
from kg.server.exchange import Exchange
from kg.server.hub import Times
from kg.server.parsing import Parser
from kg.sparql import QueryForm
from tests.server.serving import served

HOST = b"Host: x\r\n"
ASK = b"/sparql?query=ASK%7B%7D"
ANSWER = b'{"head":{},"boolean":true}'
SLOWLY = "ASK{'slowly'}"
IN_PIECES = "ASK{'in_pieces'}"


class Pieces:
    """A body that comes in two pieces, one after the other."""

    def __init__(self, *pieces: bytes) -> None:
        self._left = list(pieces)

    def __aiter__(self) -> Pieces:
        return self

    async def __anext__(self) -> bytes:
        await asyncio.sleep(0.02)
        if not self._left:
            raise StopAsyncIteration
        return self._left.pop(0)

    async def aclose(self) -> None:
        self._left.clear()


async def evaluate(question: Question) -> Evaluation:
    """Answer with the query's text after what an answer to ASK begins with."""
    if question.text == SLOWLY:
        await asyncio.sleep(0.3)
    form, text = QueryForm.ASK, question.text.encode()
    body = Pieces(ANSWER, text) if question.text == IN_PIECES else Whole(ANSWER + text)
    return Evaluation(form, question.media_type(form), body)


@pytest.fixture(scope="module", params=["uvloop", "asyncio"])
def address(request: pytest.FixtureRequest) -> Iterator[str]:
    """A server that answers ASK, on either event loop."""
    if request.param == "uvloop":
        pytest.importorskip("uvloop")
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "asyncio":
            factory = lambda: asyncio.new_event_loop  # noqa: E731 - as short as what it stands for
            patch.setattr("kg.server.running._loop_factory", factory)
        with served(Application(evaluate, Service("s1", "http://e/", 0)), most=20) as address:
            yield address


@pytest.fixture(scope="module")
def hasty() -> Iterator[str]:
    """One that does not wait for anything long."""
    times = Times(idle=0.5, head=0.4, body=0.4, linger=1)
    with served(Application(evaluate, Service("s1", "http://e/", 0)), times=times) as address:
        yield address


class Talk:
    """A connection, over which bytes are sent and answers read."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self.socket = socket.create_connection((parts.hostname, parts.port), 20)
        self._read = b""

    def __enter__(self) -> Talk:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def _until(self, end: bytes) -> bytes:
        while end not in self._read:
            piece = self.socket.recv(65536)
            assert piece, self._read
            self._read += piece
        found, _, self._read = self._read.partition(end)
        return found + end

    def _exactly(self, size: int) -> bytes:
        while len(self._read) < size:
            piece = self.socket.recv(65536)
            assert piece, self._read
            self._read += piece
        found, self._read = self._read[:size], self._read[size:]
        return found

    def answer(self, *, is_head: bool = False) -> Got:
        """Read one response."""
        head = self._until(b"\r\n\r\n").decode("latin-1").split("\r\n")
        headers = {n.lower(): v for n, _, v in (line.partition(": ") for line in head[1:-2])}
        status = int(head[0].split()[1])
        content = b""
        if is_head or status in (204, 304) or status < 200:
            pass
        elif "content-length" in headers:
            content = self._exactly(int(headers["content-length"]))
        elif headers.get("transfer-encoding") == "chunked":
            while size := int(self._until(b"\r\n"), 16):
                content += self._exactly(size)
                assert self._exactly(2) == b"\r\n"
            assert self._exactly(2) == b"\r\n"
        else:
            content = self.rest()
        return Got(status, headers, content)

    def rest(self) -> bytes:
        """Read to the end of the connection."""
        found, self._read = self._read, b""
        while piece := self.socket.recv(65536):
            found += piece
        return found


@dataclass(frozen=True)
class Got:
    """A response."""

    status: int
    headers: dict[str, str]
    content: bytes


def once(address: str, request: bytes) -> Got:
    with Talk(address) as talk:
        talk.send(request)
        return talk.answer()


def post(body: bytes, *more: bytes, length: int | None = None) -> bytes:
    lines = [
        b"POST /sparql HTTP/1.1\r\n",
        HOST,
        b"Content-Type: application/sparql-query\r\n",
        b"Content-Length: %d\r\n" % (len(body) if length is None else length),
        *more,
        b"\r\n",
    ]
    return b"".join(lines) + body


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"GET " + ASK + b" HTTP/1.1\r\nHost: x\r\n\r\n", 200),
        (b"\r\n\r\nGET " + ASK + b" HTTP/1.1\r\nHost: x\r\n\r\n", 200),
        (b"GET http://y:80" + ASK + b" HTTP/1.1\r\nHost: x\r\n\r\n", 200),
        (b"GET " + ASK + b" HTTP/1.0\r\n\r\n", 200),
        (b"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", 204),
        (b"GET * HTTP/1.1\r\nHost: x\r\n\r\n", 404),
        (b"GET " + ASK + b" HTTP/1.1\r\n\r\n", 400),
        (b"GET " + ASK + b" HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400),
        (b"GET sparql HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        (b"GET ftp://x/ HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost : x\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: x\r\nA: b\x00c\r\n\r\n", 400),
        (b"GET / HTTP/3.7\r\nHost: x\r\n\r\n", 400),
        (b"GET / HTTP/2.0\r\nHost: x\r\n\r\n", 505),
        (b"GET /\r\n\r\n", 505),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 501),
        (b"BREW / HTTP/1.1\r\nHost: x\r\n\r\n", 501),
        (b"TRACE / HTTP/1.1\r\nHost: x\r\n\r\n", 405),
        (b"CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        (post(b"ASK{}", length=-1), 400),
        (b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501),
        (post(b"ASK{}", b"Content-Length: 6\r\n"), 400),
        (post(b"ASK{}", b"Transfer-Encoding: chunked\r\n"), 400),
        (b"GET /%s HTTP/1.1\r\nHost: x\r\n\r\n" % (b"x" * 200_000), 414),
        (b"GET / HTTP/1.1\r\nHost: x\r\nA: %s\r\n\r\n" % (b"x" * 200_000), 431),
        (b"GET / HTTP/1.1\r\nHost: x\r\n%s\r\n" % (b"A: b\r\n" * 1000), 431),
        (b"GET / HTTP/1.1\r\nHost: x\r\n%s" % (b"A: b\r\n" * 100_000), 431),
    ],
    ids=lambda value: value[:40] if isinstance(value, bytes) else None,
)
def test_one_request(address: str, request_: bytes, status: int) -> None:
    got = once(address, request_)
    assert got.status == status
    assert got.headers["access-control-allow-origin"] == "*"
    assert re.fullmatch(r"\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT", got.headers["date"])
    if status >= 400:
        problem = json.loads(got.content)
        assert problem["status"] == status
        assert got.headers["content-type"] == "application/problem+json"
    assert (got.headers.get("connection") == "close") == (
        status in (400, 414, 431, 501, 505) or b"HTTP/1.0" in request_
    ), got.headers


def test_the_host_of_an_absolute_address_is_the_one_that_counts(address: str) -> None:
    got = once(address, b"GET http://other.example/ HTTP/1.1\r\nHost: x\r\n\r\n")
    assert json.loads(got.content)["sparql"] == "http://other.example/sparql"


def test_an_old_client_gets_no_chunks_and_the_end_of_the_connection(address: str) -> None:
    for query in (IN_PIECES, "ASK{}"):
        for header in (b"", b"Connection: keep-alive\r\n"):
            with Talk(address) as talk:
                talk.send(b"GET /sparql?query=%b HTTP/1.0\r\n%b\r\n" % (query.encode(), header))
                if query == IN_PIECES or not header:
                    received = talk.rest()
                    assert b"Transfer-Encoding" not in received
                    assert b"Connection: close" in received
                    assert received.endswith(b"\r\n\r\n" + ANSWER + query.encode())


def test_what_comes_in_pieces_goes_in_chunks(address: str) -> None:
    request = b"GET /sparql?query=%b HTTP/1.1\r\n%b\r\n" % (IN_PIECES.encode(), HOST)
    with Talk(address) as talk:
        for _ in range(2):
            talk.send(request)
            got = talk.answer()
            assert got.headers["transfer-encoding"] == "chunked"
            assert got.content == ANSWER + IN_PIECES.encode()
            talk.send(request.replace(b"GET", b"HEAD"))
            assert talk.answer(is_head=True).status == 200


def test_an_old_client_may_go_on(address: str) -> None:
    with Talk(address) as talk:
        for _ in range(3):
            talk.send(b"GET " + ASK + b" HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            got = talk.answer()
            assert got.content == ANSWER + b"ASK{}"
            assert got.headers["connection"] == "keep-alive"


def test_close_is_answered_by_close(address: str) -> None:
    with Talk(address) as talk:
        talk.send(b"GET " + ASK + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert talk.answer().headers["connection"] == "close"
        assert talk.rest() == b""


def test_requests_ahead_are_answered_in_their_order(address: str) -> None:
    queries = [SLOWLY, *(f"ASK{{'{n}'}}" for n in range(300))]
    requests = [
        b"GET /sparql?query=%s HTTP/1.1\r\n%b\r\n" % (query.encode(), HOST) for query in queries
    ]
    with Talk(address) as talk:
        talk.send(b"".join(requests))
        assert [talk.answer().content for _ in queries] == [
            ANSWER + query.encode() for query in queries
        ]
        # In pieces of a size that has nothing to do with theirs.
        stream = b"".join(requests[1:40]) + post(b"ASK{'end'}")
        for start in range(0, len(stream), 97):
            talk.send(stream[start : start + 97])
        assert [talk.answer().content for _ in range(40)][-1] == ANSWER + b"ASK{'end'}"


def test_what_is_wrong_is_said_after_the_answers_before_it(address: str) -> None:
    with Talk(address) as talk:
        slowly = b"GET /sparql?query=%s HTTP/1.1\r\n%b\r\n" % (SLOWLY.encode(), HOST)
        talk.send(slowly + b"nonsense\r\n\r\n" + slowly)
        assert talk.answer().status == 200
        assert talk.answer().status == 501
        assert talk.rest() == b""


def test_a_body_comes_in_chunks(address: str) -> None:
    head = (
        b"POST /sparql HTTP/1.1\r\n" + HOST + b"Content-Type: application/sparql-query\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n"
    )
    with Talk(address) as talk:
        for _ in range(2):
            talk.send(head)
            for piece in (b"AS", b"K{", b"}"):
                talk.send(b"%x\r\n%b\r\n" % (len(piece), piece))
                time.sleep(0.02)
            talk.send(b"0\r\n\r\n")
            assert talk.answer().content == ANSWER + b"ASK{}"
        talk.send(head + b"3\r\nASK\r\nnonsense")
        assert talk.answer().status == 400
        assert talk.rest() == b""


def test_a_client_that_waits_is_told_to_go_on_if_its_body_is_wanted(address: str) -> None:
    with Talk(address) as talk:
        expecting = b"Expect: 100-continue\r\n"
        talk.send(post(b"", expecting, length=5))
        assert talk.answer().status == 100
        talk.send(b"ASK{}")
        assert talk.answer().content == ANSWER + b"ASK{}"
        talk.send(post(b"", expecting, length=1 << 40))
        got = talk.answer()
        assert got.status == 413
        assert got.headers["connection"] == "close"
        assert json.loads(got.content)["limit"] == "--query-length"


def test_who_waits_without_a_body_to_send_goes_on(address: str) -> None:
    with Talk(address) as talk:
        for _ in range(2):
            talk.send(b"GET " + ASK + b" HTTP/1.1\r\n" + HOST + b"Expect: 100-continue\r\n\r\n")
            assert talk.answer().content == ANSWER + b"ASK{}"


@pytest.mark.parametrize("body", [b"", b"ASK{'%s'}" % (b"x" * 20_000)])
def test_an_offer_to_speak_another_protocol_is_passed_over(address: str, body: bytes) -> None:
    offer = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMA\r\n"
    with Talk(address) as talk:
        for _ in range(2):
            if body:
                talk.send(post(body, offer) + b"GET " + ASK + b" HTTP/1.1\r\n" + HOST + b"\r\n")
                assert talk.answer().content == ANSWER + body
            else:
                talk.send(b"GET " + ASK + b" HTTP/1.1\r\n" + HOST + offer + b"\r\n")
            assert talk.answer().content == ANSWER + b"ASK{}"


def test_head_has_no_body_on_the_wire(address: str) -> None:
    with Talk(address) as talk:
        for _ in range(2):
            talk.send(b"HEAD " + ASK + b" HTTP/1.1\r\n" + HOST + b"\r\n")
            head = talk.answer(is_head=True)
            talk.send(b"GET " + ASK + b" HTTP/1.1\r\n" + HOST + b"\r\n")
            got = talk.answer()
            assert {**head.headers, "date": ""} == {**got.headers, "date": ""}
            talk.send(b"HEAD /nowhere HTTP/1.1\r\n" + HOST + b"\r\n")
            assert talk.answer(is_head=True).status == 404


def test_a_body_that_nobody_reads_does_not_stand_in_the_way(address: str) -> None:
    big = b"x" * 3_000_000
    with Talk(address) as talk:
        talk.send(
            b"PUT /sparql HTTP/1.1\r\n" + HOST + b"Content-Length: %d\r\n\r\n" % len(big) + big
        )
        assert talk.answer().status == 405
        talk.send(b"GET " + ASK + b" HTTP/1.1\r\n" + HOST + b"\r\n")
        assert talk.answer().status == 200


def test_a_body_without_end_is_not_read_for_ever(address: str) -> None:
    with Talk(address) as talk:
        talk.send(b"PUT /sparql HTTP/1.1\r\n" + HOST + b"Content-Length: %d\r\n\r\n" % (1 << 40))
        assert talk.answer().status == 405
        with pytest.raises(ConnectionError):
            talk.send(bytes(1 << 27))


@pytest.mark.parametrize(
    ("beginning", "status"),
    [
        (b"GET / HTTP/1.1\r\nHost: x\r\nA: ", 408),
        (post(b"ASK", length=100), 408),
        (b"", None),
        (b"\r\n", None),
    ],
)
def test_a_request_that_does_not_come_to_its_end_is_given_up(
    hasty: str, beginning: bytes, status: int | None
) -> None:
    with Talk(hasty) as talk:
        talk.send(beginning)
        talk.socket.settimeout(0.1)
        begun = time.monotonic()
        received = b""
        while time.monotonic() < begun + 20:
            try:
                if beginning and status:
                    talk.send(b"x")  # one byte after the other
                piece = talk.socket.recv(65536)
            except TimeoutError:
                continue
            except ConnectionError:
                break
            received += piece
            if not piece:
                break
        assert time.monotonic() - begun < 15
    if status is None:
        assert received == b""
    else:
        assert received.startswith(b"HTTP/1.1 %d " % status)


def test_an_idle_connection_is_closed_between_requests(hasty: str) -> None:
    with Talk(hasty) as talk:
        talk.send(b"GET " + ASK + b" HTTP/1.1\r\n" + HOST + b"\r\n")
        assert talk.answer().status == 200
        assert talk.rest() == b""


def test_one_connection_too_many_is_told_so(address: str) -> None:
    talks = [Talk(address) for _ in range(20)]
    try:
        request = b"GET " + ASK + b" HTTP/1.1\r\n" + HOST + b"\r\n"
        for talk in talks:
            talk.send(request)
            assert talk.answer().status == 200
        with Talk(address) as one_more:
            got = one_more.answer()
            assert got.status == 503
            assert "--connections" in json.loads(got.content)["detail"]
    finally:
        for talk in talks:
            talk.socket.close()
    deadline = time.monotonic() + 20
    while once(address, request).status == 503:
        assert time.monotonic() < deadline
        time.sleep(0.05)


STREAM = b"".join(
    (
        b"GET " + ASK + b" HTTP/1.1\r\n" + HOST + b"A: b\r\nA: c\r\n\r\n",
        post(b"ASK{}"),
        post(b"ASK{'again'}", b"Connection: Upgrade\r\nUpgrade: h2c\r\n"),
        b"POST /x HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n",
        b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
        b"HEAD / HTTP/1.0\r\n\r\n",
    )
)


@given(st.lists(st.integers(1, 200), min_size=1, max_size=40))
def test_requests_are_the_same_in_whatever_pieces_they_come(sizes: list[int]) -> None:
    begun: list[Exchange] = []
    parser = Parser("1.2.3.4", begun.append, lambda _: None)
    left = STREAM
    for size in cycle(sizes):
        again = parser.feed(left[:size])
        left = again + left[size:]
        if not left:
            break

    async def bodies() -> list[bytes]:
        return [b"".join([piece async for piece in one.upload]) for one in begun]

    assert [(one.request.method, one.request.path) for one in begun] == [
        ("GET", "/sparql"),
        ("POST", "/sparql"),
        ("POST", "/sparql"),
        ("POST", "/x"),
        ("HEAD", "/"),
    ]
    assert begun[0].request.lines("a") == ["b", "c"]
    assert asyncio.run(bodies()) == [b"", b"ASK{}", b"ASK{'again'}", b"abcde", b""]
    assert not parser.in_head
    assert parser.incoming is None


@given(st.binary(max_size=300))
def test_no_bytes_break_the_parser(data: bytes) -> None:
    parser = Parser("", lambda _: None, lambda _: None)
    try:
        while data:
            data = parser.feed(data[:50]) + data[50:]
    except ProblemError as problem:
        data = problem.detail.encode()
    assert data == b"" or b"request" in data
