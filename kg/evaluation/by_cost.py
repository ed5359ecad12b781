"""Look-ups evaluated here, all other queries elsewhere."""

from __future__ import annotations

from kg.answers import Question
from kg.protocol import Evaluate, Evaluation


class ByCost:
    """Has *lookups* evaluate what is known to end soon, and *others* all else.

    What a stranger writes is never known to: those questions are the shipped queries' alone.
    """

    def __init__(self, lookups: Evaluate, others: Evaluate) -> None:
        self._lookups = lookups
        self._others = others

    async def __call__(self, question: Question) -> Evaluation:
        """Evaluate a question; see :class:`~kg.protocol.Evaluate`."""
        return await (self._lookups if question.is_lookup else self._others)(question)
