"""Queries evaluated on a store, for the protocol: bytes come out, no engine's object does."""

from kg.evaluation.answer import Answer, answer
from kg.evaluation.in_process import InProcess

__all__ = ["Answer", "InProcess", "answer"]
