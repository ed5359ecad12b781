"""Every canned query on a small graph, whole answers, on two engines; and twins that are wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

import pytest

from kg.catalogue import Catalogue

Rows: TypeAlias = list[tuple[str, ...]]
Engines: TypeAlias = Mapping[str, Callable[[str], Rows]]

MIT = "http://spdx.org/licenses/MIT"
KG = "ns#"

# name, values → the whole answer
ANSWERS: list[tuple[str, dict[str, str], Rows]] = [
    (
        "leaderboard",
        {"leaderboard": "qa-on-squad"},
        [
            ("1", "Ant", "F1", "90", "90", "", "", "paper/two", "result/a"),
            ("1", "Bee", "EM", "85.50", "85.5", "true", "One", "paper/one", "result/b"),
            ("1", "Bee", "F1", "90.0%", "", "true", "One", "paper/one", "result/b"),
            ("2", "Dog", "", "", "", "", "One", "paper/one", "result/d"),
            ("10", "Aardvark", "F1", "9", "9", "", "Unknown", "", "result/c"),
            ("", "Aal", "EM", "1", "1", "", "One", "paper/one", "result/e"),
        ],
    ),
    (
        "leaderboard",
        {"leaderboard": "qa-on-squad", "metric": "metric:f1"},
        [
            ("1", "Ant", "F1", "90", "90", "", "", "paper/two", "result/a"),
            ("1", "Bee", "F1", "90.0%", "", "true", "One", "paper/one", "result/b"),
            ("10", "Aardvark", "F1", "9", "9", "", "Unknown", "", "result/c"),
        ],
    ),
    (
        "leaderboard",
        {"leaderboard": "qa-on-squad", "limit": "1"},
        [("1", "Ant", "F1", "90", "90", "", "", "paper/two", "result/a")],
    ),
    ("leaderboard", {"leaderboard": "qa-on"}, []),
    (
        "paper-results",
        {"paper": "one"},
        [
            ("Parsing", "WSJ", "Bee", "F1", "70", "70", "1", "1", "",
             "leaderboard/qa-on-squad-2", "result/p"),
            ("QA", "SQuAD", "Bee", "EM", "85.50", "85.5", "1", "5", "true",
             "leaderboard/qa-on-squad", "result/b"),
            ("QA", "SQuAD", "Bee", "F1", "90.0%", "", "1", "5", "true",
             "leaderboard/qa-on-squad", "result/b"),
            ("QA", "SQuAD", "Dog", "", "", "", "2", "5", "",
             "leaderboard/qa-on-squad", "result/d"),
            ("QA", "SQuAD", "Aal", "EM", "1", "1", "", "", "",
             "leaderboard/qa-on-squad", "result/e"),
        ],
    ),
    (
        "paper-results",
        {"paper": "one", "task": "parsing"},
        [("Parsing", "WSJ", "Bee", "F1", "70", "70", "1", "1", "",
          "leaderboard/qa-on-squad-2", "result/p")],
    ),
    (
        "paper-code",
        {"paper": "one"},
        [
            ("true", "https://example.org/z", "tf", "ok", MIT, "false", "true", "repo/z"),
            ("false", "", "", "", "", "true", "", "repo/c"),
            ("false", "https://example.org/a", "", "", "", "false", "", "repo/a"),
            ("false", "", "", "", "", "false", "", "repo/b"),
            ("", "", "", "", "", "", "", "repo/d"),
        ],
    ),
    (
        "paper-code",
        {"paper": "one", "official": "true"},
        [("true", "https://example.org/z", "tf", "ok", MIT, "false", "true", "repo/z")],
    ),
    (
        "paper-code",
        {"paper": "one", "official": "false"},
        [
            ("false", "", "", "", "", "true", "", "repo/c"),
            ("false", "https://example.org/a", "", "", "", "false", "", "repo/a"),
            ("false", "", "", "", "", "false", "", "repo/b"),
        ],
    ),
    (
        "paper-samples",
        {"paper": "one"},
        [
            ("zip", "ran_draft_wrong", "2", "", "", "", "", "", "z.py", "", "sample/4"),
            ("act", "ran_draft_wrong", "1", "", "", "", "", "", "b.py", "", "sample/3"),
            ("gelu", "ran_honours", "1", "HONOURS", "invariant", "", MIT, "true", "b.py",
             "https://example.org/b.py", "sample/2"),
            ("aaa", "ran_honours", "1", "", "", "", "", "", "c.py", "", "sample/7"),
            ("load", "unverified", "0", "", "", "official", "", "", "a.py", "", "sample/1"),
            ("none", "", "", "", "", "", "", "", "a.py", "", "sample/5"),
        ],
    ),
    (
        "paper-samples",
        {"paper": "one", "status": "ran_draft_wrong"},
        [
            ("zip", "ran_draft_wrong", "2", "", "", "", "", "", "z.py", "", "sample/4"),
            ("act", "ran_draft_wrong", "1", "", "", "", "", "", "b.py", "", "sample/3"),
        ],
    ),
    (
        "class-counts",
        {},
        [
            (KG + "SampleLink", "8"),
            (KG + "Measurement", "7"),
            (KG + "Result", "7"),
            (KG + "Sample", "7"),
            (KG + "CodeLink", "6"),
            (KG + "Paper", "3"),
            (KG + "Dataset", "2"),
            (KG + "Metric", "2"),
            (KG + "Repo", "2"),
            (KG + "Task", "2"),
            (KG + "Leaderboard", "1"),
            (KG + "Authorship", "0"),
            (KG + "CodeContent", "0"),
            (KG + "DataLoader", "0"),
            (KG + "Method", "0"),
            (KG + "Record", "0"),
        ],
    ),
]  # fmt: skip

# name, what stands in the file, what a wrong twin has in its place: the answer must change.
TWINS: list[tuple[str, str, str]] = [
    ("leaderboard", "ORDER BY (!BOUND(?rank)) ?rank", "ORDER BY (!BOUND(?rank)) DESC(?rank)"),
    ("leaderboard", "ORDER BY (!BOUND(?rank)) ?rank", "ORDER BY (!BOUND(?rank)) STR(?rank)"),
    ("leaderboard", "ORDER BY (!BOUND(?rank)) ?rank", "ORDER BY ?rank"),
    ("leaderboard", "?rank ?model ?result ?metricName ?m", "?rank DESC(?model) ?metricName ?m"),
    ("leaderboard", "?result ?metricName ?measured ?raw", "?result DESC(?metricName) ?raw"),
    ("leaderboard", "?result kg:leaderboard ?leaderboard .", "?result kg:leaderboard ?any ."),
    ("leaderboard", "FILTER (!BOUND(?metric) || ?metric = ?measured)", ""),
    ("leaderboard", "OPTIONAL { ?result kg:archiveRank ?rank }", "?result kg:archiveRank ?rank ."),
    ("leaderboard", "OPTIONAL { ?result kg:paper/dct:title ?title }",
     "?result kg:paper/dct:title ?title ."),
    ("leaderboard", "COALESCE(?title, ?titleAsGiven)", "?title"),
    ("leaderboard", "    ?measurement kg:value ?value .", "    ?anything kg:value ?value ."),
    ("paper-results", "?result kg:paper ?paper .", "?result kg:paper ?any ."),
    ("paper-results", "FILTER (!BOUND(?task) || ?task = ?on)", ""),
    ("paper-results", "ORDER BY ?taskName", "ORDER BY DESC(?taskName)"),
    ("paper-results", "(!BOUND(?rank)) ?rank", "?rank"),
    ("paper-results", "(!BOUND(?rank)) ?rank", "(!BOUND(?rank)) DESC(?rank)"),
    ("paper-results", "?result ?metricName", "?result DESC(?metricName)"),
    ("paper-code", "?paper kg:codeLink ?link .", "?any kg:codeLink ?link ."),
    ("paper-code", "FILTER (!BOUND(?official) || ?official = ?isOfficial)", ""),
    ("paper-code", "ORDER BY DESC(COALESCE(?isOfficial, false))", "ORDER BY"),
    ("paper-code", "DESC(COALESCE(?mentionedInPaper, false)) ?repo", "?repo"),
    ("paper-code", "false)) ?repo ?page", "false)) DESC(?repo) ?page"),
    ("paper-code", "OPTIONAL { ?link kg:isOfficial ?isOfficial }",
     "?link kg:isOfficial ?isOfficial ."),
    ("paper-samples", "?paper kg:sampleLink ?link .", "?any kg:sampleLink ?link ."),
    ("paper-samples", "FILTER (!BOUND(?status) || ?status = ?has)", ""),
    ("paper-samples", "ORDER BY DESC(?level)", "ORDER BY ?level"),
    ("paper-samples", "?filePath ?entryPoint ?sample ?s", "?filePath DESC(?entryPoint) ?s"),
    ("paper-samples", "DESC(?level) ?filePath", "DESC(?level) DESC(?filePath)"),
    ("paper-samples", "OPTIONAL { ?sample kg:status ?has }", "?sample kg:status ?has ."),
    ("class-counts", "OPTIONAL {\n    SELECT", "{\n    SELECT"),
    ("class-counts", "DESC(?things)", "?things"),
    ("class-counts", "DESC(?things) ?class", "DESC(?things) DESC(?class)"),
]  # fmt: skip


@pytest.mark.parametrize("engine", ["oxigraph", "rdflib"])
@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: " ".join(map(str, answer[:2])))
def test_a_canned_query_answers_in_its_order(
    engine: str, answer: tuple[str, dict[str, str], Rows], engines: Engines, catalogue: Catalogue
) -> None:
    name, values, rows = answer
    assert engines[engine](catalogue.get(name).bind(values)) == rows


@pytest.mark.parametrize(("name", "old", "new"), TWINS)
def test_a_twin_with_another_order_or_without_a_filter_is_caught(
    name: str, old: str, new: str, engines: Engines, catalogue: Catalogue
) -> None:
    for asked, values, rows in ANSWERS:
        if asked == name:
            text = catalogue.get(name).bind(values)
            assert old in text
            if engines["oxigraph"](text.replace(old, new)) != rows:
                return
    pytest.fail("no answer changed")


def test_every_query_has_answers_and_twins(catalogue: Catalogue) -> None:
    names = [query.name for query in catalogue]
    assert {name for name, _, _ in ANSWERS} == set(names)
    assert {name for name, _, _ in TWINS} == set(names)
    for query in catalogue:
        given = {key for name, values, _ in ANSWERS if name == query.name for key in values}
        optional = {p.name for p in query.parameters if p.name != "limit"}
        assert optional <= given
