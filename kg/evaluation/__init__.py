"""Queries evaluated on a store, for the protocol: bytes come out, no engine's object does."""

from kg.evaluation.by_cost import ByCost
from kg.evaluation.in_process import InProcess
from kg.evaluation.with_metadata import WithMetadata

__all__ = ["ByCost", "InProcess", "WithMetadata"]
