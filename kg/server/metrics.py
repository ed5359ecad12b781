"""What the server counts, for ``/metrics``."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterable
from typing import Final

from kg import __version__
from kg.protocol import Cache, Service, route_of
from kg.server.exchange import Served
from kg.server.prometheus import Histogram, Page
from kg.workers import PoolStatus

_BOUNDS: Final = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
"""Seconds up to which a request is counted in a bucket of the histogram."""

_ELSEWHERE: Final = "other"
_GONE: Final = "499"


class Metrics:
    """Counts the requests of one server."""

    def __init__(self) -> None:
        self._started = time.time()
        self._requests: Counter[tuple[str, str, str]] = Counter()
        self._cut: Counter[str] = Counter()
        self._sent: Counter[str] = Counter()
        self._seconds: dict[str, Histogram] = {}

    def add(self, served: Served) -> None:
        """Count a request."""
        route = (route_of(served.request.path) or _ELSEWHERE).rstrip("/") or "/"
        method = served.request.method
        status = str(served.status or _GONE)
        # What the client made up would be a name of its own each time.
        known = method if method in ("GET", "HEAD", "OPTIONS", "POST") else _ELSEWHERE
        self._requests[route, known, status] += 1
        self._sent[route] += served.sent
        self._cut[route] += not served.is_whole
        self._seconds.setdefault(route, Histogram(_BOUNDS)).add(served.seconds)

    def text(
        self,
        *,
        service: Service,
        connections: int,
        pool: PoolStatus | None,
        cache: Cache | None,
    ) -> str:
        """Return everything, with what is so at this moment."""
        page = Page()
        page.add(
            "paperkg_requests_total",
            "Requests, by the route that answered; 499: the client left before.",
            (
                ({"route": route, "method": method, "status": status}, count)
                for (route, method, status), count in sorted(self._requests.items())
            ),
        )
        page.add(
            "paperkg_responses_cut_total",
            "Responses that were not completed.",
            (({"route": route}, count) for route, count in sorted(self._cut.items())),
        )
        page.add(
            "paperkg_response_bytes_total",
            "Bytes of content that were sent.",
            (({"route": route}, count) for route, count in sorted(self._sent.items())),
        )
        page.histogram(
            "paperkg_request_seconds",
            "How long requests took, to the last byte.",
            (({"route": route}, one) for route, one in sorted(self._seconds.items())),
        )
        page.add("paperkg_connections", "Open connections.", [({}, connections)])
        if pool is not None:
            _add_pool(page, pool)
        if cache is not None:
            page.add("paperkg_cache_hits_total", "Answers from the cache.", [({}, cache.hits)])
            page.add("paperkg_cache_misses_total", "Answers not in it.", [({}, cache.misses)])
            page.add("paperkg_cache_bytes", "Bytes in the cache.", [({}, cache.size)])
            page.add("paperkg_cache_answers", "Answers in the cache.", [({}, len(cache))])
        page.add(
            "paperkg_snapshot_info",
            "The snapshot that is served, and the version that serves it.",
            [({"snapshot": service.snapshot, "version": __version__}, 1)],
        )
        page.add(
            "paperkg_snapshot_triples", "Triples of its default graph.", [({}, service.triples)]
        )
        page.add(
            "process_start_time_seconds", "When the server was started.", [({}, self._started)]
        )
        for name, about, value in _process():
            page.add(name, about, [({}, value)])
        return page.text()


def _add_pool(page: Page, pool: PoolStatus) -> None:
    page.add(
        "paperkg_workers",
        "Worker processes.",
        [({"state": "busy"}, pool.busy), ({"state": "idle"}, pool.workers - pool.busy)],
    )
    page.add("paperkg_queries_waiting", "Queries without a worker yet.", [({}, pool.waiting)])
    page.add("paperkg_workers_started_total", "Workers that were made.", [({}, pool.started)])
    page.add("paperkg_queries_answered_total", "Queries a worker ended.", [({}, pool.answered)])
    page.add("paperkg_queries_refused_total", "Queries without room.", [({}, pool.turned_away)])
    page.add(
        "paperkg_workers_killed_total",
        "Queries that ended with their worker, by the reason.",
        (({"reason": str(reason)}, count) for reason, count in pool.killed.items()),
    )


def _process() -> Iterable[tuple[str, str, float]]:
    """Yield what the system tells of this process, where it does."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123 - no path of ours
            pages = int(file.read().split()[1])
        files = len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - as above
    except OSError:
        return
    yield (
        "process_resident_memory_bytes",
        "Memory of the web process.",
        pages * os.sysconf("SC_PAGE_SIZE"),
    )
    yield "process_open_fds", "Open files of the web process.", files
