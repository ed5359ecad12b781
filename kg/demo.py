"""The demonstration: a graph from the packaged sample records, and three questions to it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kg import builder, resources
from kg.builder import BuildReport


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
    """Build the graph of the packaged sample records in *store_dir*."""
    return builder.build([resources.samples()], store_dir)
