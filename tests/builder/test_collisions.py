from __future__ import annotations

import json
from pathlib import Path

import pytest

from kg import builder
from kg.collisions import Collisions
from kg.errors import CollisionError
from kg.iris import short_hash
from kg.snapshot import SnapshotFolder

BASE = "https://w3id.org/paperkg/"
SLUG = "https://w3id.org/paperkg/ns#slug"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
MODEL = "https://w3id.org/paperkg/ns#modelName"
METRIC = "https://w3id.org/paperkg/ns#metric"


def scan(*triples: tuple[str, str, str]) -> None:
    collisions = Collisions()
    for subject, predicate, value in sorted(triples):
        collisions.scan(f"<{BASE}{subject}> <{predicate}> {value} .".encode())


@pytest.mark.parametrize(
    ("subject", "predicate"),
    [
        ("dataset/name/squad~0123abcd", LABEL),
        ("task/name/~0123abcd", LABEL),
        ("metric/f1~0123abcd", LABEL),
        ("paper/caf-~0123abcd", SLUG),
        ("leaderboard/caf-~0123abcd", SLUG),
        ("result/l/p/bert~0123abcd", MODEL),
        ("result/l/p/bert~0123abcd/extra", MODEL),
        ("result/l/p/bert~0123abcd~89abcdef", MODEL),
        ("result/l/p/bert#f1~0123abcd", METRIC),
    ],
)
def test_two_names_of_one_key_are_a_collision_with_both_named(subject: str, predicate: str) -> None:
    with pytest.raises(CollisionError, match=r"'One' and 'Two'") as found:
        scan((subject, predicate, '"One"'), (subject, predicate, '"Two"'))
    assert found.value.iri == f"{BASE}{subject}"


def test_the_normal_forms_of_one_name_are_one_thing() -> None:
    scan(
        ("paper/caf-~0123abcd", SLUG, '"caf\u00e9"'), ("paper/caf-~0123abcd", SLUG, '"cafe\u0301"')
    )


@pytest.mark.parametrize(
    ("subject", "predicate"),
    [
        ("dataset/squad", LABEL),  # two records may name one dataset differently
        ("dataset/caf-~0123abcd", LABEL),
        ("result/l/p/bert", MODEL),
        ("dataset/name/squad~0123abcd", SLUG),
        ("leaderboard/name/t~0123abcd/name/d~0123abcd", LABEL),
    ],
)
def test_what_no_hash_stands_for_is_none(subject: str, predicate: str) -> None:
    scan((subject, predicate, '"One"'), (subject, predicate, '"Two"'))


def test_names_of_different_subjects_are_none() -> None:
    scan(("metric/a~0123abcd", LABEL, '"One"'), ("metric/a~0123abce", LABEL, '"Two"'))


def test_a_build_in_which_two_things_meet_stops_and_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slugs = ("\u00c4", "\u00d6")
    original = short_hash  # which the keys of the canned queries still have
    monkeypatch.setattr(
        "kg.iris.short_hash", lambda text: "0123abcd" if text in slugs else original(text)
    )
    source = tmp_path / "x.jsonl"
    records = [{"url": f"/dataset/{slug}", "name": "N"} for slug in slugs]
    source.write_text("\n".join(map(json.dumps, records)), "utf-8")
    with pytest.raises(CollisionError, match=r"\\xc4.*\\xd6"):
        builder.build([source], tmp_path / "s")
    assert SnapshotFolder(tmp_path / "s").current() is None
