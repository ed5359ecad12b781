"""Answers that were given, kept for whoever asks the same again of the same snapshot."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final, Self, TypeAlias

from kg.protocol.changing import is_changing
from kg.protocol.coding import packed
from kg.protocol.question import Evaluate, Evaluation, Question
from kg.protocol.response import Body, Whole
from kg.sparql import QueryForm

_SHARE: Final = 16
"""The part of the cache that one answer may take is one over this number."""

_Key: TypeAlias = tuple[str, Question]


@dataclass(slots=True)
class Kept:
    """An answer: its form, media type and bytes, and those in each coding that was asked for."""

    form: QueryForm
    media_type: str
    content: bytes
    coded: dict[str, bytes] = field(default_factory=dict)


class Cache:
    """Answers of at most *capacity* bytes together; those asked for least recently go first."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._kept: OrderedDict[_Key, Kept] = OrderedDict()
        self.size = 0
        """Bytes that are kept."""
        self.hits = 0
        """Questions that were answered from here."""
        self.misses = 0
        """Questions that were not."""

    @property
    def largest(self) -> int:
        """How many bytes an answer may have to be kept."""
        return self._capacity // _SHARE

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: _Key) -> Kept | None:
        """Return the answer to the question of *key*, which names its snapshot too, if kept."""
        kept = self._kept.get(key)
        if kept is None:
            self.misses += 1
        else:
            self.hits += 1
            self._kept.move_to_end(key)
        return kept

    def put(self, key: _Key, answer: Kept) -> None:
        """Keep an answer, if it is not too large."""
        size = _size(key, answer)
        if size <= self.largest:
            self._drop(key)
            self._kept[key] = answer
            self._grow(size)

    async def coded(self, key: _Key, answer: Kept, coding: str) -> bytes:
        """Return the bytes of a kept answer in a coding, made once."""
        found = answer.coded.get(coding)
        if found is None:
            found = await packed(answer.content, coding)
            if self._kept.get(key) is answer and coding not in answer.coded:
                answer.coded[coding] = found
                self._grow(len(found))
        return found

    def _grow(self, size: int) -> None:
        self.size += size
        while self.size > self._capacity:
            self._drop(next(iter(self._kept)))

    def _drop(self, key: _Key) -> None:
        answer = self._kept.pop(key, None)
        if answer is not None:
            self.size -= _size(key, answer)


def _size(key: _Key, answer: Kept) -> int:
    return len(key[1].text) + len(answer.content) + sum(map(len, answer.coded.values()))


class KeptBody(Whole):
    """The body of an answer that is kept."""

    def __init__(self, cache: Cache, key: _Key, answer: Kept) -> None:
        super().__init__(answer.content)
        self._cache = cache
        self._key = key
        self._answer = answer

    async def coded(self, coding: str) -> bytes:
        """Return its bytes in a coding."""
        return await self._cache.coded(self._key, self._answer, coding)


class Remembering:
    """Evaluates as *evaluate* does, but answers what *cache* knows of *snapshot* from there."""

    def __init__(self, evaluate: Evaluate, cache: Cache, snapshot: str) -> None:
        self._evaluate = evaluate
        self._cache = cache
        self._snapshot = snapshot

    async def __call__(self, question: Question) -> Evaluation:
        """Evaluate a question; see :class:`~kg.protocol.Evaluate`."""
        key = (self._snapshot, question)
        kept = self._cache.get(key)
        if kept is not None:
            return Evaluation(kept.form, kept.media_type, KeptBody(self._cache, key, kept))
        evaluation = await self._evaluate(question)
        if evaluation.media_type is None or is_changing(question.text):
            return evaluation

        def keep(content: bytes, media_type: str = evaluation.media_type) -> None:
            self._cache.put(key, Kept(evaluation.form, media_type, content))

        body = evaluation.body
        if isinstance(body, Whole):  # nothing to be waited for: it is kept at once
            content = body.take()
            await body.aclose()
            keep(content)
            return replace(evaluation, body=Whole(content))
        recorded = _Recorded(body, self._cache.largest, keep)
        return Evaluation(evaluation.form, evaluation.media_type, recorded)


class _Recorded:
    """A body that is passed on and, read to its end and no longer than *most*, handed to *keep*."""

    def __init__(self, body: Body, most: int, keep: Callable[[bytes], object]) -> None:
        self._body = body
        self._most = most
        self._keep = keep
        self._read: bytearray | None = bytearray()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        try:
            piece = await anext(self._body)
        except StopAsyncIteration:
            if self._read is not None:
                self._keep(bytes(self._read))
                self._read = None
            raise
        if self._read is not None:
            self._read += piece
            if len(self._read) > self._most:
                self._read = None
        return piece

    async def aclose(self) -> None:
        """Let go of what makes the bytes."""
        await self._body.aclose()
