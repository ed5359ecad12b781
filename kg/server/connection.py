"""One connection: requests come out of its bytes, and responses go back, in order (RFC 9112).

Here is how long each part of a request may take, requests sent ahead of the answers, more bytes
than anybody reads, a client that has gone, and an end that is one.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final, cast

from kg.protocol import ProblemError
from kg.server.answering import answer
from kg.server.exchange import Exchange
from kg.server.hub import Hub
from kg.server.outgoing import Outgoing
from kg.server.parsing import Parser
from kg.server.upload import PLENTY, Upload

_SLICE: Final = 1 << 12
"""Bytes that are parsed at once: no more requests than stand in them can come out."""

_AHEAD: Final = 8
"""Requests that may wait for the answers before theirs; beyond them the socket is not read."""

_TOLD: Final = 100
"""Connections beyond those that there may be which are told so; others are dropped without it."""

_UNREAD: Final = 1 << 26
"""Bytes that are taken from a client which sends on what nobody reads."""


class Connection(asyncio.Protocol):
    """One client's connection, of those that *hub* has."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._loop = asyncio.get_running_loop()
        self._unfed = bytearray()
        self._waiting: deque[Exchange] = deque()
        self._work: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._awaited = ""
        self._unread = 0
        self._is_reading = True
        self._is_parsing = True
        self.is_lost = False
        """Whether the client has gone."""

    # What the transport calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin: a request is to come."""
        self._transport = cast("asyncio.Transport", transport)
        self.outgoing = Outgoing(self._transport, self._hub.times.write)
        peer = self._transport.get_extra_info("peername")
        self._client = str(peer[0]) if peer else ""
        self._parser = Parser(self._client, self._add, self._get_more)
        self._hub.connections.add(self)
        beyond = len(self._hub.connections) - self._hub.most
        if beyond > _TOLD:
            self._transport.abort()
        elif beyond > 0:
            full = "the server has as many connections as it may (--connections)"
            self._refuse(ProblemError(503, full, headers={"Retry-After": "5"}))
        else:
            self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """End: whatever is done for the client is given up."""
        self.is_lost = True
        self._is_parsing = False
        self._hub.connections.discard(self)
        self._time(None)
        self.outgoing.resume()
        if self._work is not None:
            self._work.cancel()

    def data_received(self, data: bytes) -> None:
        """Take bytes in."""
        if self._is_parsing:
            self._unfed += data
            self._feed()
        else:
            self._unread += len(data)
            if self._unread > _UNREAD:
                self._transport.abort()

    def pause_writing(self) -> None:
        """Note that the client reads more slowly than it is sent to."""
        self.outgoing.pause()

    def resume_writing(self) -> None:
        """Note that there is room again."""
        self.outgoing.resume()

    # What the server calls.

    def finish(self) -> None:
        """Close when the answers under way are sent: at once where there are none."""
        if self._work is None:
            self._close()

    def give_up(self) -> None:
        """Give up what is under way, and say so where nothing of an answer has been sent."""
        if self._work is None:
            self._transport.abort()
        else:
            self._work.cancel()

    @property
    def goes_on(self) -> bool:
        """Whether another answer may follow the one under way."""
        return self._is_parsing or bool(self._waiting)

    def cut(self, *, at_once: bool) -> None:
        """Break off; *at_once* means by a reset, which loses what is not sent yet."""
        self._is_parsing = False
        if at_once:
            self.outgoing.reset()
        else:
            self._close()

    # What it does by itself.

    def _feed(self) -> None:
        """Parse what has come in, as far as there is room for what comes out."""
        while self._unfed and self._is_parsing and self._has_room():
            piece = bytes(self._unfed[:_SLICE])
            del self._unfed[:_SLICE]
            try:
                self._unfed[:0] = self._parser.feed(piece)
            except ProblemError as problem:
                self._refuse(problem)
        is_reading = not self._unfed or not self._is_parsing
        if is_reading != self._is_reading and not self._transport.is_closing():
            self._is_reading = is_reading
            if is_reading:
                self._transport.resume_reading()
            else:
                self._transport.pause_reading()
        self._watch()

    def _has_room(self) -> bool:
        incoming = self._parser.incoming
        if incoming is not None and incoming.dropped > _UNREAD:
            self._transport.abort()
            return False
        return len(self._waiting) < _AHEAD and (incoming is None or incoming.size < PLENTY)

    def _get_more(self, upload: Upload) -> None:
        """Get more of a body for whoever reads it."""
        if upload.is_held_back:
            upload.is_held_back = False
            self.outgoing.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        self._loop.call_soon(self._feed)

    def _watch(self) -> None:
        """Set the timer by what is awaited."""
        times = self._hub.times
        if not self._is_parsing:
            awaited, seconds = "end", None
        elif self._parser.in_head:
            awaited, seconds = "head", times.head
        elif self._parser.incoming is not None:
            awaited, seconds = "body", times.body
        elif self._work is not None:
            awaited, seconds = "answer", None
        else:
            awaited, seconds = "request", times.idle
        if awaited != self._awaited:
            self._awaited = awaited
            self._time(seconds, self._late)

    def _late(self) -> None:
        """Answer a request that does not come to its end in time."""
        if self._parser.in_head or self._parser.incoming is not None:
            self._refuse(ProblemError(408, "the request does not come to its end"))
        else:
            self._close()

    def _refuse(self, problem: ProblemError) -> None:
        """Answer what is no request, after the answers under way, and close."""
        self._is_parsing = False
        self._watch()
        incoming = self._parser.incoming
        if incoming is None:
            self._add(Exchange.refused(problem, self._client))
        elif not incoming.is_dropped:
            incoming.end(problem)
        else:
            self._close()

    def _add(self, exchange: Exchange) -> None:
        self._waiting.append(exchange)
        if self._work is None:
            self._work = self._loop.create_task(self._answer())

    async def _answer(self) -> None:
        """Answer the requests that wait, one after the other."""
        keeps = True
        try:
            while keeps and self._waiting:
                exchange = self._waiting.popleft()
                keeps = await answer(exchange, self._hub, self)
                exchange.upload.drop()
                self._feed()
        finally:
            self._work = None
        if self._transport.is_closing():
            return
        if not keeps or self._hub.is_ending:
            self._close()
        else:
            self._watch()

    def _close(self) -> None:
        """Close when all is sent.

        What the client still sends is read for a while: closed with bytes unread, a connection
        takes the answer back (RFC 9112, section 9.6).
        """
        parser = self._parser
        whole = self._is_parsing and not parser.in_head and parser.incoming is None
        self._is_parsing = False
        self._unfed.clear()
        self._feed()
        self._time(self._hub.times.linger, self._transport.abort)
        if whole or not self._transport.can_write_eof():
            self._transport.close()
        else:
            self._transport.write_eof()

    def _time(self, seconds: float | None, then: Callable[[], object] | None = None) -> None:
        """Set the one timer anew; without *seconds* there is none."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if seconds is not None and then is not None:
            self._timer = self._loop.call_later(seconds, then)
