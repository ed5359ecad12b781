"""A page that took long to make is kept for whoever asks for it next."""

from __future__ import annotations

import asyncio

import pytest

from kg.protocol import Request, Response, Whole
from kg.site.kept import Kept

TAG = {"ETag": 'W/"1"', "Content-Type": "text/html"}


class Maker:
    """Makes a page, and counts how often it did."""

    def __init__(self, response: Response | None = None, content: bytes = b"page") -> None:
        self.response = response
        self.content = content
        self.made = 0

    async def __call__(self) -> Response:
        self.made += 1
        return self.response or Response(200, TAG, Whole(self.content))


def asked(
    kept: Kept,
    maker: Maker,
    path: str = "/a",
    query: bytes = b"",
    *,
    accept: str = "",
    host: str = "e",
) -> bytes:
    async def run() -> bytes:
        request = Request("GET", path, query, [("host", host), ("accept", accept)])
        response = await kept.answer(request, maker)
        return b"".join([piece async for piece in response.body])

    return asyncio.run(run())


def test_what_took_long_is_made_once_and_had_whole_each_time() -> None:
    kept, maker = Kept(long=0), Maker()
    assert [asked(kept, maker) for _ in range(3)] == [b"page"] * 3
    assert maker.made == 1


def test_what_is_made_soon_is_made_anew() -> None:
    kept, maker = Kept(long=60), Maker()
    assert [asked(kept, maker) for _ in range(2)] == [b"page"] * 2
    assert maker.made == 2


def test_another_address_or_format_is_another_page() -> None:
    kept, maker = Kept(long=0), Maker()
    for path, query in (("/a", b""), ("/b", b""), ("/a", b"page=2")):
        asked(kept, maker, path, query)
    asked(kept, maker, accept="text/turtle")
    asked(kept, maker, host="other.example")
    assert maker.made == 5


@pytest.mark.parametrize(
    "response",
    [Response(404, TAG), Response(200, {"Content-Type": "text/html"}), Response(303, TAG)],
)
def test_what_may_be_another_the_next_time_is_not_kept(response: Response) -> None:
    kept, maker = Kept(long=0), Maker(response)
    asked(kept, maker)
    asked(kept, maker)
    assert maker.made == 2


def test_no_more_is_kept_than_there_is_room_for() -> None:
    kept, maker = Kept(long=0, capacity=1000), Maker(content=b"x" * 400)
    for path in ("/a", "/b", "/a", "/c"):  # the third puts /a before /b
        asked(kept, maker, path)
    assert maker.made == 3
    asked(kept, maker, "/a")
    assert maker.made == 3
    asked(kept, maker, "/b")
    assert maker.made == 4
    huge = Maker(content=b"x" * (2 << 20))
    assert asked(kept, huge, "/huge") == asked(kept, huge, "/huge") == huge.content
    assert huge.made == 2


def test_a_long_address_is_not_worth_remembering() -> None:
    kept, maker = Kept(long=0), Maker()
    asked(kept, maker, query=b"x" * 2000)
    asked(kept, maker, query=b"x" * 2000)
    assert maker.made == 2
