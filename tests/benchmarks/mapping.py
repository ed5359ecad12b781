"""What mapping takes, beside other mappers: ``python -m tests.benchmarks.mapping --peers PYTHON``.

PYTHON is the interpreter of an environment of its own that has maplib and morph-kgc. It prints one
table. What stands beside one another was measured in turns, in one run, in seconds of CPU; each
figure is the median of the repetitions, each ratio that of the ratios of one turn.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Final

import pyoxigraph as ox
from pyld import jsonld

from kg import records
from kg.contexts import Contexts
from kg.index import Index
from kg.iris import Minter
from kg.mapper import Mapper
from kg.mapper.compiled import CompiledContext
from kg.mapper.expanded import never
from kg.records import Record
from tests.benchmarks import peers
from tests.benchmarks.making import KINDS, made
from tests.conftest import decode

COUNTS: Final = {
    "papers-with-abstracts": 600,
    "links-between-papers-and-code": 1_000,
    "datasets": 600,
    "methods": 1_000,
    "evaluation-tables": 20,
    "paper": 160,
    "dataset": 500,
}
"""Records of each kind, some 35,000 triples of each."""
AT_ONCE: Final = 1_000
PART: Final = 20_000
MEMORY: Final = (20_000, 200_000)
HEAD: Final = ("what is mapped", "by", "triples", "µs a triple", "times ours")

Row = tuple[str, ...]
JSON_LD: Final = ox.RdfFormat.JSON_LD


def turns(ways: dict[str, Callable[[], object]], repeat: int) -> dict[str, list[float]]:
    """Return the CPU seconds of each way, measured in turns."""
    took: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(repeat):
        for name, way in ways.items():
            start = time.process_time()
            way()
            took[name].append(time.process_time() - start)
    return took


def table(what: str, took: dict[str, list[float]], triples: int) -> Iterator[Row]:
    """Yield a row for each way; the ratio is to the last of them, which is ours."""
    *_, ours = took.values()
    for by, seconds in took.items():
        each = statistics.median(seconds) / triples * 1e6
        ratio = statistics.median(a / b for a, b in zip(seconds, ours, strict=True))
        beside = "" if seconds is ours else f"{ratio:.2f}"
        yield what, by, f"{triples:,}", f"{each:.2f}", beside


@dataclass(frozen=True)
class Corpus:
    """Made records of one kind: as decoded JSON, read, and as nodes."""

    kind: str
    values: list[object]
    mapper: Mapper
    nodes: list[Any]

    @classmethod
    def of(cls, kind: str, count: int) -> Corpus:
        """Make one."""
        values = [decode(json.dumps(value)) for value in made(kind, count)]
        corpus = [records.read(value) for value in values]
        index = Index()
        for record in corpus:
            index.learn(record)
        mapper = Mapper(minter=Minter(), index=index, contexts=Contexts.load())
        return cls(kind, values, mapper, [mapper.nodes(record)[0] for record in corpus])


def by_kind(kind: str, count: int, repeat: int) -> Iterator[Row]:
    """Yield what the nodes of a kind take: PyLD, the engine's parser, our compiled context."""
    corpus = Corpus.of(kind, count)
    context = Contexts.load().of(kind)
    compiled = CompiledContext(context, kind)
    documents = [{"@context": context, "@graph": nodes} for nodes in corpus.nodes]
    texts = [json.dumps(document) for document in documents]
    joined = [
        json.dumps({"@context": context, "@graph": list(chain(*corpus.nodes[n : n + AT_ONCE]))})
        for n in range(0, count, AT_ONCE)
    ]
    gc.collect()
    gc.freeze()  # what is measured should not go through what it is measured on
    ways: dict[str, Callable[[], object]] = {
        "PyLD `to_rdf`": lambda: _each(
            lambda document: jsonld.to_rdf(document, {"documentLoader": never}), documents
        ),
        "pyoxigraph, each document": lambda: _each(_parsed, texts),
        f"pyoxigraph, {AT_ONCE:,} in one `@graph`": lambda: _each(_parsed, joined),
        "the whole mapper, from decoded JSON": lambda: _each(
            lambda value: corpus.mapper.map(records.read(value)), corpus.values
        ),
        "the compiled context": lambda: _each(compiled.lines, corpus.nodes),
    }
    triples = sum(len(set(compiled.lines(nodes))) for nodes in corpus.nodes)
    assert triples == sum(map(_parsed_once, texts))
    yield from table(f"nodes of {count:,} `{kind}`", turns(ways, repeat), triples)
    gc.unfreeze()


