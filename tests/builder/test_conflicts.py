"""Conflicts: two values of a single-valued property, and the records that gave them."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg import resources
from kg.conflicts import NAMED_AT_MOST, Conflicts, single_valued
from kg.errors import ResourceError
from kg.report import Place

TYPE = b"<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
PROPERTIES = {
    b"<c:Paper>": frozenset({b"<p:title>", b"<p:date>"}),
    b"<c:Task>": frozenset({b"<a:label>"}),
}


def line(subject: str, predicate: str, term: str) -> bytes:
    return f"<s:{subject}> <{predicate}> {term} .".encode()


def typed(subject: str, kind: str) -> bytes:
    return f"<s:{subject}> ".encode() + TYPE + f" <c:{kind}> .".encode()


def scanned(lines: Iterable[bytes], at_once: int = 1) -> Conflicts:
    """Return the conflicts of lines that are given a few at once."""
    conflicts = Conflicts(PROPERTIES)
    parts = [each.split(b" ", 2) for each in sorted(set(lines))]
    for n in range(0, len(parts), at_once):
        conflicts.scan(parts[n : n + at_once])
    conflicts.end()
    return conflicts


def found(*lines: bytes, at_once: int = 1) -> list[tuple[str, str | None, list[object]]]:
    conflicts = scanned(lines, at_once)
    entries = list(conflicts.entries())
    assert conflicts.found == bool(entries)
    return [
        (entry.reason.split(" ")[0], entry.field, [value["value"] for value in entry.values])
        for entry in entries
    ]


def test_two_values_of_a_single_valued_property_are_a_conflict() -> None:
    both = (line("a", "p:title", '"x"'), line("a", "p:title", '"y . z"'))
    assert found(typed("a", "Paper"), *both) == [("<s:a>", "p:title", ['"x"', '"y . z"'])]
    assert found(typed("a", "Task"), *both) == []
    assert found(*both) == []
    assert found(typed("a", "Paper"), both[0]) == []
    assert (
        found(typed("a", "Paper"), both[0], line("b", "p:title", '"y"'), typed("b", "Paper")) == []
    )
    assert (
        found(typed("a", "Paper"), line("a", "p:author", "<x:1>"), line("a", "p:author", "<x:2>"))
        == []
    )
    assert found(typed("a", "Paper"), both[0], line("a", "p:date", '"y"')) == []


def test_two_neighbours_with_one_property_are_two_things() -> None:
    # Neither subject has another line between the two.
    lines = [line("a", "a:label", '"x"'), line("b", "a:label", '"y"'), typed("b", "Task")]
    assert sorted(lines)[:2] == lines[:2]
    assert found(*lines) == []


def test_a_thing_of_two_classes_has_the_properties_of_both() -> None:
    lines = [line("a", "a:label", '"x"'), line("a", "a:label", '"y"'), line("a", "a:label", '"z"')]
    assert found(typed("a", "Paper"), typed("a", "Task"), *lines) == [
        ("<s:a>", "a:label", ['"x"', '"y"', '"z"'])
    ]


NAMES = st.sampled_from(["a", "a1", "b"])
LINES = st.lists(
    st.builds(typed, NAMES, st.sampled_from(["Paper", "Task", "Other"]))
    | st.builds(
        line,
        NAMES,
        st.sampled_from(["p:title", "p:date", "a:label", "p:author"]),
        st.sampled_from(['"x"', '"x y"', '"x"@en', "<o:x>"]),
    ),
    max_size=30,
)


@given(LINES, st.integers(1, 31))
def test_conflicts_are_those_found_by_looking_at_everything(
    lines: list[bytes], at_once: int
) -> None:
    triples = {tuple(each[:-2].split(b" ", 2)) for each in lines}
    expected = set()
    for subject, _, class_ in (triple for triple in triples if triple[1] == TYPE):
        for predicate in PROPERTIES.get(class_, ()):
            terms = {o for s, p, o in triples if (s, p) == (subject, predicate)}
            if len(terms) > 1:
                expected.add((subject.decode(), predicate.decode().strip("<>"), len(terms)))
    assert {(s, p, len(values)) for s, p, values in found(*lines, at_once=at_once)} == expected


def test_the_records_of_each_value_are_named_and_the_many_counted() -> None:
    x, y = line("a", "p:title", '"x"'), line("a", "p:title", '"y"')
    conflicts = scanned([typed("a", "Paper"), x, y])
    conflicts.trace(map(hash, [x, x, typed("a", "Paper")]), Place("f", "line 1", "/a"))
    conflicts.trace([hash(line("b", "p:title", '"x"'))], Place("f", "line 2", "/b"))
    for number in range(NAMED_AT_MOST + 2):
        conflicts.trace([hash(y)], Place("g", f"record {number}", "/a"))
    (entry,) = conflicts.entries()
    first, second = entry.values
    assert first == {
        "value": '"x"',
        "records": [{"file": "f", "line": 1, "record": "/a"}],
        "count": 1,
    }
    assert second["count"] == NAMED_AT_MOST + 2
    assert isinstance(second["records"], list)
    assert len(second["records"]) == NAMED_AT_MOST
    assert "f, line 1, /a" in entry.reason
    assert "g, record 0, /a" in entry.reason
    assert f"and {NAMED_AT_MOST + 1} more" in entry.reason


def test_single_valued_is_what_the_shapes_say(tmp_path: Path) -> None:
    shapes = tmp_path / "shapes.ttl"
    shapes.write_text(
        """
        @prefix sh: <http://www.w3.org/ns/shacl#> .
        <s:1> sh:targetClass <c:Paper> ; sh:property <s:2> , [ sh:path <p:b> ; sh:maxCount 2 ] ,
          [ sh:path <p:c> ; sh:minCount 1 ] , [ sh:path [ sh:inversePath <p:d> ] ; sh:maxCount 1 ] .
        <s:2> sh:path <p:a> ; sh:maxCount 1 .
        <s:3> sh:property <s:2> .
        """,
        "utf-8",
    )
    assert single_valued(shapes) == {b"<c:Paper>": frozenset({b"<p:a>"})}


def test_the_shipped_shapes_make_a_papers_title_single_valued() -> None:
    properties = single_valued(resources.ontology() / "shapes.ttl")
    paper = properties[b"<https://w3id.org/paperkg/ns#Paper>"]
    assert b"<http://purl.org/dc/terms/title>" in paper
    assert b"<https://w3id.org/paperkg/ns#hasAuthorship>" not in paper


@pytest.mark.parametrize("content", [None, "no turtle"])
def test_shapes_that_cannot_be_read_are_a_fault_of_the_installation(
    tmp_path: Path, content: str | None
) -> None:
    if content:
        (tmp_path / "shapes.ttl").write_text(content, "utf-8")
    with pytest.raises(ResourceError, match=r"shapes\.ttl"):
        single_valued(tmp_path / "shapes.ttl")
