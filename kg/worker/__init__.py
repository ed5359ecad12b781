"""One worker: a process that answers questions from a store, one at a time, until it is ended.

It is started as ``python -m kg.worker`` by :mod:`kg.workers`, with which it shares a socket, and
imports as little as it can, so that another one is there soon. It is killed whenever a query takes
too long or nobody waits for its answer any more: the engine can be stopped in no other way.
"""
