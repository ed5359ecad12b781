"""A bounded pool of worker processes, in which queries of strangers are evaluated.

A worker itself is :mod:`kg.worker`; what stands here runs in the process of the server.
"""

from kg.workers.pool import Pool, PoolStatus

__all__ = ["Pool", "PoolStatus"]
