"""Made records of every kind: realistic sharing of names, sizes and dirt, in any number.

The same number gives the same record. Kinds stand in the proportions of the archive, so *count*
papers come with half as many links, and with a few records of codewithpapers.app, which describe
some of the same papers. ``python -m tests.benchmarks.making 20000 DIR`` writes them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.benchmarks import made_archive, made_site, made_tables

ARCHIVE_PAPERS: Final = 576_000


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of record: the function that *make*s one by its number, and how many the archive has.

    *is_lines* says that its file is JSON Lines; the dumps are one JSON array each.
    """

    make: Callable[[int], dict[str, Any]]
    archive: int
    is_lines: bool = False

    def among(self, papers: int) -> int:
        """Return how many there are beside so many papers, one at least."""
        return max(1, self.archive * papers // ARCHIVE_PAPERS)


KINDS: Final = {
    "papers-with-abstracts": Kind(made_archive.paper_row, ARCHIVE_PAPERS),
    "links-between-papers-and-code": Kind(made_archive.link_row, 300_000),
    "datasets": Kind(made_tables.dataset_row, 15_000),
    "methods": Kind(made_tables.method_row, 8_700),
    "evaluation-tables": Kind(made_tables.table_entry, 2_300),
    "paper": Kind(made_site.paper_record, 6_000, is_lines=True),
    "dataset": Kind(made_site.dataset_record, 1_000, is_lines=True),
}
"""Kind of record → what is made of it."""


def made(kind: str, count: int) -> Iterator[dict[str, Any]]:
    """Yield the first *count* records of a kind."""
    return map(KINDS[kind].make, range(count))


def write(folder: Path, count: int) -> list[Path]:
    """Write *count* papers of the archive and all that comes with them, one file a kind."""
    folder.mkdir(parents=True, exist_ok=True)
    return [_write(folder, kind, count) for kind in KINDS]


def _write(folder: Path, kind: str, count: int) -> Path:
    own = KINDS[kind]
    path = folder / f"{kind}-{count}.{'jsonl' if own.is_lines else 'json'}"
    before, between, after = ("", "\n", "\n") if own.is_lines else ("[\n", ",\n", "\n]\n")
    with path.open("w", encoding="utf-8") as file:
        file.write(before)
        for n, record in enumerate(made(kind, own.among(count))):
            file.write((between if n else "") + json.dumps(record))
        file.write(after)
    return path


if __name__ == "__main__":
    for written in write(Path(sys.argv[2]), int(sys.argv[1])):
        print(written)
