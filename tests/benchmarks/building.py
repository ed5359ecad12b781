"""A build beside the engine's own loader: ``python -m tests.benchmarks.building 20000 200000``.

For each number of papers, with all that comes with them: ``kg build`` end to end; ``bulk_load``
alone of the triples that it made, from one file, by one call; and an update after one paper in a
hundred has changed, beside a full build of the same. They take turns, ``--runs`` times, each in a
process of its own; the table has medians. Wall-clock seconds are told with the seconds of both
processors, which other work on the machine disturbs less.
"""

from __future__ import annotations

import argparse
import gzip
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kg.snapshot import SnapshotFolder
from tests.benchmarks.making import write

_LOAD = """
import sys, pyoxigraph as ox
store = ox.Store(sys.argv[2])
store.bulk_load(path=sys.argv[1], format=ox.RdfFormat.N_TRIPLES)
store.flush()
"""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a run took: *wall* and *cpu* seconds, *memory* in MiB, that of its largest process."""

    wall: float
    cpu: float
    memory: float


def run(*arguments: object) -> Cost:
    """Run Python with *arguments* in a process of its own."""
    program = [sys.executable, *map(str, arguments)]
    begun = time.monotonic()
    pid = os.posix_spawn(program[0], program, os.environ)
    _, status, used = os.wait4(pid, 0)
    wall = time.monotonic() - begun
    if status:
        raise SystemExit(f"a run has failed: {arguments}")
    return Cost(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def build(files: list[Path], store: Path, *options: str) -> Cost:
    """Run ``kg build``."""
    return run("-m", "kg", "-q", "build", *files, "--store", store, *options)


def triples(store: Path, target: Path) -> None:
    """Write the triples of the current snapshot to a file, uncompressed."""
    triples = SnapshotFolder(store).built().triples
    with gzip.open(triples) as source, target.open("wb") as to:
        shutil.copyfileobj(source, to, 1 << 20)


def changed(papers: Path, target: Path) -> None:
    """Write the *papers* with another title for one in a hundred."""
    with papers.open(encoding="utf-8") as source, target.open("w", encoding="utf-8") as to:
        for number, line in enumerate(source):
            to.write(
                line.replace('"title": "', '"title": "Once more: ', 1)
                if number % 100 == 1
                else line
            )


def rounds(folder: Path, papers: int, runs: int) -> Iterator[tuple[str, Cost]]:
    """Build, load and update in turn; yield what each took."""
    files = write(folder / "records", papers)
    later = [folder / "later" / files[0].name, *files[1:]]
    later[0].parent.mkdir()
    changed(files[0], later[0])
    product = folder / "triples.nt"
    for _ in range(runs):
        for name in ("store", "bare", "fresh"):
            shutil.rmtree(folder / name, ignore_errors=True)
        yield "kg build", build(files, folder / "store")
        if not product.exists():
            triples(folder / "store", product)
        yield "bulk_load alone", run("-c", _LOAD, product, folder / "bare")
        shutil.rmtree(folder / "bare")
        yield "kg build, 1 % changed", build(later, folder / "fresh")
        shutil.rmtree(folder / "fresh")
        yield "kg build --update, 1 % changed", build(later, folder / "store", "--update")


def main() -> None:
    """Print a table for each number of papers."""
    parser = argparse.ArgumentParser()
    parser.add_argument("papers", type=int, nargs="+")
    parser.add_argument("--runs", type=int, default=3)
    asked = parser.parse_args()
    per_record: dict[str, list[float]] = defaultdict(list)
    for papers in asked.papers:
        costs: dict[str, list[Cost]] = defaultdict(list)
        with tempfile.TemporaryDirectory() as place:
            for name, cost in rounds(Path(place), papers, asked.runs):
                costs[name].append(cost)
            told = SnapshotFolder(Path(place) / "store").built().manifest
        records = sum(count["read"] for count in told["records"].values())  # type: ignore[attr-defined]  # JSON
        print(f"\n{papers:,} papers, {records:,} records, {told['triples']:,} triples")
        print("what | seconds | processor seconds | MiB | seconds ÷ bulk_load | of a full build")
        wall = {name: statistics.median(c.wall for c in these) for name, these in costs.items()}
        for name, these in costs.items():
            cpu = statistics.median(cost.cpu for cost in these)
            memory = max(cost.memory for cost in these)
            of_load = wall[name] / wall["bulk_load alone"]
            of_build = wall[name] / wall["kg build, 1 % changed"]
            took = f"{wall[name]:.1f} | {cpu:.1f} | {memory:.0f}"
            print(f"{name} | {took} | {of_load:.2f} | {of_build:.2f}")
            per_record[name].append(wall[name] / records)
        for stage, cost in told["stages"].items():  # type: ignore[attr-defined]  # JSON
            print(f"  last update, {stage}: {cost['seconds']:.1f} s")
    if len(asked.papers) > 1:
        growth = {name: these[-1] / these[0] for name, these in per_record.items()}
        ratio = growth["kg build"] / growth["bulk_load alone"]
        print(f"\ntime per record, largest ÷ smallest: kg build {growth['kg build']:.2f},", end=" ")
        print(f"bulk_load {growth['bulk_load alone']:.2f}, quotient {ratio:.2f}")


if __name__ == "__main__":
    main()
