"""Evaluation by a SPARQL 1.1 server elsewhere, before which the protocol stands.

What is asked is looked at here as any query is, and goes out with the declarations that it needs.
An answer in the format asked for is passed on as it comes. One in another format, as a server gives
that has not got it, is held as a whole and written anew, and so is one whose rows are counted.
"""

from __future__ import annotations

import asyncio
import math
import ssl
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from kg import namespaces
from kg.errors import BusyError, ServiceError
from kg.formats import GRAPHS_BY_MEDIA_TYPE, SOLUTIONS_BY_MEDIA_TYPE, Engine, Format
from kg.forwarding.passing import Passing
from kg.forwarding.rewriting import accept, format_of, graph_as, solutions_as
from kg.forwarding.upstream import Upstream
from kg.limits import Limits
from kg.protocol import Evaluation, Question, Whole
from kg.remote import Address, declared, form
from kg.sparql import QueryForm, check, refuse_length

__all__ = ["Forwarding"]

_HELD: Final = 64 << 20
"""Bytes of an answer that is held as a whole, where no limit is lower."""

_SHARE: Final = 0.1
"""Of the newest in the mean of how long an answer takes."""


class Forwarding:
    """Has the server at *address* evaluate queries; an :class:`~kg.protocol.Evaluate`.

    *base* is the IRI below which its things have theirs. Of *limits* those of the text, of time, of
    the answer and of how many there are at once are kept: a worker is a connection. *token* is what
    the server knows this one by (RFC 6750), and *trust* makes what knows its certificate.
    """

    def __init__(
        self,
        address: Address,
        base: str,
        limits: Limits,
        *,
        token: str | None = None,
        trust: Callable[[], ssl.SSLContext] = ssl.create_default_context,
    ) -> None:
        self._address = address
        self._base = base
        self._prefixes = namespaces.prefixes(base)
        self._limits = limits
        self._server = Upstream(address, token, trust)
        self._free = asyncio.Semaphore(limits.workers)
        self._waiting = 0
        self._mean = 1.0  # seconds that an answer takes

    async def __call__(self, question: Question) -> Evaluation:
        """Evaluate a question; see :class:`~kg.protocol.Evaluate`.

        Raises :class:`~kg.errors.ServiceError` where the server does not answer queries.
        """
        refuse_length(question.text, self._limits)
        known = {name: iri for name, iri in self._prefixes.items() if f"{name}:" in question.text}
        form_ = check(question.text, known, self._base, self._limits)
        media_type = question.media_type(form_)
        if media_type is None:
            return Evaluation(form_, None, Whole())
        text = declared(question.text, known, self._base) + question.text
        content = form(text, question.graphs)
        await self._turn()
        begun = asyncio.get_running_loop().time()

        def over() -> None:
            self._mean += _SHARE * (asyncio.get_running_loop().time() - begun - self._mean)
            self._free.release()

        body = Passing(begun + self._limits.seconds, self._limits, over)
        try:
            async with body.in_time():
                await self._begin(body, content, form_, media_type)
        except BaseException:
            await body.aclose()
            raise
        return Evaluation(form_, media_type, body)

    async def _turn(self) -> None:
        """Wait for a connection, in the order in which queries come; raises BusyError."""
        if self._free.locked() and self._waiting >= self._limits.queue:
            raise self._busy(f"{self._limits.queue:,} queries wait already (--queue)")
        self._waiting += 1
        try:
            async with asyncio.timeout(self._limits.queue_seconds):
                await self._free.acquire()
        except TimeoutError:
            waited = f"{self._limits.queue_seconds:g} seconds (--queue-time)"
            raise self._busy(f"no connection was free for {waited}") from None
        finally:
            self._waiting -= 1

    def _busy(self, why: str) -> BusyError:
        wait = self._mean * (1 + self._waiting / self._limits.workers)
        return BusyError(f"{why}; ask again later", retry_after=max(1, math.ceil(wait)))

    async def _begin(
        self, body: Passing, content: bytes, form_: QueryForm, media_type: str
    ) -> None:
        rows = self._limits.rows
        if form_.is_graph:
            graph = partial(graph_as, prefixes=self._prefixes, rows=rows)
            known = GRAPHS_BY_MEDIA_TYPE
            await self._fill(body, content, media_type, known, graph, is_counted=rows is not None)
        else:
            solutions = partial(solutions_as, rows=rows)
            is_counted = rows is not None and form_ is QueryForm.SELECT
            formats = SOLUTIONS_BY_MEDIA_TYPE
            await self._fill(body, content, media_type, formats, solutions, is_counted=is_counted)

    async def _fill(
        self,
        body: Passing,
        content: bytes,
        media_type: str,
        known: Mapping[str, Format[Engine]],
        rewrite: Callable[[bytes, Format[Engine], Format[Engine]], bytes],
        *,
        is_counted: bool,
    ) -> None:
        """Ask, and let *body* have the answer: as it comes, or written anew."""
        wanted = known[media_type]
        # What is counted is read; JSON and Turtle, the first of each kind, are read by everybody.
        asked = next(iter(known.values())) if is_counted else wanted
        reply = await self._server.answer(content, accept(asked, known), body.deadline)
        body.pass_on(reply)
        content_type = reply.headers.get("content-type", "")
        had = format_of(content_type, known)
        if had is None or reply.headers.get("content-encoding", "identity").lower() != "identity":
            self._server.log(f"it answers with {content_type or 'no Content-Type'}, or compressed")
            raise ServiceError("the server behind this one does not answer as a SPARQL endpoint")
        if had is wanted and not is_counted:
            await body.begin()
            return
        whole = await body.all(min(self._limits.answer_bytes or _HELD, _HELD))
        try:
            body.hold(await asyncio.to_thread(rewrite, whole, had, wanted))
        except (ValueError, SyntaxError) as error:
            self._server.log(f"its answer is broken ({content_type}: {error})")
            raise ServiceError("the answer of the server behind this one is broken") from None
