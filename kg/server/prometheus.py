"""The text format in which Prometheus reads metrics (exposition format 0.0.4)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

Labels: TypeAlias = Mapping[str, str]


class Histogram:
    """How many values were at most each of *bounds*, and their sum."""

    def __init__(self, bounds: Sequence[float]) -> None:
        self._bounds = bounds
        self._numbers = [0] * (len(bounds) + 1)
        self.sum = 0.0

    def add(self, value: float) -> None:
        """Count a value."""
        self._numbers[bisect_left(self._bounds, value)] += 1
        self.sum += value

    def buckets(self) -> Iterable[tuple[str, int]]:
        """Yield each bound, the last of which is none, and how many values were at most it."""
        count = 0
        for bound, number in zip((*self._bounds, "+Inf"), self._numbers, strict=True):
            count += number
            yield str(bound), count


class Page:
    """A page of metrics; one whose name ends in ``_total`` is a counter, the others are gauges."""

    def __init__(self) -> None:
        self._lines: list[str] = []

    def add(self, name: str, about: str, samples: Iterable[tuple[Labels, float]]) -> None:
        """Add a metric with its *samples*, a value for each set of labels."""
        self._head(name, about, "counter" if name.endswith("_total") else "gauge")
        self._lines.extend(_sample(name, labels, value) for labels, value in samples)

    def histogram(self, name: str, about: str, samples: Iterable[tuple[Labels, Histogram]]) -> None:
        """Add histograms."""
        self._head(name, about, "histogram")
        for labels, one in samples:
            count = 0
            for bound, count in one.buckets():
                self._lines.append(_sample(f"{name}_bucket", {**labels, "le": bound}, count))
            self._lines.append(_sample(f"{name}_sum", labels, one.sum))
            self._lines.append(_sample(f"{name}_count", labels, count))

    def text(self) -> str:
        """Return the page."""
        return "".join(f"{line}\n" for line in self._lines)

    def _head(self, name: str, about: str, kind: str) -> None:
        self._lines += [f"# HELP {name} {about}", f"# TYPE {name} {kind}"]


def _sample(name: str, labels: Labels, value: float) -> str:
    told = ",".join(f'{label}="{_escaped(text)}"' for label, text in labels.items())
    return f"{name}{{{told}}} {value}" if told else f"{name} {value}"


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
