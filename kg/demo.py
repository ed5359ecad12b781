"""The demonstration: a graph from the packaged sample records, and three questions to it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kg import builder, resources
from kg.builder import BuildReport
from kg.errors import UsageError
from kg.snapshot import SnapshotFolder


@dataclass(frozen=True, slots=True)
class Question:
    """A question in words, and the canned query and *parameters* that answer it."""

    words: str
    query: str
    parameters: dict[str, str]


QUESTIONS: Final = (
    Question(
        "Who leads SQuAD 1.1 by exact match?",
        "leaderboard",
        {"leaderboard": "question-answering-on-squad11-dev", "metric": "EM"},
    ),
    Question(
        "Where is the code of “Attention Is All You Need”, official first?",
        "paper-code",
        {"paper": "attention-is-all-you-need"},
    ),
    Question(
        "Which code samples of a paper were run, and what came of it?",
        "paper-samples",
        {"paper": "example-paper-a-tiny-transformer-for-n-geq-3"},
    ),
)
"""What the demonstration asks; each has an answer in the sample records."""


def build(store_dir: Path) -> BuildReport:
    """Build the graph of the packaged sample records in *store_dir*.

    Raises :class:`~kg.errors.UsageError` if a graph of anything else is there.
    """
    current = SnapshotFolder(store_dir).current()
    if current is not None and not _is_of_samples(current.manifest):
        raise UsageError(f"{store_dir}: another graph is here; give the demonstration a new folder")
    return builder.build([resources.samples()], store_dir)


def _is_of_samples(manifest: dict[str, object]) -> bool:
    inputs = manifest.get("inputs")
    names = (
        {Path(str(i.get("name"))).parts[-2:] for i in inputs if isinstance(i, dict)}
        if isinstance(inputs, list)
        else set()
    )
    return names <= {
        (resources.samples().name, path.name) for path in resources.samples().iterdir()
    }
