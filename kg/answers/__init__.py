"""A question put to a store, and its answer as bytes, in the thread or process that calls.

What stands here imports no more than it must: a process that does nothing else starts with it.
"""

from kg.answers.answer import CHUNK, Answer, answer
from kg.answers.question import Question

__all__ = ["CHUNK", "Answer", "Question", "answer"]
