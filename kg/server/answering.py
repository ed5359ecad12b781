"""One request answered on its connection, and what is done where it cannot be."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING, Final

from kg.errors import KgError
from kg.protocol import Response, failure, refused, unavailable
from kg.server.exchange import Exchange, Served
from kg.server.hub import Hub
from kg.server.sending import CutError, send

if TYPE_CHECKING:
    from kg.server.connection import Connection

_LOG: Final = logging.getLogger(__name__)


async def answer(exchange: Exchange, hub: Hub, connection: Connection) -> bool:
    """Answer a request on *connection*; return whether another may follow there."""
    answering = _Answering(exchange, hub, connection)
    try:
        return await answering.run()
    finally:
        if answering.response is not None:
            await answering.response.body.aclose()
        hub.answers.ended(
            Served(
                exchange.request,
                answering.response.status if answering.response is not None else None,
                answering.sent,
                time.monotonic() - exchange.started,
                answering.is_whole,
            )
        )


class _Answering:
    """The way of one request to its end."""

    def __init__(self, exchange: Exchange, hub: Hub, connection: Connection) -> None:
        self._exchange = exchange
        self._hub = hub
        self._connection = connection
        self.response: Response | None = None
        self.sent = 0
        self.is_whole = False

    async def run(self) -> bool:
        """Answer; return whether the connection may go on."""
        request, problem = self._exchange.request, self._exchange.problem
        try:
            if problem is None:
                self.response = await self._hub.answers(request)
            else:
                self.response = await refused(request, problem)
            try:
                return await self._send(self.response)
            except CutError:
                raise
            except Exception as error:  # nothing of it has been sent yet
                _note(error)
                await self.response.body.aclose()
                self.response = await failure(request, error)
                return await self._send(self.response)
        except CutError as cut:
            self.sent = cut.sent
            reason = cut.__cause__ or cut
            _note(reason)
            # What is not complete must not look so: the end is not sent, and where that alone
            # tells nothing the connection is reset.
            self._connection.cut(at_once=not cut.is_framed or isinstance(reason, TimeoutError))
            return False
        except asyncio.CancelledError:
            if self._connection.is_lost:
                raise
            if self.response is not None:
                self._connection.cut(at_once=True)
            else:
                self.response = await unavailable(request)
                await self._send(self.response)
            return False

    async def _send(self, response: Response) -> bool:
        exchange = self._exchange
        keeps = (
            exchange.keeps
            and self._connection.goes_on
            and (exchange.upload.is_complete or not exchange.upload.is_held_back)
            and not self._hub.is_ending
        )
        self.sent, keeps = await send(
            response,
            self._connection.outgoing,
            version=exchange.request.version,
            is_head=exchange.request.method == "HEAD",
            keeps=keeps,
        )
        self.is_whole = True
        return keeps


def _note(error: BaseException) -> None:
    if isinstance(error, TimeoutError):
        _LOG.info("an answer was given up: its client does not read it")
    else:
        _LOG.error("an answer broke off: %s", error, exc_info=not isinstance(error, KgError))
