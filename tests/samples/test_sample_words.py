"""No text of the real records stands in the samples, and nothing is left unsaid."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from kg import resources

LENGTH = 60  # characters; a shared stretch this long is a copy, not a coincidence
OWN_TEXTS = {
    "abstract",
    "description_markdown",
    "claim",
    "read_at_is",
    "non_affiliation",
    "modified",
    "note",
    "papers_note",
    *("official", "named_in_paper", "listed", "found_in_text", "community"),
}


def texts(value: object, key: str = "") -> Iterator[str]:
    """Yield the running texts of a record: those under the keys of ``OWN_TEXTS``."""
    if isinstance(value, dict):
        for name, entry in value.items():
            yield from texts(entry, name)
    elif isinstance(value, list):
        for element in value:
            yield from texts(element, key)
    elif isinstance(value, str) and key in OWN_TEXTS:
        yield re.sub(r"\s+", " ", value).casefold()


def stretches(some: Iterator[str]) -> set[str]:
    """Every stretch of ``LENGTH`` characters of the texts."""
    return {text[at : at + LENGTH] for text in some for at in range(len(text) - LENGTH + 1)}


def samples() -> list[object]:
    papers = (resources.samples() / "papers.jsonl").read_text(encoding="utf-8").splitlines()
    datasets = (resources.samples() / "datasets.json").read_text(encoding="utf-8")
    return [*map(json.loads, papers), *json.loads(datasets)]


def test_no_text_of_the_real_records_is_copied(shared: Path) -> None:
    ours = stretches(text for record in samples() for text in texts(record))
    for path in sorted((shared / "records" / "seeds").glob("*.json")):
        theirs = stretches(texts(json.loads(path.read_text(encoding="utf-8"))))
        assert theirs, "a seed without text proves nothing"
        assert ours & theirs == set()


def test_a_copied_sentence_is_seen_whatever_its_spacing() -> None:
    sentence = "A sentence that is made up here and that is longer than sixty characters in all."
    ours = stretches(texts({"abstract": "Before it. " + sentence.replace(" ", "\n ").upper()}))
    assert ours & stretches(texts([{"syntology": {"claim": sentence}}]))
    assert not ours & stretches(texts({"abstract": sentence[:59] + "§" + sentence[60:]}))


def test_abstracts_and_descriptions_are_one_to_three_sentences() -> None:
    for record in samples():
        assert isinstance(record, dict)
        text = record.get("abstract", record.get("description_markdown"))
        assert isinstance(text, str)
        assert len(text) < 300
