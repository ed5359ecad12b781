"""The server behind this one: it is asked as long as that may mend something.

Its clients are told what is the matter, its log moreover where and in which words.
"""

from __future__ import annotations

import asyncio
import logging
import math
import ssl
from collections.abc import Callable
from typing import Final

from kg.errors import (
    BusyError,
    DeadlineError,
    EndpointError,
    KgError,
    LimitError,
    QueryError,
    ServiceError,
)
from kg.remote import BUSY, Address, pause, refusal, retry_after, words
from kg.remote.queries import CONTENT_TYPE
from kg.remote.streaming import BrokenError, Streamed, send
from kg.remote.waiting import ATTEMPTS

_LOG: Final = logging.getLogger(__name__)

_REFUSAL: Final = 1 << 16
"""Bytes of a refusal that are looked at."""


class Upstream:
    """The server at *address*, to which this one is known by *token*.

    *trust* makes what knows its certificate.
    """

    def __init__(
        self, address: Address, token: str | None, trust: Callable[[], ssl.SSLContext]
    ) -> None:
        self._address = address
        self._trust = trust
        self._headers = {"Content-Type": CONTENT_TYPE}
        if token is not None:
            self._headers["Authorization"] = f"Bearer {token}"

    async def answer(self, content: bytes, formats: str, deadline: float) -> Streamed:
        """Return the answer to a request with *content*, in one of *formats* (an Accept header).

        Until *deadline* (of the event loop's clock) it is asked again where that may mend what is
        wrong. Raises what its clients are told.
        """
        headers = {**self._headers, "Accept": formats}
        for attempt in range(ATTEMPTS):
            try:
                reply = await send(self._address, content, headers, trust=self._trust)
            except EndpointError as error:
                self.log(str(error))
                raise ServiceError("the server behind this one sends queries elsewhere") from None
            except BrokenError as error:
                refused: KgError = ServiceError(f"the server behind this one: {error}")
                may_come_again, told = error.may_come_again, None
            else:
                if reply.status == 200:
                    return reply
                refused = await self._refused(reply)
                may_come_again = reply.status in BUSY
                told = retry_after(reply.headers.get("retry-after"))
            seconds = pause(attempt, told)
            left = deadline - asyncio.get_running_loop().time()
            if not may_come_again or attempt + 1 == ATTEMPTS or seconds >= left:
                raise refused
            await asyncio.sleep(seconds)
        raise AssertionError("the last attempt returns or raises")

    async def _refused(self, reply: Streamed) -> KgError:
        """Return the error for what is no answer; the log knows more than the client."""
        try:
            content = await reply.read(_REFUSAL)
        except BrokenError:
            content = b""
        finally:
            reply.close()
        status = reply.status
        said = words(reply.headers.get("content-type", ""), content)
        if status == 400:
            return QueryError(
                f"the server behind this one refuses the query: {said or 'it is bad'}"
            )
        self.log(refusal(status, said))
        if status in (413, 414):
            return LimitError("the query is too long for the server behind this one")
        if status in (408, 504):
            return DeadlineError("the query takes longer than the server behind this one allows")
        if status in (429, 503):
            told = retry_after(reply.headers.get("retry-after")) or 1
            busy = "the server behind this one is busy; ask again later"
            return BusyError(busy, retry_after=max(1, math.ceil(told)))
        return ServiceError(f"the server behind this one does not answer queries ({status})")

    def log(self, what: str) -> None:
        """Tell whoever runs this server what clients are not told."""
        _LOG.error("%s: %s", self._address, what)
