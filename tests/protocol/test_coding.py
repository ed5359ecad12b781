"""Content codings: which one, and that the bytes come out as they went in."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from collections.abc import Callable

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from kg.protocol import Evaluation, Question
from kg.protocol.coding import CODINGS, SMALL, Packed, begun, coding
from kg.protocol.response import Body, Whole
from kg.sparql import QueryForm
from tests.protocol.asking import CSV, JSON, Answered, Client

LONG = "SELECT * { VALUES ?a { " + " ".join(map(str, range(400))) + " } }"


def unpacked(answered: Answered) -> bytes:
    name = answered.headers.get("content-encoding", "identity")
    if name == "gzip":
        return gzip.decompress(answered.body)
    if name == "zstd":
        return zstandard.ZstdDecompressor().decompressobj().decompress(answered.body)
    return answered.body


@pytest.mark.parametrize(
    ("lines", "chosen"),
    [
        ((), "identity"),
        (("",), "identity"),
        (("identity",), "identity"),
        (("gzip",), "gzip"),
        (("GZip",), "gzip"),
        (("x-gzip",), "gzip"),
        (("zstd",), "zstd"),
        (("gzip, deflate, br, zstd",), "zstd"),
        (("gzip", "zstd"), "zstd"),
        (("gzip;q=0.9, zstd;q=0.8",), "gzip"),
        (("gzip;q=1.0, identity;q=0.5, *;q=0",), "gzip"),
        (("gzip;q=0.5, identity",), "identity"),
        (("gzip;q=0.5, identity;q=0.5",), "gzip"),
        (("gzip;q=0",), "identity"),
        (("deflate, br",), "identity"),
        (("*",), "gzip"),
        (("*;q=0.1, gzip;q=0",), "identity"),
        (("identity;q=0, gzip;q=0.1",), "gzip"),
        (("identity;q=0",), None),
        (("*;q=0",), None),
        (("*;q=0, gzip;q=0.001",), "gzip"),
        (("*;q=0, identity",), "identity"),
        (("gzip;q=nonsense, ;;, ,",), "identity"),
        (("gzip ; q=1",), "gzip"),
    ],
)
def test_the_coding_that_the_client_wants_most(lines: tuple[str, ...], chosen: str | None) -> None:
    assert coding(lines) == chosen


@given(st.text(alphabet="gzipstd*identy;q=01., ", max_size=40))
def test_no_header_breaks_it(header: str) -> None:
    assert coding((header,)) in {*CODINGS, "identity", None}


@pytest.mark.parametrize("name", CODINGS)
@pytest.mark.parametrize("accept", [JSON, CSV])
def test_an_answer_is_the_same_in_every_coding(name: str, accept: str) -> None:
    client = Client()
    plain = client.get(LONG, accept)
    packed = client.send(
        parameters=[("query", LONG)], accept=accept, headers=[("accept-encoding", name)]
    )
    assert packed.headers["content-encoding"] == name
    assert packed.headers["content-length"] == str(len(packed.body))
    assert len(packed.body) < len(plain.body) / 2
    assert unpacked(packed) == plain.body
    assert packed.headers["content-type"] == plain.headers["content-type"]
    assert packed.headers["vary"] == plain.headers["vary"] == "Accept, Accept-Encoding"
    # The validator is a weak one: it is that of the answer, however it is packed.
    assert packed.headers["etag"] == plain.headers["etag"]
    assert packed.headers["etag"].startswith("W/")


def test_what_is_small_goes_as_it_is_unless_that_is_refused() -> None:
    client = Client()
    small = client.send(parameters=[("query", "ASK {}")], headers=[("accept-encoding", "gzip")])
    assert "content-encoding" not in small.headers
    assert small.json["boolean"] is True
    wanted = [("accept-encoding", "gzip, identity;q=0")]
    answered = client.send(parameters=[("query", "ASK {}")], headers=wanted)
    assert answered.headers["content-encoding"] == "gzip"
    assert unpacked(answered) == small.body


def test_an_answer_in_no_coding_that_is_wanted_is_refused() -> None:
    refused = Client().send(
        parameters=[("query", "ASK {}")], headers=[("accept-encoding", "br, identity;q=0")]
    )
    assert refused.status == 406
    assert refused.json["offered"] == [*CODINGS, "identity"]


@pytest.mark.parametrize("header", ["gzip", "identity", ""])
@pytest.mark.parametrize("query", [LONG, "ASK {}", "ASK {"])
def test_head_says_what_get_does(header: str, query: str) -> None:
    client = Client()
    headers = [("accept-encoding", header)]
    got = client.send(parameters=[("query", query)], headers=headers)
    head = client.send("HEAD", parameters=[("query", query)], headers=headers)
    assert (head.status, head.headers, head.body) == (got.status, got.headers, b"")


def test_what_is_known_is_not_packed_again() -> None:
    client = Client()
    tag = client.get(LONG).headers["etag"]
    again = client.send(
        parameters=[("query", LONG)], headers=[("if-none-match", tag), ("accept-encoding", "gzip")]
    )
    assert again.status == 304
    assert again.body == b""
    assert "content-encoding" not in again.headers
    assert again.headers["vary"] == "Accept, Accept-Encoding"


@pytest.mark.parametrize("path", ["/queries", "/sparql", "/.well-known/void"])
def test_whatever_is_long_is_packed(path: str) -> None:
    client = Client()
    answered = client.send(path=path, headers=[("accept-encoding", "gzip")])
    assert answered.headers["content-encoding"] == "gzip"
    assert unpacked(answered) == client.send(path=path).body


class Pieces:
    """A body of the given pieces, of which *closed* says whether it was let go of."""

    def __init__(self, *pieces: bytes, pause: float = 0) -> None:
        self._left = list(pieces)
        self._pause = pause
        self.closed = False

    def __aiter__(self) -> Pieces:
        return self

    async def __anext__(self) -> bytes:
        await asyncio.sleep(self._pause)
        if not self._left:
            raise StopAsyncIteration
        return self._left.pop(0)

    async def aclose(self) -> None:
        self.closed = True


def streamed(body: Body, header: str) -> Answered:
    async def evaluate(question: Question) -> Evaluation:
        return Evaluation(QueryForm.SELECT, question.solutions, body)

    client = Client(evaluate=evaluate)
    return client.send(parameters=[("query", "x")], headers=[("accept-encoding", header)])


def _of_gzip() -> Callable[[bytes], bytes]:
    return zlib.decompressobj(16 + zlib.MAX_WBITS).decompress


def _of_zstd() -> Callable[[bytes], bytes]:
    return zstandard.ZstdDecompressor().decompressobj().decompress


@pytest.mark.parametrize(("name", "unpacker"), [("gzip", _of_gzip), ("zstd", _of_zstd)])
def test_of_a_long_answer_everything_that_was_sent_can_be_read(
    name: str, unpacker: Callable[[], Callable[[bytes], bytes]]
) -> None:
    pieces = [bytes([65 + n]) * 3000 for n in range(20)]

    async def run() -> None:
        unpack = unpacker()
        packed = Packed(Pieces(*pieces), name)
        for piece in pieces:
            assert unpack(await anext(packed)) == piece  # and not only with those that follow
        rest = b"".join([unpack(piece) async for piece in packed])
        assert rest == b""

    asyncio.run(run())
    answered = streamed(Pieces(*pieces), name)
    assert "content-length" not in answered.headers
    assert unpacked(answered) == b"".join(pieces)


@given(st.lists(st.binary(min_size=1, max_size=3000), max_size=6), st.sampled_from([*CODINGS]))
def test_any_bytes_in_any_pieces_come_out_as_they_went_in(pieces: list[bytes], name: str) -> None:
    async def run() -> bytes:
        return b"".join([piece async for piece in Packed(Pieces(*pieces), name)])

    content = asyncio.run(run())
    assert unpacked(Answered(200, {"content-encoding": name}, content)) == b"".join(pieces)


def test_a_short_answer_has_a_length_and_a_long_one_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def run() -> None:
        short = Pieces(b"short")
        assert isinstance(await begun(short), Whole)
        assert short.closed
        monkeypatch.setattr("kg.protocol.coding._SOON", 0.01)
        slow = Pieces(b"short", b"and more", pause=0.2)
        body = await asyncio.wait_for(begun(slow), 60)
        assert not isinstance(body, Whole)
        assert [piece async for piece in body] == [b"short", b"and more"]
        long = Pieces(b"x" * SMALL, b"y")
        body = await begun(long)
        assert not isinstance(body, Whole)
        assert [piece async for piece in body] == [b"x" * SMALL, b"y"]
        empty = await begun(Pieces())
        assert isinstance(empty, Whole)
        assert empty.size == 0

    asyncio.run(run())


def test_a_body_is_closed_whatever_happens() -> None:
    class Failing(Pieces):
        async def __anext__(self) -> bytes:
            raise ValueError("broken")

    async def run() -> None:
        failing = Failing()
        with pytest.raises(ValueError, match="broken"):
            await begun(failing)
        assert failing.closed
        slow = Pieces(b"x", b"y")
        begun_ = await begun(slow)
        await begun_.aclose()
        assert slow.closed
        stuck = Pieces(b"x", pause=60)
        waiting = asyncio.ensure_future(begun(stuck))
        await asyncio.sleep(0.05)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert stuck.closed

    asyncio.run(run())