def _each(way: Callable[[Any], object], things: Iterable[Any]) -> None:
    """Do it to each, and keep nothing."""
    for thing in things:
        way(thing)


def _parsed(text: str) -> int:
    return sum(1 for _ in ox.parse(text, format=JSON_LD))


def _parsed_once(text: str) -> int:
    return len({quad.triple for quad in ox.parse(text, format=JSON_LD)})


def beside_peers(python: str, repeat: int) -> Iterator[Row]:
    """Yield what the common part of a mapping takes from JSON to N-Triples, each in its process."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        part = list(peers.rows(made("papers-with-abstracts", PART)))
        (folder / "rows.json").write_text(json.dumps(part), "utf-8")
        (folder / "rows.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in part), "utf-8")
        pythons = {"maplib": python, "morph-kgc": python, "paperkg": sys.executable}
        took: dict[str, list[float]] = {mapper: [] for mapper in pythons}
        peak = {}
        for _ in range(repeat):
            for mapper, interpreter in pythons.items():
                source = folder / ("rows.json" if mapper == "morph-kgc" else "rows.jsonl")
                target = folder / f"{mapper}.nt"
                command = [interpreter, peers.__file__, mapper, str(source), str(target)]
                run = subprocess.run(
                    command,
                    check=True,
                    capture_output=True,
                    env=peers.ENVIRONMENT | {"PYTHONPATH": str(Path(__file__).parents[2])},
                )
                told = json.loads(run.stdout.splitlines()[-1])
                took[mapper].append(told["cpu"])
                peak[mapper] = told["peak"]
        graphs = {mapper: _graph(folder / f"{mapper}.nt") for mapper in pythons}
        assert len(set(graphs.values())) == 1, {m: len(graph) for m, graph in graphs.items()}
        triples = len(graphs["paperkg"])
        for what, by, *rest in table(f"a part of {PART:,} papers", took, triples):
            yield what, f"{by} (peak {peak[by]:,.0f} MiB)", *rest


def _graph(path: Path) -> frozenset[ox.Triple]:
    return frozenset(q.triple for q in ox.parse(path=path, format=ox.RdfFormat.N_TRIPLES))


def corpus_of(count: int) -> Iterator[Record]:
    """Yield about *count* records of all kinds, in the archive's proportions."""
    papers = round(count / sum(kind.among(10**9) / 10**9 for kind in KINDS.values()))
    for name, kind in KINDS.items():
        for value in made(name, kind.among(papers)):
            yield records.read(decode(json.dumps(value)))


def map_all(count: int) -> dict[str, float]:
    """Map that many records as a build does, and tell what it took: the lines go nowhere."""
    with tempfile.TemporaryDirectory() as folder, Path("/dev/null").open("wb") as nowhere:
        index = Index(Path(folder) / "index")
        mapped = 0
        for record in corpus_of(count):
            index.learn(record)
        mapper = Mapper(minter=Minter(), index=index, contexts=Contexts.load(), repeat=False)
        lines = 0
        for record in corpus_of(count):
            found = mapper.map(record)
            assert found.is_compiled
            nowhere.write(b"\n".join(found.lines))
            mapped += 1
            lines += len(found.lines)
        index.close()
    return {"records": mapped, "lines": lines, "peak": peers.peak()}


def memory() -> Iterator[Row]:
    """Yield the peak memory of a process that maps, by the number of records."""
    for count in MEMORY:
        command = [sys.executable, "-m", "tests.benchmarks.mapping", "--memory-of", str(count)]
        run = subprocess.run(command, check=True, capture_output=True)
        told = json.loads(run.stdout)
        what = f"{told['records']:,} records of all kinds"
        yield what, "the whole mapper", f"{told['lines']:,} lines", "", f"{told['peak']:.0f} MiB"


def main() -> None:
    """Measure, and print a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", metavar="PYTHON", help="of an environment that has the others")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--memory-of", type=int, metavar="N", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.memory_of:
        print(json.dumps(map_all(given.memory_of)))
        return
    _print(HEAD)
    _print(("---",) * len(HEAD))
    for kind, count in COUNTS.items():
        for row in by_kind(kind, count, given.repeat):
            _print(row)
    if given.peers:
        for row in beside_peers(given.peers, given.repeat):
            _print(row)
    for row in memory():
        _print(row)


def _print(row: Row) -> None:
    print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
