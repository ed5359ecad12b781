"""Threads that stay for a while: no work is lost, and none waits for another."""

from __future__ import annotations

import queue
import threading
import time

import pytest

from kg.evaluation import threads
from kg.evaluation.threads import Threads, Work


def waited(is_so: threading.Event) -> bool:
    return is_so.wait(10)


def test_works_run_at_once_each_in_a_thread_of_its_own() -> None:
    pool = Threads()
    barrier = threading.Barrier(9)
    for _ in range(8):
        pool.run(lambda: barrier.wait(30))
    barrier.wait(30)


def test_a_thread_that_has_nothing_to_do_takes_the_next_work() -> None:
    pool = Threads()
    idents: list[int] = []
    for _ in range(50):
        done = threading.Event()

        def work(done: threading.Event = done) -> None:
            idents.append(threading.get_ident())
            done.set()

        pool.run(work)
        assert waited(done)
        time.sleep(0.005)
    assert len(set(idents)) < 25


def test_work_that_comes_when_a_thread_is_about_to_go_is_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pool = Threads()
    late, done = threading.Event(), threading.Event()

    class Works(queue.SimpleQueue[Work]):
        def get(self, block: bool = True, timeout: float | None = None) -> Work:
            try:
                return super().get(block, timeout)
            except queue.Empty:
                if not late.is_set():
                    late.set()
                    pool.run(done.set)
                raise

    monkeypatch.setattr(threads, "_STAYING", 0.01)
    monkeypatch.setattr(pool, "_works", Works())
    pool.run(lambda: None)
    assert waited(late)
    assert waited(done)


def test_what_was_done_is_not_held_on_to() -> None:
    class Held:
        def __init__(self, gone: threading.Event) -> None:
            self._gone = gone

        def __del__(self) -> None:
            self._gone.set()

        def __call__(self) -> None:
            return

    pool = Threads()
    for _ in range(2):  # by a thread that is started, and by one that waited
        gone = threading.Event()
        pool.run(Held(gone))
        assert waited(gone)
        time.sleep(0.02)
