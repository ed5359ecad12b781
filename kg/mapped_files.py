"""``kg map``: records → files of triples for other engines, without a store."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Final

from kg.collisions import Collisions
from kg.compressed import compressed
from kg.errors import StoreError, UsageError
from kg.mapping import Outcome, Task, mapped
from kg.sorting import Block, in_blocks, merged_blocks
from kg.store import reason
from kg.work_folders import work_folder

TRIPLES: Final = ".nt"
QUADS: Final = ".nq"


def shards(output: Path, number: int, *, graphs: bool) -> list[Path]:
    """Return the names of the files that *output* stands for, by its ending.

    Raises :class:`~kg.errors.UsageError` for another ending than ``.nt`` (with *graphs* ``.nq``)
    or that and ``.gz``.

    >>> [path.name for path in shards(Path("all.nt.gz"), 2, graphs=False)]
    ['all-1-of-2.nt.gz', 'all-2-of-2.nt.gz']
    """
    wanted = QUADS if graphs else TRIPLES
    name, gz = output.name, ""
    if name.endswith(".gz"):
        name, gz = name.removesuffix(".gz"), ".gz"
    if not name.endswith(wanted):
        raise UsageError(f"{output}: give a name that ends in {wanted} or {wanted}.gz")
    stem = name.removesuffix(wanted)
    if number == 1:
        return [output]
    width = len(str(number))
    return [
        output.with_name(f"{stem}-{n:0{width}}-of-{number}{wanted}{gz}")
        for n in range(1, number + 1)
    ]


def map_to_files(
    task: Task, files: Sequence[Path], *, graphs: bool = False, report: Path | None = None
) -> tuple[Outcome, int]:
    """Map what *task* says to *files*, which are replaced when all is complete.

    The lines are sorted N-Triples, each once; with *graphs* N-Quads, each triple in the graph of
    the record that it comes from (the IRI of its source record), a user's statements in theirs.
    They are dealt out to the files in blocks. A file that ends in ``.gz`` is compressed. The report
    is written to *report*. Returns how it went, and how many lines there are. What processes that
    were killed have left beside *files* is removed.

    Raises what :func:`kg.builder.build` does for its input, :class:`~kg.errors.UsageError` where
    one of *files* is among it, and :class:`~kg.errors.StoreError` where a file cannot be written.
    """
    place = files[0].parent
    try:
        with work_folder(place) as work:
            said = work / "report.jsonl"
            lines_of = _quads if graphs else None
            with (
                said.open("wb") as report_file,
                mapped(
                    task, work, report_file, leave_out=work, outputs=files, lines_of=lines_of
                ) as found,
                found.stages.stage("writing"),
            ):
                mine = found.statements.quads() if graphs else found.statements.triples()
                records = Collisions(graphs=graphs).scanned(found.lines.blocks())
                blocks = merged_blocks(records, in_blocks(mine))
                lines = _deal(blocks, [work / file.name for file in files])
            if report:
                shutil.copyfile(said, report)
            for file in files:
                (work / file.name).replace(file)
    except OSError as error:
        raise StoreError(f"{error.filename or place}: {reason(error)}") from error
    return found.outcome(), lines


def _quads(lines: list[bytes], graph: str) -> list[bytes]:
    end = f"<{graph}> .".encode()
    return [line[:-1] + end for line in lines]


def _deal(blocks: Iterator[Block], files: list[Path]) -> int:
    """Write *blocks* to *files* in turn; return how many lines they have."""
    lines = 0
    with ExitStack() as opened:
        streams: list[IO[bytes]] = [
            opened.enter_context(compressed(file) if file.suffix == ".gz" else file.open("wb"))
            for file in files
        ]
        for number, block in enumerate(blocks):
            streams[number % len(streams)].write(b"\n".join(block) + b"\n")
            lines += len(block)
    return lines
