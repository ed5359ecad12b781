from __future__ import annotations

import unicodedata

import pyoxigraph as ox
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from rdflib import Graph
from rdflib.plugins.parsers.notation3 import TurtleParser  # noqa: F401 - registers the parser

from kg.errors import UsageError
from kg.iris import Minter, encode_iri, key, outside_iri, path_slug, slug_key

TEXT = st.text(st.characters(exclude_categories=("Cs",)))


@pytest.mark.parametrize(
    ("one", "other"),
    [("DMN", "DMN+"), ("BERT-base", "bert-base"), ("C", "C++"), ("a b", "a-b"), ("", "-")],
)
def test_names_that_look_alike_have_different_keys(one: str, other: str) -> None:
    assert key(one) != key(other)


def test_the_empty_name_has_the_key_that_the_design_gives() -> None:
    assert key("") == "~e3b0c442"


def test_a_name_that_is_its_own_key_has_no_hash() -> None:
    assert key("bert-base") == "bert-base"


@given(TEXT, TEXT)
def test_different_names_have_different_keys(one: str, other: str) -> None:
    assume(unicodedata.normalize("NFC", one) != unicodedata.normalize("NFC", other))
    assert key(one) != key(other)


@given(TEXT)
def test_a_name_and_its_other_normal_form_have_one_key(name: str) -> None:
    assert key(name) == key(unicodedata.normalize("NFD", name))


@given(TEXT)
def test_a_key_is_a_legal_segment_and_never_a_plain_slug_of_another(name: str) -> None:
    made = slug_key(name)
    ox.NamedNode(f"https://e.org/{made}")
    assert "/" not in made
    if made == slug_key(made):
        assert made == name or "~" in made


@given(TEXT)
def test_an_encoded_iri_is_read_by_two_parsers(text: str) -> None:
    iri = encode_iri(f"https://e.org/{text}")
    line = f"<{iri}> <https://e.org/p> <{iri}> ."
    (quad,) = ox.parse(line.encode(), format=ox.RdfFormat.N_TRIPLES)
    assert quad.subject == ox.NamedNode(iri)
    assert len(Graph().parse(data=line, format="nt")) == 1


@given(TEXT)
def test_encoding_twice_changes_nothing(text: str) -> None:
    once = encode_iri(text)
    assert encode_iri(once) == once


@pytest.mark.parametrize(
    ("text", "iri"),
    [
        ("https://e.org/a b", "https://e.org/a%20b"),
        ("https://e.org/%zz/%20", "https://e.org/%25zz/%20"),
        ("https://e.org/a[1]{2}|\\^`<>", "https://e.org/a%5B1%5D%7B2%7D%7C%5C%5E%60%3C%3E"),
        ("http://[2001:db8::1]/a[b]", "http://[2001:db8::1]/a%5Bb%5D"),
        (
            "https://e.org/x)), which [here](https://y",
            "https://e.org/x)),%20which%20%5Bhere%5D(https://y",
        ),
        ("https://例え.jp/é", "https://例え.jp/é"),
    ],
)
def test_illegal_characters_are_encoded_and_escapes_stay(text: str, iri: str) -> None:
    assert outside_iri(text) == iri


@pytest.mark.parametrize(
    "text",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "8.0",
        "../README.md",
        "http://",
        "",
        "ftp://e.org/a",
    ],
)
def test_what_is_no_web_address_is_no_iri(text: str) -> None:
    assert outside_iri(text) is None


@pytest.mark.parametrize(
    ("path", "slug"),
    [
        ("/paper/a-b", "a-b"),
        ("https://paperswithcode.com/paper/a-b/", "a-b"),
        ("https://codewithpapers.app/paper/a-b?x#y", "a-b"),
        ("/papers/a-b", None),
        ("/paper/", None),
        ("/x/paper/a", None),
        ("paper/a", None),
    ],
)
def test_a_slug_is_read_from_a_path_or_an_address(path: str, slug: str | None) -> None:
    assert path_slug(path, "paper") == slug


@pytest.mark.parametrize(
    "base", ["", "kg", "https://e.org", "https://e.org/x#", "https://e.org/a b/"]
)
def test_a_base_that_no_part_could_stand_on_is_refused(base: str) -> None:
    with pytest.raises(UsageError, match="base"):
        Minter(base)


def test_leaderboards_by_name_and_by_slug_never_meet() -> None:
    mint = Minter()
    task, dataset = mint.thing("task", "ner"), mint.thing("dataset", "squad")
    named = mint.named("dataset", "squad")
    made = {
        mint.nameless_leaderboard(task, dataset),
        mint.nameless_leaderboard(task, named),
        mint.nameless_leaderboard(task, None),
        mint.thing("leaderboard", "name"),
    }
    assert len(made) == 4


@pytest.mark.parametrize("text", ["http://host:abc/", "http://[::1", "http://a:80:90/"])
def test_an_address_that_no_encoding_mends_is_none(text: str) -> None:
    assert outside_iri(text) is None


def test_only_the_first_number_sign_begins_a_fragment() -> None:
    assert outside_iri("http://a/b#c#d") == "http://a/b#c%23d"


@given(st.text(st.characters(), max_size=12))
def test_any_address_is_a_legal_iri_or_none(text: str) -> None:
    for address in (f"http://{text}", f"https://e.org{text}", text):
        if (iri := outside_iri(address)) is not None:
            ox.NamedNode(iri)
            assert len(Graph().parse(data=f"<{iri}> <{iri}> <{iri}> .", format="nt")) == 1
