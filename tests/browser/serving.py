"""The site behind the project's own server, for a browser."""

from __future__ import annotations

from kg.evaluation import InProcess
from kg.protocol import Evaluate, ProblemError, Request, Response, failure, handle
from kg.protocol.finishing import finished
from kg.server.exchange import Served
from kg.server.hub import Hub
from tests.site.visiting import Visitor


class Pages:
    """An application: what the site answers, and the protocol where it answers nothing."""

    def __init__(self, visitor: Visitor) -> None:
        self._visitor = visitor
        self._evaluate: Evaluate | None = None

    async def start(self, _: Hub) -> None:
        opened = self._visitor.opened
        self._evaluate = InProcess(opened.store, opened.base)

    async def close(self) -> None:
        return None

    def ended(self, _: Served) -> None:
        return None

    async def __call__(self, request: Request) -> Response:
        assert self._evaluate is not None
        service = self._visitor.service
        try:
            response = await self._visitor.site(request, self._evaluate, service)
        except ProblemError as problem:
            response = problem.response(request.lines("accept"))
        except Exception as error:
            return await failure(request, error)
        if response is not None:
            return await finished(request, response)
        return await handle(request, self._evaluate, service)
