from __future__ import annotations

import asyncio

from kg.answers import Question
from kg.evaluation import ByCost
from kg.protocol import Evaluation, Whole
from kg.sparql import QueryForm


def test_look_ups_and_nothing_else_are_evaluated_here() -> None:
    def answering(content: bytes) -> object:
        async def evaluate(_: Question) -> Evaluation:
            return Evaluation(QueryForm.ASK, "text/csv", Whole(content))

        return evaluate

    async def work() -> list[bytes]:
        evaluate = ByCost(answering(b"here"), answering(b"there"))  # type: ignore[arg-type]
        questions = [
            Question("ASK {}", "text/csv", None),
            Question("ASK {}", "text/csv", None, is_lookup=False),
            Question("ASK {}", "text/csv", None, is_lookup=True),
        ]
        return [await anext((await evaluate(question)).body) for question in questions]

    assert asyncio.run(work()) == [b"there", b"there", b"here"]
