"""Every canned query on small graphs, whole answers, on two engines; and twins that are wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import pytest

from kg.catalogue import Catalogue
from kg.sparql import Kind, scan
from tests.queries import collection_answers, ties_answers
from tests.queries.mutants import mutants, order_keys

Rows: TypeAlias = list[tuple[str, ...]]
Case: TypeAlias = tuple[str, str, dict[str, str], Rows]
Engines: TypeAlias = Mapping[tuple[str, str], Callable[[str], Rows]]

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
            ("zip", "ran_draft_wrong", "2", "", "", "", "", "", "z.py", "", "", "sample/4"),
            ("act", "ran_draft_wrong", "1", "", "", "", "", "", "b.py", "", "", "sample/3"),
            ("gelu", "ran_honours", "1", "HONOURS", "invariant", "", MIT, "true", "b.py",
             "https://example.org/b.py", "No claim.", "sample/2"),
            ("aaa", "ran_honours", "1", "", "", "", "", "", "c.py", "", "", "sample/7"),
            ("load", "unverified", "0", "", "", "official", "", "", "a.py", "", "", "sample/1"),
            ("none", "", "", "", "", "", "", "", "a.py", "", "", "sample/5"),
        ],
    ),
    (
        "paper-samples",
        {"paper": "one", "status": "ran_draft_wrong"},
        [
            ("zip", "ran_draft_wrong", "2", "", "", "", "", "", "z.py", "", "", "sample/4"),
            ("act", "ran_draft_wrong", "1", "", "", "", "", "", "b.py", "", "", "sample/3"),
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
    ("class-counts", "OPTIONAL {\n    SELECT", "{\n    SELECT"),
    ("class-counts", "DESC(?things)", "?things"),
    ("class-counts", "DESC(?things) ?class", "DESC(?things) DESC(?class)"),
]  # fmt: skip


# The graph, name, values and whole answer of each case.
CASES = [
    *(("graph.ttl", *answer) for answer in ANSWERS),
    *(("collection.ttl", *answer) for answer in collection_answers.ANSWERS),
    *(("ties.ttl", *answer) for answer in ties_answers.ANSWERS),
]
ALL_TWINS = [*TWINS, *collection_answers.TWINS]

_BY_FILTER = "a filter asks for it; it is optional for the sake of the engine's plan"
# What changes nothing, and why: the answers of the mutant are those of the query.
EQUIVALENT: dict[tuple[str, str], str] = {
    (
        "state-of-the-art",
        "requiring { ?result kg:measurement ?measurement . ?measurement kg:metric ?measured }",
    ): _BY_FILTER,
    (
        "state-of-the-art",
        "requiring { ?result kg:measurement ?measurement . ?measurement kg:value ?value }",
    ): _BY_FILTER,
    (
        "state-of-the-art",
        "requiring { ?other kg:measurement ?otherMeasurement ."
        " ?otherMeasurement kg:metric ?otherMeasured }",
    ): _BY_FILTER,
    (
        "state-of-the-art",
        "requiring { ?other kg:measurement ?otherMeasurement ."
        " ?otherMeasurement kg:value ?otherValue }",
    ): _BY_FILTER,
    (
        "state-of-the-art",
        "without FILTER (BOUND(?higher))",
    ): "this engine gives no sum of errors, and no sum is no 0; others may differ",
}

_DATE = "the date as a text is a key: dates of three types have no order among themselves"
_ONE_BY_GROUP = "it is counted for what the row is about, which is a key"
_ONE_BY_ORDER = "it stands in the table of the query with the number that is a key"
# The columns that are no key of ORDER BY, and why the order of the rows is total all the same.
DETERMINED: dict[tuple[str, str], str] = {
    ("author-papers", "issued"): _DATE,
    ("best-result", "better"): "the parameters and the metric say it: it is one for all rows",
    ("best-result", "issued"): _DATE,
    ("dataset-card", "fact"): _ONE_BY_ORDER,
    ("datasets", "issued"): _DATE,
    ("identifiers", "kind"): _ONE_BY_ORDER,
    ("identifiers", "identifier"): "its text is a key; those of one property are of one kind",
    ("identifiers", "property"): _ONE_BY_ORDER,
    ("methods-together", "papers"): _ONE_BY_GROUP,
    ("no-additional-data", "additionalData"): "a result says no or nothing: yes is left out",
    ("oddities", "example"): "the query finds one for each oddity",
    ("paper-methods", "introducedHere"): "the paper introduces a method, which is a key, or not",
    ("paper-methods", "papers"): _ONE_BY_GROUP,
    ("state-of-the-art", "issued"): "the date as a text is a key",
    ("state-of-the-art", "value"): "what is shown of one date, which is a key, is equally good",
    ("task-papers", "issued"): _DATE,
    ("task-papers", "hasCode"): "a paper, which is a key, has code or not",
    ("task-papers", "hasSamples"): "a paper, which is a key, has samples or not",
    ("venue-papers", "issued"): _DATE,
    ("venue-papers", "hasCode"): "a paper, which is a key, has code or not",
}


@pytest.mark.parametrize("engine", ["oxigraph", "rdflib"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: " ".join(map(str, case[1:3])))
def test_a_canned_query_answers_in_its_order(
    engine: str, case: Case, engines: Engines, catalogue: Catalogue
) -> None:
    graph, name, values, rows = case
    assert engines[engine, graph](catalogue.get(name).bind(values)) == rows


@pytest.mark.parametrize(("name", "old", "new"), ALL_TWINS)
def test_a_twin_with_another_order_or_without_a_filter_is_caught(
    name: str, old: str, new: str, engines: Engines, catalogue: Catalogue
) -> None:
    assert old in catalogue.get(name).text
    texts = [
        (graph, catalogue.get(name).bind(values).replace(old, new), rows)
        for graph, asked, values, rows in CASES
        if asked == name
    ]
    assert any(engines["oxigraph", graph](text) != rows for graph, text, rows in texts)


@pytest.mark.parametrize("name", [query.name for query in Catalogue.load()])
def test_every_mutant_of_a_query_is_caught(
    name: str, engines: Engines, catalogue: Catalogue
) -> None:
    query = catalogue.get(name)
    unnoticed = {n: " ".join(what.split()) for n, (what, _) in enumerate(mutants(query.text))}
    for graph, asked, values, rows in CASES:
        if asked == name:
            for number, (_, text) in enumerate(mutants(query.bind(values))):
                if number in unnoticed and engines["oxigraph", graph](text) != rows:
                    del unnoticed[number]
    assert list(unnoticed.values()) == [what for query, what in EQUIVALENT if query == name]


def columns_that_are_no_key(text: str, columns: Sequence[str]) -> list[str]:
    """Return those of *columns* that the ORDER BY of *text* has neither bare nor in DESC(…)."""
    keys: set[str] = set()
    for key in order_keys(text):
        tokens = list(scan(key))
        if [t.text for t in tokens if t.kind is not Kind.VARIABLE] in ([], ["DESC", "(", ")"]):
            keys.update(t.text[1:] for t in tokens if t.kind is Kind.VARIABLE)
    return [column for column in columns if column not in keys]


@pytest.mark.parametrize("name", [query.name for query in Catalogue.load()])
def test_every_column_is_in_the_order_or_determined_by_it(name: str, catalogue: Catalogue) -> None:
    query = catalogue.get(name)
    outside = columns_that_are_no_key(query.text, query.columns)
    assert outside == [c for c in query.columns if (name, c) in DETERMINED]
    assert {column for of, column in DETERMINED if of == name} <= set(query.columns)


def test_a_column_within_an_expression_is_no_key() -> None:
    text = "SELECT * { ?a ?b ?c } ORDER BY ?a DESC(?b) STR(?c) DESC(STR(?d)) (!BOUND(?e)) LIMIT 9"
    assert order_keys(text) == ["?a", "DESC(?b)", "STR(?c)", "DESC(STR(?d))", "(!BOUND(?e))"]
    assert columns_that_are_no_key(text, ["a", "b", "c", "d", "e"]) == ["c", "d", "e"]


@pytest.mark.parametrize("name", [query.name for query in Catalogue.load()])
def test_no_two_rows_of_an_answer_are_the_same(name: str) -> None:
    for _, asked, _, rows in CASES:
        if asked == name:
            assert len(set(rows)) == len(rows)


def test_every_query_has_answers_and_twins(catalogue: Catalogue) -> None:
    names = [query.name for query in catalogue]
    assert {name for _, name, _, _ in CASES} == set(names)
    assert {name for name, _, _ in ALL_TWINS} == set(names)
    for query in catalogue:
        cases = [(values, rows) for _, name, values, rows in CASES if name == query.name]
        given = {key for values, _ in cases for key in values}
        assert {p.name for p in query.parameters if p.name != "limit"} <= given
        fewest = 2 if query.name == "provenance" else 3  # a thing has at most two records by rule
        assert max(len(rows) for _, rows in cases) >= fewest
